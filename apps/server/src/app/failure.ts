import { BaseError, type Code, describeRejection } from '@firmquote/core'

/** A failure as clients see it. */
export type Failure = {
  code: Code
  /** Never the error's own text: it may hold the address of a node with a key in it. */
  message: string
}

const known = ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE', 'OVERLOADED'] as const

/** What a thrown error means to the client. Everything that is not a known failure is `INTERNAL`. */
export function describeFailure(error: unknown): Failure {
  const code = error instanceof BaseError ? known.find((one) => one === error.code) : undefined
  return code
    ? { code, message: describeRejection({ code }) }
    : { code: 'INTERNAL', message: 'Something went wrong on our side.' }
}
