import { BaseError, type Code, describeRejection } from '@firmquote/core'

/** A failure in the form that clients see. */
export type Failure = {
  code: Code
  /** A fixed text. The error's own text may contain the address of a node with its key. */
  message: string
}

const known = ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE', 'OVERLOADED'] as const

/** Describes a thrown error to the client. An unknown error is `INTERNAL`. */
export function describeFailure(error: unknown): Failure {
  const code = error instanceof BaseError ? known.find((one) => one === error.code) : undefined
  return code
    ? { code, message: describeRejection({ code }) }
    : { code: 'INTERNAL', message: 'Something went wrong on our side.' }
}
