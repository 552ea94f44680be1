import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigurationError } from '../errors.ts'

/** The page of figures while it is served. */
export type ServedMetrics = { port: number; close(): Promise<void> }

/**
 * Serves `GET /metrics` on a port of this machine alone. A page of another site that points its name here is refused by the name.
 *
 * @param port 0 takes a free one.
 * @throws {ConfigurationError} when the port is taken.
 */
export async function serveMetrics(port: number, format: () => Promise<string>): Promise<ServedMetrics> {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000, maxHeaderSize: 4_096 })
  server.maxConnections = 16
  server.on('request', (request, response) => {
    const name = request.headers.host?.replace(/:\d+$/, '')
    const isLocal = name === '127.0.0.1' || name === 'localhost'
    const isKnown = request.method === 'GET' && request.url === '/metrics'
    if (!isLocal || !isKnown) {
      response.writeHead(isLocal ? 404 : 403).end()
      return
    }
    format().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(503).end(),
    )
  })
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new ConfigurationError(`Port ${port} of metrics.port cannot be used; choose another one.`, { cause })
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
