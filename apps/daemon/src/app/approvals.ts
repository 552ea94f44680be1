import type { PublicRfqId } from '@firmquote/core'
import {
  type Clock,
  hashQuote,
  type QuoteDomain,
  type QuoteMarketQuote,
  type SignedQuote,
  toPublicRfqId,
} from '@firmquote/core'
import { type Address, isAddressEqual } from 'viem'
import { maxLifetimeSeconds } from '../domain/judgeAnswer.ts'
import type { SignedQuoteRecord, Store } from '../ports/store.ts'
import { ControlError } from './daemonControl.ts'
import type { QuoteSigning } from './quoteSigning.ts'

/** What {@link createApprovals} needs. */
export type ApprovalDeps = {
  maker: Address
  domain: QuoteDomain
  signing: QuoteSigning
  store: Store
  clock: Clock
}

/** Approves the operator's own quotes under the limits of the daemon's: the same policy, the same funds. */
export type Approvals = {
  /**
   * Reserves a quote that the operator wants signed. One that has been reserved already is returned as it is.
   *
   * @throws {ControlError} when the policy or the funds do not allow it.
   */
  approve(quote: QuoteMarketQuote): Promise<SignedQuoteRecord>
  /**
   * The same for one that is signed already, here or elsewhere, as the answer to an RFQ. Refused while another quote for the
   * RFQ has no verdict: it may count.
   */
  approveSigned(signed: SignedQuote, rfqId: PublicRfqId): Promise<SignedQuoteRecord>
}

/** Creates them. */
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
      throw refused(`The policy asks ${answer.vrtAmount} for ${answer.notional}; this is cheaper.`, 'PRICE_TOO_LOW')
    }
    if (answer.notional < notional) throw refused(`The policy quotes ${answer.notional} at most.`, 'NOTIONAL_TOO_LARGE')
    if (quote.nonce !== view.funds.nonce) throw refused(`The maker's nonce is ${view.funds.nonce}.`, 'NONCE_MISMATCH')
    const seconds = BigInt(Math.floor(now / 1_000))
    if (quote.deadline <= seconds || quote.deadline > seconds + BigInt(maxLifetimeSeconds)) {
      throw refused('The deadline must be within the next 24 hours.', 'DEADLINE_OUT_OF_RANGE')
    }
    const record = await signing.reserve(quote, { rfqId, asker: 'maker' }, view)
    if (record) return record
    throw declined('NOT_AFFORDABLE', 'Another quote has taken the funds meanwhile.')
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

/** The signed quote of a record that has a signature. */
export function signedOf({ quote, signature }: SignedQuoteRecord): SignedQuote {
  return { ...quote, signature: signature ?? '0x' }
}

const noRfq = toPublicRfqId('0'.repeat(32))

function declined(code: string, reason: string): ControlError {
  const facts = { reason: code }
  if (code === 'NOT_AFFORDABLE') return new ControlError('OVERCOMMITTED', reason, { facts })
  if (code === 'CHAIN_STALE') return new ControlError('CHAIN_UNAVAILABLE', reason, { facts })
  return refused(reason, code)
}

function refused(message: string, reason: string): ControlError {
  return new ControlError('POLICY_REFUSED', message, { facts: { reason } })
}
