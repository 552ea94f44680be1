import { BaseError, type Code, describeRejection } from '@firmquote/core'

/** A failure as clients see it. */
export type Failure = {
  code: Code
  /** A fixed text. The error's own message may contain a node URL that includes an API key. */
  message: string
}

const known = ['CHAIN_UNAVAILABLE', 'STORAGE_UNAVAILABLE', 'OVERLOADED'] as const

/** Converts a thrown error to a failure. Unknown errors become `INTERNAL`. */
export function describeFailure(error: unknown): Failure {
  const code = error instanceof BaseError ? known.find((one) => one === error.code) : undefined
  return code
    ? { code, message: describeRejection({ code }) }
    : { code: 'INTERNAL', message: 'Something went wrong on our side.' }
}
