import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the server has seen it. */
export type SeenRequest = { method: string; path: string; headers: IncomingMessage['headers']; body: string }

/** An HTTP server on a free port that answers with `answer` and records the requests. */
export async function startHttpServer(
  answer: (request: SeenRequest, response: ServerResponse, count: number) => void,
): Promise<{ url: string; seen: SeenRequest[]; close(): Promise<void> }> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      seen.push({ method, path, headers, body: Buffer.concat(chunks).toString() })
      answer(seen.at(-1) as SeenRequest, response, seen.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Answers with a problem (RFC 9457). */
export function sendProblem(
  response: ServerResponse,
  status: number,
  code: string,
  more: object = {},
  headers: object = {},
): void {
  const problem = {
    type: 'about:blank',
    title: code,
    status,
    detail: `It is ${code}.`,
    code,
    requestId: 'req-1',
    ...more,
  }
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(problem))
}
