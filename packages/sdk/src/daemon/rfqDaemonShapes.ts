import type { PublicRfqId, RFQBroadcast, SignedQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { address, bytes32, publicRfqId, rfqBroadcastShape, signedQuoteShape } from '../generated/decoders.ts'
import { anything, array, boolean, nullable, number, object, oneOf, type Shape, string } from '../wire/shape.ts'

/** The state of a daemon. Instants are Unix milliseconds. */
export type DaemonStatus = {
  version: string
  /** The maker that it signs for. */
  address: Address
  /** Whether it leaves RFQs unanswered. */
  paused: boolean
  /** Whether it prices RFQs but signs nothing. Left out by daemons before this version. */
  dryRun?: boolean
  /** The service that it is a backer of. */
  service: { url: string; connected: boolean; authenticated: boolean }
  openRfqs: number
  /** The maker's hook for fills, null where none is configured. Left out by daemons before this version. */
  hook?: DaemonHookStatus | null
  /** What runs out now. Left out by daemons before this version. */
  alerts?: DaemonAlert[]
  startedAt: number
}

/** How the maker's hook is doing. */
export type DaemonHookStatus = {
  /** The fills that it was not told of yet, or has not answered with success. */
  unanswered: number
  /** Why its last call has failed; null while nothing is unanswered. */
  lastError: string | null
}

/** Something that runs out, and what to do about it. */
export type DaemonAlert = {
  /** `EXPOSURE_AT_LIMIT`, `ALLOWANCE_LOW`, `BALANCE_LOW`, `GAS_MONEY_LOW`, or one of a later version. */
  code: string
  /** The symbol of the loan token; null where it concerns none. */
  token: string | null
  message: string
}

/** How a daemon prices and what it risks: the daemon's own fields; bigints travel as decimal strings. */
export type DaemonPolicy = Record<string, unknown>

/** A quote that a daemon has signed. */
export type DaemonQuote = {
  hash: Hex
  /** The RFQ that it answers, or null. */
  rfqId: PublicRfqId | null
  quote: SignedQuote
  /** What the service said of it; `unknown` when its answer was lost or is not there yet. */
  verdict: 'accepted' | 'rejected' | 'unknown'
  /** Why it was rejected. */
  code?: string
  /** Unix milliseconds. */
  signedAt: number
}

/** What a raised nonce has done. */
export type RaisedNonce = {
  transactionHash: Hex
  /** The hashes of the daemon's quotes that could still have been taken, and now cannot. */
  endedQuotes: Hex[]
}

export const statusShape: Shape<DaemonStatus> = object(
  {
    version: string,
    address,
    paused: boolean,
    service: object({ url: string, connected: boolean, authenticated: boolean }),
    openRfqs: number,
    startedAt: number,
  },
  {
    dryRun: boolean,
    hook: nullable(object({ unanswered: number, lastError: nullable(string) })),
    alerts: array(object({ code: string, token: nullable(string), message: string })),
  },
)

export const addressShape = object({ address })
export const policyShape: Shape<DaemonPolicy> = anything
export const pausedShape = object({ paused: boolean })
export const rfqsShape: Shape<{ rfqs: RFQBroadcast[] }> = object({ rfqs: array(rfqBroadcastShape) })
export const raisedNonceShape: Shape<RaisedNonce> = object({ transactionHash: bytes32, endedQuotes: array(bytes32) })

export const quotesShape: Shape<{ quotes: DaemonQuote[] }> = object({
  quotes: array(
    object(
      {
        hash: bytes32,
        rfqId: nullable(publicRfqId),
        quote: signedQuoteShape,
        verdict: oneOf('accepted', 'rejected', 'unknown'),
        signedAt: number,
      },
      { code: string },
    ),
  ),
})
