import { randomBytes } from 'node:crypto'
import { recoverSigner } from '@firmquote/core/protocol'
import { systemClock } from '@firmquote/core/utils'
import pino from 'pino'
import { createPromMetrics } from '../src/adapters/promMetrics.ts'
import { createFirmquoteServer, type ServerOptions } from '../src/start/createFirmquoteServer.ts'

/** A server on a free port, with its log. */
export type ListeningServer = Awaited<ReturnType<typeof listenForTest>>

/**
 * Starts a server on a free port of the loopback interface. By default, the server does not wait for open auctions when
 * it closes.
 */
export async function listenForTest(options: Pick<ServerOptions, 'service' | 'domain'> & Partial<ServerOptions>) {
  /** All log entries, parsed. */
  const logs: Record<string, unknown>[] = []
  const log = pino({ level: 'debug' }, { write: (line) => logs.push(JSON.parse(line)) })
  const server = createFirmquoteServer({
    clock: systemClock,
    random: randomBytes,
    signatures: { recoverSigner },
    log,
    metrics: createPromMetrics(),
    ...options,
    limits: { drainMs: 0, pendingSockets: 10_000, pendingSocketsPerNetwork: 10_000, ...options.limits },
  })
  const { port } = await server.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${port}`
  return { url, api: `${url}/api/v1`, wsUrl: `ws://127.0.0.1:${port}/ws/rfq`, port, logs, close: server.close }
}
