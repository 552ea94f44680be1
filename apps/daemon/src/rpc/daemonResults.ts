import { type QuoteAckMessage, type RFQBroadcast, serializeSignedQuote } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import type { DaemonPolicy, DaemonQuote, DaemonStatus, RaisedNonce } from '@firmquote/sdk/node'

// Results are encoded field by field, so that no other field of an object is exposed by accident.

/** Encodes the daemon's status. */
export function encodeStatus(status: DaemonStatus): DaemonStatus {
  const { version, address, paused, dryRun, service, openRfqs, hook, alerts, startedAt } = status
  const { url, connected, authenticated } = service
  return {
    version,
    address,
    paused,
    ...(dryRun === undefined ? {} : { dryRun }),
    service: { url, connected, authenticated },
    openRfqs,
    ...(hook === undefined ? {} : { hook: hook && { unanswered: hook.unanswered, lastError: hook.lastError } }),
    ...(alerts === undefined ? {} : { alerts: alerts.map(({ code, token, message }) => ({ code, token, message })) }),
    startedAt,
  }
}

/** Encodes a policy, with every bigint as a decimal string. */
export function encodePolicy(policy: DaemonPolicy): unknown {
  return JSON.parse(encodeJson(policy))
}

/** Encodes an open RFQ. */
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

/** Encodes one of the daemon's quotes. */
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

/** Encodes the service's verdict without its message id. */
export function encodeVerdict({ id: _, ...verdict }: QuoteAckMessage): unknown {
  return JSON.parse(encodeJson(verdict))
}

/** Encodes the result of raising the nonce. */
export function encodeRaisedNonce({ transactionHash, endedQuotes }: RaisedNonce): RaisedNonce {
  return { transactionHash, endedQuotes }
}
