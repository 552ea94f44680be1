import { BaseError, ChainUnavailableError, type Code, describeRejection } from '@firmquote/core'
import { ChainDisagreesError } from '../ports/errors.ts'

/** A failure as clients see it. */
export type Failure = {
  code: Code
  /** A fixed text. The error's own message may contain a node URL that includes an API key. */
  message: string
}

const known = ['CHAIN_UNAVAILABLE', 'CHAIN_DISAGREES', 'STORAGE_UNAVAILABLE', 'OVERLOADED'] as const

/** Returns the rejection for a failed read of the chain, or null for another error. */
export function chainRejection(error: unknown): { code: 'CHAIN_UNAVAILABLE' | 'CHAIN_DISAGREES' } | null {
  if (!(error instanceof ChainUnavailableError)) return null
  return { code: error instanceof ChainDisagreesError ? 'CHAIN_DISAGREES' : 'CHAIN_UNAVAILABLE' }
}

/** Converts a thrown error to a failure. Unknown errors become `INTERNAL`. */
export function describeFailure(error: unknown): Failure {
  const code = error instanceof BaseError ? known.find((one) => one === error.code) : undefined
  return code
    ? { code, message: describeRejection({ code }) }
    : { code: 'INTERNAL', message: 'Something went wrong on our side.' }
}
