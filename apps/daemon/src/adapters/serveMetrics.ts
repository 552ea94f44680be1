import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigurationError } from '../errors.ts'

/** A running metrics endpoint. */
export type ServedMetrics = { port: number; close(): Promise<void> }

/**
 * Serves `GET /metrics` on 127.0.0.1. Rejects requests for other host names, to prevent DNS rebinding.
 *
 * @param port 0 picks a free port.
 * @throws {ConfigurationError} if the port is in use.
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
    throw new ConfigurationError(`Cannot listen on port ${port}; set metrics.port to another port.`, { cause })
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
