import type { RFQBroadcast } from '@firmquote/core'
import { maxUint256 } from '@firmquote/core/utils'
import type { Decline, PolicyInput, PricedQuote, PricingAnswer } from './priceRfq.ts'

/** Maximum lifetime of a quote, in seconds. The service rejects quotes with a longer lifetime. */
export const maxLifetimeSeconds = 86_400

/**
 * Validates the answer from a pricer, whether custom or {@link priceRfq}. The quote must not exceed the requested or
 * the affordable notional.
 *
 * @returns the answer, reduced to its known fields, or a `PRICER_FAILED` decline that says what is wrong.
 */
export function judgeAnswer(answer: unknown, input: PolicyInput): PricingAnswer {
  if (!isRecord(answer)) return failed('it is not an object')
  const { kind, code, reason } = answer
  if (kind === 'decline') {
    if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{0,63}$/.test(code))
      return failed('its code is not in the form TOO_LATE')
    return { kind, code, reason: typeof reason === 'string' ? reason.slice(0, 1_000) : code }
  }
  if (kind !== 'quote') return failed("its kind is neither 'quote' nor 'decline'")
  const amounts = ['notional', 'vrtAmount', 'nonce', 'deadline'] as const
  for (const name of amounts) {
    const value = answer[name]
    if (typeof value !== 'bigint' || value < 0n || value > maxUint256) return failed(`its ${name} is not a uint256`)
  }
  const { notional, vrtAmount, nonce, deadline } = answer as PricedQuote
  return judgeQuote({ kind, notional, vrtAmount, nonce, deadline }, input)
}

function judgeQuote(quote: PricedQuote, { rfq, nonce, affordable, now }: PolicyInput): PricingAnswer {
  if (quote.notional === 0n) return failed('its notional is zero')
  if (quote.notional > rfq.notional) return failed('its notional exceeds the requested notional')
  if (rfq.minNotional !== undefined && quote.notional < rfq.minNotional) {
    return failed("its notional is below the RFQ's minNotional")
  }
  if (quote.notional > affordable) return failed('its notional exceeds the affordable notional')
  if (exceeds(quote, rfq)) return failed("its vrtAmount exceeds the RFQ's maxVrtAmount")
  if (quote.nonce !== nonce) return failed("its nonce is not the maker's")
  if (rfq.minDeadline !== undefined && quote.deadline < rfq.minDeadline) {
    return failed("its deadline is before the RFQ's minDeadline")
  }
  if (quote.deadline <= BigInt(now)) return failed('its deadline has passed')
  if (quote.deadline > BigInt(now + maxLifetimeSeconds)) return failed('its deadline is more than a day away')
  return quote
}

function exceeds({ vrtAmount }: PricedQuote, { maxVrtAmount }: RFQBroadcast): boolean {
  return maxVrtAmount !== undefined && vrtAmount > maxVrtAmount
}

function failed(what: string): Decline {
  return { kind: 'decline', code: 'PRICER_FAILED', reason: `The pricer's answer is invalid: ${what}.` }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
