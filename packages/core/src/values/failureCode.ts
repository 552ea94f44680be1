type Failure = { name?: unknown; code?: unknown; status?: unknown; cause?: Failure } | null | undefined

/**
 * Returns the code of a failed request: a system code (`ECONNREFUSED`), an HTTP status (`HTTP 401`), a JSON-RPC code
 * (`JSON-RPC error -32000`) or `TimeoutError`. Returns undefined if no cause has one, as in browsers. Contains no part of the URL.
 */
export function failureCode(error: unknown): string | undefined {
  let found: string | undefined
  let part = error as Failure
  for (let level = 0; level < 10 && part; level += 1) {
    const { name, code, status } = part
    if (name === 'TimeoutError') found = name
    else if (typeof status === 'number') found = `HTTP ${status}`
    else if (typeof code === 'string' && /^[A-Z][A-Z\d_]+$/.test(code)) found = code
    else if (typeof code === 'number' && code < -1) found = `JSON-RPC error ${code}`
    part = part.cause
  }
  return found
}
