import { BaseError, type Code, codes } from '@firmquote/core'

/** A failure as a stranger may see it. */
export type Failure = {
  code: Code
  /** Says nothing of what lies beneath: an error's own text may hold addresses of nodes with keys in them. */
  message: string
}

const sentences: Partial<Record<Code, string>> = {
  CHAIN_UNAVAILABLE: 'The chain could not be read, so nothing could be checked and nothing was stored. Try again.',
  STORAGE_UNAVAILABLE: 'The database did not answer; nothing was stored. Try again.',
  OVERLOADED: 'The service is restarting or at its limit; ask again in a moment.',
}

/** Says what a thrown error means to whoever asked. Everything that is not a known failure is `INTERNAL`. */
export function describeFailure(error: unknown): Failure {
  const code = error instanceof BaseError ? codes.find((known) => known === error.code) : undefined
  const message = code && sentences[code]
  return code && message ? { code, message } : { code: 'INTERNAL', message: 'Something went wrong on our side.' }
}
