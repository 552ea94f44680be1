import {
  hashQuote,
  type PublicRfqId,
  type QuoteDomain,
  type QuoteMarketQuote,
  type SignedQuote,
  toPublicRfqId,
} from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import { type Address, isAddressEqual } from 'viem'
import { maxLifetimeSeconds } from '../domain/judgeAnswer.ts'
import type { SignedQuoteRecord, Store } from '../ports/store.ts'
import { ControlError } from './daemonControl.ts'
import type { QuoteSigning } from './quoteSigning.ts'

/** Dependencies of {@link createApprovals}. */
export type ApprovalDeps = {
  maker: Address
  domain: QuoteDomain
  signing: QuoteSigning
  store: Store
  clock: Clock
}

/** Checks the operator's quotes against the same policy and funds as the daemon's own quotes. */
export type Approvals = {
  /**
   * Reserves funds for a quote requested by the operator. A quote that is already reserved is returned unchanged.
   *
   * @throws {ControlError} if the policy or the funds do not allow it.
   */
  approve(quote: QuoteMarketQuote): Promise<SignedQuoteRecord>
  /**
   * Reserves funds for a signed quote that answers an RFQ. Refuses the quote while another quote for the same RFQ has
   * no verdict, because that quote may have been accepted.
   */
  approveSigned(signed: SignedQuote, rfqId: PublicRfqId): Promise<SignedQuoteRecord>
}

/** Creates a daemon's {@link Approvals}. */
export function createApprovals({ maker, domain, signing, store, clock }: ApprovalDeps): Approvals {
  async function approve(quote: QuoteMarketQuote, rfqId: PublicRfqId | null): Promise<SignedQuoteRecord> {
    if (!isAddressEqual(quote.maker, maker)) {
      throw refused(`The quote's maker is ${quote.maker}; this daemon signs for ${maker}.`, 'MAKER_MISMATCH')
    }
    const known = await store.find(hashQuote(quote, domain))
    if (known) return known
    const now = clock.now()
    const { poolId, seriesKey, notional } = quote
    const request = { rfqId: noRfq, poolId, seriesKey, expiry: null, notional, openedAt: now, closesAt: now }
    const priced = await signing.price(request, 'maker')
    if (priced.kind === 'decline') throw declined(priced.code, priced.reason)
    const { answer, view } = priced
    if (quote.vrtAmount * answer.notional < answer.vrtAmount * notional) {
      throw refused(
        `The policy's price is ${answer.vrtAmount} for ${answer.notional}; this quote is cheaper.`,
        'PRICE_TOO_LOW',
      )
    }
    if (answer.notional < notional) throw refused(`The policy quotes at most ${answer.notional}.`, 'NOTIONAL_TOO_LARGE')
    if (quote.nonce !== view.funds.nonce) throw refused(`The maker's nonce is ${view.funds.nonce}.`, 'NONCE_MISMATCH')
    const seconds = BigInt(Math.floor(now / 1_000))
    if (quote.deadline <= seconds || quote.deadline > seconds + BigInt(maxLifetimeSeconds)) {
      throw refused('The deadline must be within the next 24 hours.', 'DEADLINE_OUT_OF_RANGE')
    }
    const record = await signing.reserve(quote, { rfqId, asker: 'maker' }, view)
    if (record) return record
    throw declined('NOT_AFFORDABLE', 'Another quote has reserved the funds.')
  }

  return {
    approve: (quote) => approve(quote, null),
    async approveSigned({ signature, ...quote }, rfqId) {
      const earlier = await store.findByRfq(rfqId)
      if (earlier?.verdict === 'unknown' && earlier.hash !== hashQuote(quote, domain)) {
        const facts = { hash: earlier.hash }
        throw new ControlError('VERDICT_UNKNOWN', 'Another quote for this RFQ has no verdict yet.', { facts })
      }
      const record = await approve(quote, earlier ? null : rfqId)
      if (record.signature === null) await store.saveSignature(record.hash, signature)
      return record
    },
  }
}

/** Returns the signed quote of a record. The record must have a signature. */
export function signedOf({ quote, signature }: SignedQuoteRecord): SignedQuote {
  return { ...quote, signature: signature ?? '0x' }
}

const noRfq = toPublicRfqId('0'.repeat(32))

function declined(code: string, reason: string): ControlError {
  const facts = { reason: code }
  if (code === 'NOT_AFFORDABLE') return new ControlError('OVERCOMMITTED', reason, { facts })
  if (code === 'CHAIN_STALE' || code === 'CHAIN_AHEAD') return new ControlError('CHAIN_UNAVAILABLE', reason, { facts })
  return refused(reason, code)
}

function refused(message: string, reason: string): ControlError {
  return new ControlError('POLICY_REFUSED', message, { facts: { reason } })
}
