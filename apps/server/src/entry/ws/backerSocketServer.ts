import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type ServerOptions, WebSocketServer } from 'ws'
import { networksOf } from '../limitConnections.ts'
import { authenticateBacker } from './authenticateBacker.ts'
import type { BackerSocketOptions } from './backerSocketOptions.ts'
import { createContractSessions } from './contractSessions.ts'
import { createMessageQueue } from './messageQueue.ts'
import { createPendingSockets } from './pendingSockets.ts'
import { createSeats } from './seats.ts'

/** The backer socket: accepts upgrades to `/ws/rfq`. */
export type BackerSocketServer = {
  accept(request: IncomingMessage, tcpSocket: Socket, head: Buffer): void
  /** The numbers of unauthenticated sockets and of sockets with a seat. */
  count(): { pending: number; seated: number }
  /** Closes all sockets. New ones are still accepted. */
  disconnect(code: number, reason: string): void
  /** Closes all sockets with 1001, terminates those that stay open, and resolves once all have closed. */
  close(): Promise<void>
}

/** Creates the backer socket. */
export function createBackerSocketServer(options: BackerSocketOptions): BackerSocketServer {
  const { service, clock, log, limits } = options
  const settings: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
    // Terminates clients that do not respond to a close frame.
    closeTimeout: limits.closeGraceMs,
  }
  const sockets = new WebSocketServer(settings)
  const messageQueue = createMessageQueue()

  const pendingSockets = createPendingSockets({
    all: limits.pendingSockets,
    perNetwork: limits.pendingSocketsPerNetwork,
  })
  const seats = createSeats({
    seats: limits.sockets,
    waiting: limits.waitingSockets,
    readStanding: service.readStanding,
    clock,
    onEvicted: () => options.observe?.seatGivenBack(),
    onFailure: (err) => log.warn({ err }, 'failed to read maker funds; seats remain unchanged'),
  })

  const contractSessions = createContractSessions({
    clock,
    intervalMs: limits.contractCheckMs,
    random: options.random,
    readSignatures: service.readSignatures,
  })

  return {
    accept(request, tcpSocket, head) {
      const { address, wider } = networksOf(addressOf(request))
      const networks = wider === undefined ? [address] : [address, wider]
      const asked = new URLSearchParams(request.url?.split('?')[1])
      sockets.handleUpgrade(request, tcpSocket, head, (socket) =>
        authenticateBacker(socket, {
          ...options,
          tcpSocket,
          networks,
          traces: asked.get('traces') === '1',
          receipts: asked.get('receipts') === '1',
          pendingSockets,
          seats,
          contractSessions,
          messageQueue,
        }),
      )
    },
    count: () => ({ pending: pendingSockets.count(), seated: seats.count() }),
    disconnect(code, reason) {
      for (const socket of sockets.clients) socket.close(code, reason)
    },
    close() {
      const closed = new Promise<void>((resolve) => sockets.close(() => resolve()))
      for (const socket of sockets.clients) socket.close(1001, 'going_away')
      const cancel = clock.after(limits.closeGraceMs, () => {
        for (const socket of sockets.clients) socket.terminate()
      })
      return closed.then(cancel)
    },
  }
}

/** A request's client address, allowing for trusted proxies. */
function addressOf(request: IncomingMessage & { ip?: string }): string | undefined {
  return request.ip ?? request.socket.remoteAddress
}
