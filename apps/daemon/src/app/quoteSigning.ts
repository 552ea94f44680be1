import {
  hashQuote,
  type PublicRfqId,
  type QuoteDomain,
  type QuoteMarketQuote,
  type RFQBroadcast,
  type SerializedSignedQuote,
  serializeQuote,
} from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import type { Address, Hex } from 'viem'
import { zeroAddress } from 'viem'
import { type Asker, isLive } from '../domain/exposure.ts'
import { judgeAnswer } from '../domain/judgeAnswer.ts'
import { judgeSeries } from '../domain/judgeSeries.ts'
import { judgeToken } from '../domain/judgeToken.ts'
import type { Policy } from '../domain/policy.ts'
import type { Decline, PricedQuote, Pricer, PricingAnswer, PricingInput } from '../domain/priceRfq.ts'
import type { Chain, MakerView } from '../ports/chain.ts'
import type { Service } from '../ports/service.ts'
import type { SignedQuoteRecord, Store } from '../ports/store.ts'
import type { ExposureLedger } from './exposureLedger.ts'
import type { MarketWatch } from './marketWatch.ts'

/** Dependencies of {@link createQuoteSigning}. */
export type QuoteSigningDeps = {
  maker: Address
  domain: QuoteDomain
  ledger: ExposureLedger
  market: Pick<MarketWatch, 'see' | 'tokenOf'>
  chain: Chain
  store: Store
  service: Pick<Service, 'sign'>
  clock: Clock
  pricer: Pricer
  randomSalt: () => Hex
  /** Maximum age of the newest block for pricing, in seconds. */
  maxBlockAgeSeconds: number
  /** Whether to price as if the maker had funds for a series' entire capacity. */
  dryRun: boolean
  log: { error(facts: object, message: string): void }
}

/** An RFQ to price. If the expiry is null, the series' on-chain expiry is used. */
export type PriceRequest = Omit<RFQBroadcast, 'expiry'> & { expiry: number | null }

/** A price for which funds can be reserved, with the chain view it is based on, or the reason for declining. */
export type Priced = { kind: 'quote'; answer: PricedQuote; view: MakerView } | Decline

/** Prices RFQs, reserves funds and signs quotes, both for the daemon's answers and for the operator. */
export type QuoteSigning = ReturnType<typeof createQuoteSigning>

/** Time limit for a pricer, in milliseconds. */
const pricerTimeoutMs = 5_000

/** Creates a {@link QuoteSigning}. `policy` returns the active policy and is called for every price. */
export function createQuoteSigning(deps: QuoteSigningDeps, policy: () => Policy) {
  const { maker, domain, ledger, market, chain, store, service, clock } = deps
  const seconds = () => Math.floor(clock.now() / 1_000)

  return {
    /**
     * Reads the chain and prices a request for an asker.
     *
     * @throws {ChainUnavailableError} if a chain read fails.
     */
    async price(request: PriceRequest, asker: Asker): Promise<Priced> {
      const view = await chain.readMaker(request, ledger.open())
      if (!view) return decline('POOL_NOT_FOUND', 'The pool does not exist on-chain.')
      const { funds, series, floatingRatePerSec, decimals } = view
      const blockTime = Number(funds.timestamp)
      const age = seconds() - blockTime
      if (age > deps.maxBlockAgeSeconds) return decline('CHAIN_STALE', `The newest block is ${age} seconds old.`)
      // A later time would lower the price and free the funds of quotes that can still be taken.
      if (-age > deps.maxBlockAgeSeconds) return decline('CHAIN_AHEAD', `The newest block is ${-age} seconds ahead.`)
      const declinedToken = judgeToken(market.tokenOf(request.poolId), view)
      if (declinedToken) return declinedToken
      await ledger.dropEnded(funds.timestamp)
      const rfq: RFQBroadcast = { ...request, expiry: request.expiry ?? series.series?.expiry ?? 0 }
      const declined = judgeSeries(rfq, series)
      if (declined) return declined
      const inForce = policy()
      const { loanToken } = funds
      const live = ledger.open().filter((one) => one.loanToken === loanToken && isLive(one, funds))
      const input: PricingInput = {
        rfq,
        floatingRatePerSec,
        decimals,
        policy: inForce,
        // A block's timestamp may be ahead of the clock. The later time determines the remaining term.
        now: Math.max(seconds(), blockTime),
        affordable: deps.dryRun
          ? series.capacity
          : least(
              ledger.affordable(funds, { asker, taker: rfq.taker ?? zeroAddress }, inForce.shares),
              series.capacity,
            ),
        nonce: funds.nonce,
        ...market.see({ poolId: rfq.poolId, loanToken }, live),
      }
      const answer = await callPricer(deps, input)
      return answer.kind === 'quote' ? { kind: 'quote', answer, view } : answer
    },

    /** Builds the quote that answers an RFQ. */
    buildQuote(rfq: RFQBroadcast, { notional, vrtAmount, nonce, deadline }: PricedQuote): QuoteMarketQuote {
      const { poolId, seriesKey, taker = zeroAddress } = rfq
      return { maker, taker, poolId, seriesKey, notional, vrtAmount, nonce, deadline, salt: deps.randomSalt() }
    },

    /**
     * Reserves funds for a quote. Resolves to the quote's record once it is on disk, or to null if the quote no longer
     * fits.
     *
     * @throws {StorageUnavailableError} if the write fails. The quote then does not count.
     */
    async reserve(
      quote: QuoteMarketQuote,
      { rfqId, asker }: { rfqId: PublicRfqId | null; asker: Asker },
      { funds }: MakerView,
    ): Promise<SignedQuoteRecord | null> {
      const record: SignedQuoteRecord = {
        hash: hashQuote(quote, domain),
        loanToken: funds.loanToken,
        quote,
        asker,
        rfqId,
        signature: null,
        verdict: 'unknown',
        code: null,
        signedAt: clock.now(),
      }
      return (await ledger.reserve(record, funds, policy().shares)) ? record : null
    },

    /** Removes a reserved quote that was not signed. */
    release: (hash: Hex) => ledger.release(hash),

    /**
     * Signs a reserved quote.
     *
     * @throws {SignerError} if signing fails. The quote then no longer counts.
     */
    async sign({ hash, quote, signature: earlier }: SignedQuoteRecord): Promise<SerializedSignedQuote> {
      if (earlier !== null) return { ...serializeQuote(quote), signature: earlier }
      let signature: Hex
      try {
        signature = await service.sign(quote)
      } catch (error) {
        await ledger.release(hash)
        throw error
      }
      await store.saveSignature(hash, signature)
      return { ...serializeQuote(quote), signature }
    },
  }
}

/**
 * Calls the pricer, which may be a custom module. The pricer's answer is validated, and every failure becomes a
 * decline.
 */
async function callPricer({ pricer, clock, log }: QuoteSigningDeps, input: PricingInput): Promise<PricingAnswer> {
  let cancel = () => {}
  const late = new Promise<Decline>((resolve) => {
    cancel = clock.after(pricerTimeoutMs, () => resolve(failed(`it took longer than ${pricerTimeoutMs} ms`)))
  })
  try {
    // Pass a copy, so that a pricer cannot change the policy for later calls.
    const answering = Promise.resolve(pricer(structuredClone(input)))
    return judgeAnswer(await Promise.race([answering, late]), input)
  } catch (err) {
    log.error({ err }, 'pricer failed')
    return failed('it threw an error; see the log')
  } finally {
    cancel()
  }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

function failed(what: string): Decline {
  return decline('PRICER_FAILED', `The pricer did not answer: ${what}.`)
}

function decline(code: string, reason: string): Decline {
  return { kind: 'decline', code, reason }
}
