import { type QuoteAckMessage, type RFQBroadcast, serializeSignedQuote } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import type { DaemonPolicy, DaemonQuote, DaemonStatus, RaisedNonce } from '@firmquote/sdk/node'

// Results are written field by field: what else an object of the daemon carries never leaves by accident.

/** Writes how the daemon is doing. */
export function encodeStatus(status: DaemonStatus): DaemonStatus {
  const { version, address, paused, service, openRfqs, startedAt } = status
  const { url, connected, authenticated } = service
  return { version, address, paused, service: { url, connected, authenticated }, openRfqs, startedAt }
}

/** Writes a policy: every bigint in it as a decimal string. */
export function encodePolicy(policy: DaemonPolicy): unknown {
  return JSON.parse(encodeJson(policy))
}

/** Writes an open RFQ. */
export function encodeRfq(rfq: RFQBroadcast) {
  const { rfqId, poolId, seriesKey, expiry, notional, maxVrtAmount, taker, openedAt, closesAt } = rfq
  return {
    rfqId,
    poolId,
    seriesKey,
    expiry,
    notional: notional.toString(),
    ...(maxVrtAmount === undefined ? {} : { maxVrtAmount: maxVrtAmount.toString() }),
    ...(taker === undefined ? {} : { taker }),
    openedAt,
    closesAt,
  }
}

/** Writes a quote of the daemon. */
export function encodeDaemonQuote(signed: DaemonQuote) {
  const { hash, rfqId, quote, verdict, code, signedAt } = signed
  return {
    hash,
    rfqId,
    quote: serializeSignedQuote(quote),
    verdict,
    ...(code === undefined ? {} : { code }),
    signedAt,
  }
}

/** Writes the service's verdict as the service has sent it, without the id that it had on that line. */
export function encodeVerdict({ id: _, ...verdict }: QuoteAckMessage): unknown {
  return JSON.parse(encodeJson(verdict))
}

/** Writes what a raised nonce has done. */
export function encodeRaisedNonce({ transactionHash, endedQuotes }: RaisedNonce): RaisedNonce {
  return { transactionHash, endedQuotes }
}
