import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A recorded request. */
export type SeenRequest = { method: string; path: string; headers: IncomingMessage['headers']; body: string }

/** An HTTP server for tests. */
export type HttpServer = { url: string; seen: SeenRequest[]; close(): Promise<void> }

/**
 * Starts an HTTP server that records its requests, on a free port. `count` is the number of requests so far.
 *
 * @param options.servesConfig Whether `answer` also receives the request for the service's configuration, which a client
 * sends before its first call. By default, the server rejects it like an old service and does not record it.
 */
export async function startHttpServer(
  answer: (request: SeenRequest, response: ServerResponse, count: number) => unknown,
  { servesConfig = false } = {},
): Promise<HttpServer> {
  const seen: SeenRequest[] = []
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers, body: await text(incoming) }
    if (path === '/api/v1/config' && !servesConfig) return sendProblem(response, 404, 'NOT_FOUND')
    seen.push(request)
    await answer(request, response, seen.length)
  }
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Sends a JSON response. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Sends a problem response (RFC 9457). */
export function sendProblem(
  response: ServerResponse,
  status: number,
  code: string,
  more: object = {},
  headers: object = {},
): void {
  const problem = { type: 'about:blank', title: code, status, detail: `It is ${code}.`, code, requestId: 'req-1' }
  sendJson(response, status, { ...problem, ...more }, { 'content-type': 'application/problem+json', ...headers })
}
