import { ConnectionError, InvalidResponseError, TimeoutError } from '@firmquote/sdk'

/** Whether an error says that the service did not answer, rather than what it answered. A proxy answers in its place. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof InvalidResponseError) return [502, 503, 504].includes(error.status ?? 0)
  return error instanceof ConnectionError || error instanceof TimeoutError
}
