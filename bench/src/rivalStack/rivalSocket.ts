import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { QuoteDomain, SignedQuote } from '@firmquote/core'
import { backerAuthTypedData, formatChallenge, parseChallenge } from '@firmquote/core/protocol'
import { type Address, type Hex, verifyTypedData } from 'viem'
import { type WebSocket, WebSocketServer } from 'ws'

type Backer = { socket: WebSocket; address: Address | null }

/** Dependencies of the rival's auctions. `decode` decodes a quote; `keep` judges and stores it. */
export type RivalSocketOptions = {
  server: Server
  domain: QuoteDomain
  audience: string
  decode: (value: unknown) => SignedQuote
  keep: (quote: SignedQuote) => Promise<Hex>
}

/**
 * Creates the rival's WebSocket endpoint with `ws` and viem. It uses the product's messages. The returned function
 * broadcasts a new RFQ to every backer.
 */
export function createRivalSocket({ server, domain, audience, decode, keep }: RivalSocketOptions) {
  const sockets = new WebSocketServer({ server, path: '/ws/rfq', perMessageDeflate: false })
  const backers = new Set<Backer>()
  /** Backers that have answered each RFQ. Each backer may quote once. */
  const auctions = new Map<string, Set<Address>>()

  const answerQuote = async (backer: Address, rfqId: string, value: unknown) => {
    const answered = auctions.get(rfqId)
    const quote = decode(value)
    if (!answered || answered.has(backer) || quote.maker.toLowerCase() !== backer.toLowerCase()) {
      throw new TypeError('AUCTION_CLOSED')
    }
    answered.add(backer)
    return keep(quote)
  }

  sockets.on('connection', (socket) => {
    const backer: Backer = { socket, address: null }
    const challenge = formatChallenge({ audience, nonce: `0x${randomBytes(32).toString('hex')}` })
    const send = (message: object) => socket.send(JSON.stringify(message))
    socket.on('error', () => {})
    socket.on('close', () => backers.delete(backer))
    socket.on('message', async (data) => {
      const message = JSON.parse(String(data))
      try {
        if (message.type === 'auth') {
          const { address, timestamp, signature } = message
          const parsed = parseChallenge(challenge)
          if (!parsed) throw new TypeError('CHALLENGE')
          const typedData = backerAuthTypedData({ ...parsed, ...domain, backer: address, timestamp })
          if (!(await verifyTypedData({ ...typedData, address, signature }))) throw new TypeError('AUTH_FAILED')
          backer.address = address
          backers.add(backer)
          send({ type: 'authenticated', address })
        } else if (message.type === 'quote' && backer.address) {
          const hash = await answerQuote(backer.address, message.rfqId, message.quote)
          send({ type: 'quote_ack', id: message.id, rfqId: message.rfqId, status: 'accepted', hash })
        }
      } catch (error) {
        send({
          type: 'quote_ack',
          id: message.id,
          rfqId: message.rfqId,
          status: 'rejected',
          code: (error as Error).message,
        })
      }
    })
    send({ type: 'auth_challenge', challenge, ...domain, serverTime: Date.now() })
  })

  return (terms: object): string => {
    const rfqId = randomBytes(16).toString('hex')
    auctions.set(rfqId, new Set())
    const frame = JSON.stringify({ type: 'rfq', rfqId, ...terms })
    for (const { socket } of backers) socket.send(frame)
    return rfqId
  }
}
