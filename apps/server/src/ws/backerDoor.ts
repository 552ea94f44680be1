import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { closeCodes } from '@firmquote/core'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import type { BackerDoorOptions } from './backerDoorOptions.ts'
import { greetBacker } from './greetBacker.ts'
import { createInbox } from './inbox.ts'
import { createSeats } from './seats.ts'

/** The backers' side: takes upgrades to `/ws/rfq`, and says goodbye to everyone at the end. */
export type BackerDoor = {
  accept(request: IncomingMessage, connection: Socket, head: Buffer): void
  /** Closes every socket with 1001, cuts those that do not leave, and resolves when all have gone. */
  close(): Promise<void>
}

/** Builds the backers' side. */
export function createBackerDoor(options: BackerDoorOptions): BackerDoor {
  const { service, clock, log, limits } = options
  const settings: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
    // Whoever does not answer a close frame is cut off.
    closeTimeout: limits.closeGraceMs,
  }
  const sockets = new WebSocketServer(settings)
  const seats = createSeats(service.config.limits.socketsPerBacker)
  const inbox = createInbox()

  const seat = (socket: WebSocket, connection: Socket) => {
    if (sockets.clients.size > limits.sockets) {
      socket.on('error', (err) => log.debug({ err }, 'a socket failed'))
      socket.close(closeCodes.overload, 'overload')
      return
    }
    greetBacker(socket, { ...options, connection, seats, inbox })
  }

  return {
    accept(request, connection, head) {
      sockets.handleUpgrade(request, connection, head, (socket) => seat(socket, connection))
    },
    close() {
      const gone = new Promise<void>((resolve) => sockets.close(() => resolve()))
      for (const socket of sockets.clients) socket.close(1001, 'going_away')
      const cancel = clock.after(limits.closeGraceMs, () => {
        for (const socket of sockets.clients) socket.terminate()
      })
      return gone.then(cancel)
    },
  }
}
