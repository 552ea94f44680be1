import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { closeCodes } from '@firmquote/core'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import { authenticateBacker } from './authenticateBacker.ts'
import type { BackerDoorOptions } from './backerDoorOptions.ts'
import { createConnectionLimits } from './connectionLimits.ts'
import { createMessageQueue } from './messageQueue.ts'

/** The WebSocket door: accepts upgrades to `/ws/rfq`. */
export type BackerDoor = {
  accept(request: IncomingMessage, tcpSocket: Socket, head: Buffer): void
  /** Closes every socket; new ones are taken as before. */
  disconnect(code: number, reason: string): void
  /** Closes every socket with 1001, terminates those that stay open, and resolves when all are closed. */
  close(): Promise<void>
}

/** Creates the WebSocket door. */
export function createBackerDoor(options: BackerDoorOptions): BackerDoor {
  const { service, clock, log, limits } = options
  const settings: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
    // A client that does not answer a close frame is disconnected.
    closeTimeout: limits.closeGraceMs,
  }
  const sockets = new WebSocketServer(settings)
  const connectionLimits = createConnectionLimits(service.config.limits.socketsPerBacker)
  const messageQueue = createMessageQueue()

  const serve = (socket: WebSocket, tcpSocket: Socket) => {
    if (sockets.clients.size > limits.sockets) {
      socket.on('error', (err) => log.debug({ err }, 'a socket failed'))
      socket.close(closeCodes.overload, 'overload')
      return
    }
    authenticateBacker(socket, { ...options, tcpSocket, connectionLimits, messageQueue })
  }

  return {
    accept(request, tcpSocket, head) {
      sockets.handleUpgrade(request, tcpSocket, head, (socket) => serve(socket, tcpSocket))
    },
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
