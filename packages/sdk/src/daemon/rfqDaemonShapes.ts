import type { PublicRfqId, RFQBroadcast, SignedQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { address, bytes32, publicRfqId, rfqBroadcastShape, signedQuoteShape } from '../generated/decoders.ts'
import { anything, array, boolean, nullable, number, object, oneOf, type Shape, string } from '../wire/shape.ts'

/** A daemon's state. Times are Unix milliseconds. */
export type DaemonStatus = {
  version: string
  /** The maker's address. */
  address: Address
  /** Whether the daemon has stopped answering RFQs. */
  paused: boolean
  /** Whether the daemon prices RFQs but signs no quotes. Older daemons omit it. */
  dryRun?: boolean
  /** The service that the daemon connects to. */
  service: { url: string; connected: boolean; authenticated: boolean }
  openRfqs: number
  /** The maker's fill hook, or null if there is none. Older daemons omit it. */
  hook?: DaemonHookStatus | null
  /** Resources that are running out. Older daemons omit it. */
  alerts?: DaemonAlert[]
  startedAt: number
}

/** The state of the maker's fill hook. */
export type DaemonHookStatus = {
  /** Number of fills that the hook has not yet acknowledged. */
  unanswered: number
  /** The hook's last error, or null if all fills are acknowledged. */
  lastError: string | null
}

/** Names a resource that is running low and how to replenish it. */
export type DaemonAlert = {
  /** `EXPOSURE_AT_LIMIT`, `ALLOWANCE_LOW`, `BALANCE_LOW`, `GAS_MONEY_LOW`, or a code added in a later version. */
  code: string
  /** The loan token's symbol, or null if no token is affected. */
  token: string | null
  message: string
}

/** A daemon's pricing and limits. The daemon defines the fields. A bigint is serialized as a decimal string. */
export type DaemonPolicy = Record<string, unknown>

/** A quote signed by the daemon. */
export type DaemonQuote = {
  hash: Hex
  /** The RFQ that the quote answers, or null. */
  rfqId: PublicRfqId | null
  quote: SignedQuote
  /** The service's verdict. `unknown` if the verdict was lost or has not arrived yet. */
  verdict: 'accepted' | 'rejected' | 'unknown'
  /** The rejection code. */
  code?: string
  /** Unix milliseconds. */
  signedAt: number
}

/** The result of raising the maker's nonce. */
export type RaisedNonce = {
  transactionHash: Hex
  /** Hashes of the daemon's quotes that were executable until the new nonce invalidated them. */
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
