import { backerAuthTypedData, parseChallenge, type QuoteDomain, type ServerMessage } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'

/** What a backer receives; instants are milliseconds of `performance.now()`. */
export type BackerEvents = {
  /** An RFQ's public id and its notional, by which its borrower knows it again. */
  rfq?(rfqId: string, notional: string, at: number): void
  /** The answer to the quote that was sent with this id: ACCEPTED or the code of the refusal. */
  ack?(id: string, verdict: string, at: number): void
  /** The server, or the network, has ended the connection. */
  lost?(code: number, reason: string): void
}

/** An authenticated connection. */
export type Backer = {
  send(frame: string): void
  /** Server's clock minus ours, in milliseconds, with the network's delay in it. */
  clockOffset: number
  close(): Promise<void>
}

/** Connects and answers the challenge. @throws {TypeError} when the server does not let the backer in. */
export async function connectBacker(
  wsUrl: string,
  { address, privateKey }: DevnetAccount,
  domain: QuoteDomain,
  events: BackerEvents = {},
): Promise<Backer> {
  const socket = new WebSocket(wsUrl, { perMessageDeflate: false, skipUTF8Validation: true })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let clockOffset = 0
  let state: 'joining' | 'in' | 'leaving' = 'joining'

  await new Promise<void>((resolve, reject) => {
    socket.once('error', (error) => reject(new TypeError(`A backer has no connection: ${error.message}`)))
    socket.once('close', (code, reason) => {
      if (state === 'in') events.lost?.(code, reason.toString())
      reject(new TypeError(`A backer was not let in: ${code} ${reason}`))
    })
    socket.on('message', (data: Buffer) => {
      const at = performance.now()
      const message = JSON.parse(data.toString('latin1')) as ServerMessage
      switch (message.type) {
        case 'auth_challenge': {
          clockOffset = message.serverTime - Date.now()
          const challenge = parseChallenge(message.challenge)
          if (challenge?.audience !== wsUrl)
            return reject(new TypeError(`The server calls itself ${challenge?.audience}.`))
          const timestamp = Math.floor(message.serverTime / 1_000)
          const typedData = backerAuthTypedData({ ...challenge, ...domain, backer: address, timestamp })
          privateKeyToAccount(privateKey)
            .signTypedData(typedData)
            .then((signature) => socket.send(JSON.stringify({ type: 'auth', address, timestamp, signature })), reject)
          return
        }
        case 'authenticated':
          state = 'in'
          return resolve()
        case 'rfq':
          return events.rfq?.(message.rfqId, String(message.notional), at)
        case 'quote_ack':
          return events.ack?.(message.id ?? '', message.status === 'accepted' ? 'ACCEPTED' : message.code, at)
        case 'error':
          return events.ack?.(message.id ?? '', message.code, at)
      }
    })
  })
  // Reported by the close that follows.
  socket.on('error', () => undefined)

  return {
    send: (frame) => socket.send(frame),
    clockOffset,
    close() {
      state = 'leaving'
      socket.close()
      return closed
    },
  }
}
