import { Agent, request } from 'node:http'

/** The answer to a request: the status and text, or the connection's error code. */
export type RawAnswer =
  | { status: number; text: string; headers: Record<string, unknown> }
  | { status: null; error: string }

// Thousands of concurrent requests must neither wait for each other nor reuse a connection to a dead server.
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })

/**
 * Sends one raw request without retries. Reads only the first event of a stream, then drops the connection. The auction
 * continues.
 */
export function sendRaw(
  url: string,
  { body, headers = {}, localAddress }: { body?: object; headers?: Record<string, string>; localAddress?: string } = {},
): Promise<RawAnswer> {
  const text = body && JSON.stringify(body)
  return new Promise((resolve) => {
    const sent = request(url, {
      agent,
      ...(localAddress !== undefined && { localAddress, family: 4 }),
      method: text === undefined ? 'GET' : 'POST',
      headers: {
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
    })
    const fail = (error: NodeJS.ErrnoException) => resolve({ status: null, error: error.code ?? error.message })
    sent.on('error', fail)
    sent.on('response', (response) => {
      let received = ''
      const end = () => resolve({ status: response.statusCode ?? 0, text: received, headers: response.headers })
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        received += chunk
        if (!/^event: .*\n\n/s.test(received)) return
        end()
        sent.destroy()
      })
      response.on('end', end)
      response.on('error', fail)
    })
    sent.end(text)
  })
}

/** Returns the auction id from the first event in an answer, or null if there is none. */
export function startedRfqId(answer: RawAnswer): string | null {
  return (answer.status === 200 && /^event: started\nid: ([0-9a-f]{32}):0\n/.exec(answer.text)?.[1]) || null
}

/** Returns a rejection's code or the connection's error code; null for any other answer. */
export function refusalOf(answer: RawAnswer): string | null {
  if (answer.status === null) return answer.error
  return answer.status < 400 ? null : ((JSON.parse(answer.text) as { code: string }).code ?? null)
}
