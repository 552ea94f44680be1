import { BaseError } from '@firmquote/core'

/** Why a program ends, for standard error: one sentence or two of an error that was foreseen, else the stack. */
export function formatError(error: unknown): string {
  if (!(error instanceof BaseError)) return error instanceof Error && error.stack ? error.stack : String(error)
  return error.details === undefined ? error.shortMessage : `${error.shortMessage} ${error.details}`
}
