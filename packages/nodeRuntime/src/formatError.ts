import { BaseError } from '@firmquote/core'

/** Formats a fatal error for standard error: one or two sentences for a known error, and the stack for any other. */
export function formatError(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error && error.stack ? error.stack : String(error)
  return error.details === undefined ? error.shortMessage : `${error.shortMessage} ${error.details}`
}
