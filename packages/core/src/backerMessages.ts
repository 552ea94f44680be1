import type { Address, Hex } from 'viem'
import type { SignedQuote } from './quote.ts'
import type { Code } from './rejection.ts'
import type { RFQ } from './rfq.ts'

/** What a backer may send on `/ws/rfq`. An `id` of at most 64 characters comes back in the answer. */
export type ClientMessage =
  | { type: 'auth'; address: Address; timestamp: number; signature: Hex }
  | { type: 'quote'; id?: string; rfqId: string; quote: SignedQuote }
  | { type: 'decline'; id?: string; rfqId: string; reason?: string }
  | { type: 'ping'; id?: string }

/** What the service sends on `/ws/rfq`. Instants are Unix milliseconds. */
export type ServerMessage =
  | AuthChallengeMessage
  | AuthenticatedMessage
  | { type: 'auth_failed'; code: string; message: string; serverTime: number }
  | ({ type: 'rfq' } & RFQ)
  | QuoteAckMessage
  | AuctionResultMessage
  | { type: 'pong'; id?: string; serverTime: number }
  | { type: 'error'; id?: string; code: Code; message: string }

/** The first message on every socket. */
export type AuthChallengeMessage = {
  type: 'auth_challenge'
  challenge: string
  chainId: number
  quoteMarket: Address
  serverTime: number
  expiresAt: number
}

/** The backer is in. `openRfqs` holds what it may still answer, so that a reconnect misses nothing. */
export type AuthenticatedMessage = {
  type: 'authenticated'
  address: Address
  sessionId: string
  expiresAt: number
  openRfqs: RFQ[]
}

/** The verdict on one submitted quote; `accepted` is sent only after the quote is on disk. */
export type QuoteAckMessage =
  | {
      type: 'quote_ack'
      id?: string
      rfqId: string
      status: 'accepted'
      hash: Hex
      receivedAt: number
      closesAt: number
    }
  | {
      type: 'quote_ack'
      id?: string
      rfqId: string
      status: 'rejected'
      code: Code
      message: string
      details?: Record<string, unknown>
    }

/** An auction has closed. Nothing here tells another maker's price or identity. */
export type AuctionResultMessage = {
  type: 'auction_result'
  rfqId: string
  closedAt: number
  quoteCount: number
  /** The backer's own quote and its place, 1 being the best. */
  own?: { hash: Hex; rank: number }
}

/** Why the service closes a socket. */
export const closeCodes = {
  slowConsumer: 1008,
  tooLarge: 1009,
  restart: 1012,
  overload: 1013,
  malformed: 4400,
  authFailed: 4401,
  notAllowed: 4403,
  authTimeout: 4408,
  tooMany: 4429,
} as const
