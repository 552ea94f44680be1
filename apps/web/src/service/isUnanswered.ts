import { ConnectionError, InvalidResponseError, TimeoutError } from '@firmquote/sdk'

/** Whether an error means that the service did not respond. A proxy's error page does not count as a response. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof InvalidResponseError) return [502, 503, 504].includes(error.status ?? 0)
  return error instanceof ConnectionError || error instanceof TimeoutError
}
