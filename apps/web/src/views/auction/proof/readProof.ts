import { ConnectionError, InvalidResponseError, type RfqId, ServiceError } from '@firmquote/sdk'

/**
 * Reads an auction's proof. It stays text, because a proof has exactly one spelling.
 *
 * @param serviceUrl without a trailing slash.
 * @throws {ServiceError} `PROOF_NOT_READY` until the log has the auction's close, with `retryAfterMs`.
 * @throws {ConnectionError} if the service does not respond.
 */
export async function readProof(serviceUrl: string, rfqId: RfqId, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${serviceUrl}/api/v1/rfq/${rfqId}/proof`, { signal }).catch((cause: unknown) => {
    throw new ConnectionError('The service could not be reached.', { sent: 'maybe', cause })
  })
  const text = await response.text()
  if (response.ok) return text
  throw problemOf(response, text)
}

function problemOf({ status, headers }: Response, text: string): ServiceError | InvalidResponseError {
  try {
    const { code, detail, requestId } = JSON.parse(text) as { [Key in 'code' | 'detail' | 'requestId']?: unknown }
    if (typeof code === 'string' && typeof detail === 'string') {
      const seconds = Number(headers.get('retry-after') ?? Number.NaN)
      return new ServiceError(code, detail, {
        status,
        ...(typeof requestId === 'string' && { requestId }),
        ...(seconds >= 0 && { retryAfterMs: seconds * 1000 }),
      })
    }
  } catch {}
  return new InvalidResponseError('The service did not respond with a problem document.', { status })
}
