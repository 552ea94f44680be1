import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { type RFQBroadcast, recoverSigner, systemClock, toPublicRfqId } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import { createLogger } from '@firmquote/program/createLogger'
import { createInProcessBus } from '../../../apps/server/src/adapters/inProcessBus.ts'
import { createInProcessPresence } from '../../../apps/server/src/adapters/inProcessPresence.ts'
import { createPromMetrics } from '../../../apps/server/src/adapters/promMetrics.ts'
import { createBackerSessions } from '../../../apps/server/src/app/auctions/backerSessions.ts'
import type { Bus } from '../../../apps/server/src/ports/bus.ts'
import { createDoors } from '../../../apps/server/src/start/createDoors.ts'
import { createScriptedService, testDomain, testRfq } from '../../../apps/server/test/scriptedService.ts'
import { startStdioProgram } from '../native/stdioProgram.ts'
import type { ReaderKind } from './fanOutReaders.ts'

/** A sender to many readers. */
export type Broadcaster = {
  name: string
  /** Sends an RFQ to every reader, and gives the time at which it began, in monotonic nanoseconds. */
  broadcast(rfq: RFQBroadcast): bigint | Promise<bigint>
  /** How many bytes of it reach each reader. */
  bytes: number
}

/** A server that readers connect to, and its ways to broadcast. */
export type Stage = {
  port: number
  kind: ReaderKind
  /** To be called when all readers are connected. */
  broadcasters(): Broadcaster[]
  stop(): Promise<void>
}

/** An RFQ as long as they get: about 400 bytes. */
export const sampleRfq: RFQBroadcast = {
  ...testRfq,
  rfqId: toPublicRfqId('fedcba9876543210fedcba9876543210'),
  notional: 1_000_000_000_000n,
  maxVrtAmount: 25_000_000_000n,
  taker: '0x9999999999999999999999999999999999999999',
  openedAt: 1_767_225_600_000,
  closesAt: 1_767_225_615_000,
}

/** What a bus is told of a handler that throws. */
export function fail(error: unknown): never {
  throw error
}

const message = { type: 'rfq', ...sampleRfq }
/** How many bytes of the sample reach each reader. */
export const frameBytes = frameLength(encodeJson(message))

/** A frame of the server, unmasked. */
function frameLength(text: string): number {
  const length = Buffer.byteLength(text)
  return length + (length < 126 ? 2 : 4)
}

/**
 * The product: its server, its backer sessions and its bus; only the service beneath is scripted.
 *
 * @param bus by default that of one process.
 */
export async function startProduct(backers: number, bus: Bus = createInProcessBus({ onError: fail })): Promise<Stage> {
  const clock = systemClock
  // The sample's auction is open: what is over is not told.
  const sessionClock = { ...clock, now: () => sampleRfq.openedAt }
  const sessions = createBackerSessions({
    bus,
    clock: sessionClock,
    presence: { join: () => () => {} },
    means: { joined() {}, cover: () => false },
  })
  const { service } = createScriptedService({ hub: { join: sessions.join } })
  const limits = { ...service.config.limits, socketsPerBacker: backers }
  const server = createDoors({
    service: {
      ...service,
      presence: createInProcessPresence(backers),
      config: { ...service.config, limits },
    },
    domain: testDomain,
    signatures: { recoverSigner },
    clock,
    random: randomBytes,
    log: createLogger({ level: 'silent', secrets: [] }),
    metrics: createPromMetrics(),
    // No ping in the middle of a measurement.
    limits: {
      sockets: backers,
      connectionsPerNetwork: 2 * backers,
      pendingSockets: backers,
      pendingSocketsPerNetwork: backers,
      pingIntervalMs: 3_600_000,
    },
  })
  const { port } = await server.listen({ port: 0, host: '127.0.0.1' })
  let broadcasts = 0
  const broadcast = (terms: RFQBroadcast) => {
    broadcasts += 1
    // A backer is told of each auction once.
    const rfq = { ...terms, rfqId: toPublicRfqId(broadcasts.toString(16).padStart(32, '0')) }
    const began = process.hrtime.bigint()
    sessions.broadcastRfq(rfq)
    return began
  }
  return {
    port,
    kind: 'backer',
    broadcasters: () => [{ name: 'Firmquote', broadcast, bytes: frameBytes }],
    async stop() {
      await server.close()
      await bus.close()
    },
  }
}

type PlainSocket = { send(text: string): void; terminate(): void }

/** What of `ws` is called here: it is the one that the server has. */
type PlainWs = {
  WebSocketServer: new (
    options: object,
  ) => { clients: Set<PlainSocket>; on(event: 'connection', handler: (socket: PlainSocket) => void): void }
}
const { WebSocketServer } = createRequire(new URL('../../../apps/server/package.json', import.meta.url))(
  'ws',
) as PlainWs

/** Plain `ws`: the text encoded for each socket, and the message put in JSON for each as well. */
export async function startPlainWs(): Promise<Stage> {
  const http = createHttpServer()
  const sockets = new WebSocketServer({ server: http, perMessageDeflate: false })
  sockets.on('connection', (socket) => socket.send('welcome'))
  const port = await listen(http)
  const each = (send: (socket: PlainSocket) => void) => {
    const began = process.hrtime.bigint()
    for (const socket of sockets.clients) send(socket)
    return began
  }
  return {
    port,
    kind: 'ws',
    broadcasters: () => [
      {
        name: 'ws.send(string)',
        broadcast(rfq) {
          const text = encodeJson({ type: 'rfq', ...rfq })
          return each((socket) => socket.send(text))
        },
        bytes: frameBytes,
      },
      {
        name: 'ws, JSON per client',
        broadcast: (rfq) => each((socket) => socket.send(encodeJson({ type: 'rfq', ...rfq }))),
        bytes: frameBytes,
      },
    ],
    async stop() {
      for (const socket of sockets.clients) socket.terminate()
      http.close()
    },
  }
}

/** What of socket.io is called here. */
export type SocketIo = {
  Server: new (
    http: Server,
    options: object,
  ) => {
    emit(event: string, value: unknown): void
    on(event: string, handler: () => void): void
    close(): Promise<void>
  }
}

/** socket.io over WebSocket alone. */
export async function startSocketIo({ Server: IoServer }: SocketIo): Promise<Stage> {
  const http = createHttpServer()
  const io = new IoServer(http, { transports: ['websocket'], pingInterval: 3_600_000, serveClient: false })
  const port = await listen(http)
  const value = JSON.parse(encodeJson(message)) as unknown
  return {
    port,
    kind: 'socket.io',
    broadcasters: () => [
      {
        name: 'socket.io',
        broadcast() {
          const began = process.hrtime.bigint()
          io.emit('rfq', value)
          return began
        },
        bytes: frameLength(`42${JSON.stringify(['rfq', value])}`),
      },
    ],
    stop: () => io.close(),
  }
}

/** The floor: a C loop of `send()` over as many connections, with as many bytes for each. */
export async function startFloor(program: string): Promise<Stage> {
  const connections: Socket[] = []
  const tcp = createTcpServer({ noDelay: true, pauseOnConnect: true }, (socket) => connections.push(socket))
  tcp.listen(0, '127.0.0.1', 4_096)
  await once(tcp, 'listening')
  let sender: ReturnType<typeof startStdioProgram> | undefined
  return {
    port: (tcp.address() as AddressInfo).port,
    kind: 'raw',
    broadcasters() {
      const started = startStdioProgram(program, ['send', String(connections.length)], connections)
      sender = started
      const broadcast = async () => {
        started.write(String(frameBytes))
        return BigInt(await started.next())
      }
      return [{ name: 'C send() loop', broadcast, bytes: frameBytes }]
    },
    async stop() {
      await sender?.stop()
      tcp.close()
    },
  }
}

async function listen(http: Server): Promise<number> {
  http.listen(0, '127.0.0.1', 4_096)
  await once(http, 'listening')
  return (http.address() as AddressInfo).port
}
