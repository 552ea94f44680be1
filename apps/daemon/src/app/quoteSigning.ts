import type { PublicRfqId } from '@firmquote/core'
import {
  type Clock,
  hashQuote,
  type QuoteDomain,
  type QuoteMarketQuote,
  type RFQBroadcast,
  type SerializedSignedQuote,
  serializeQuote,
} from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { zeroAddress } from 'viem'
import { type Asker, isLive } from '../domain/exposure.ts'
import { judgeAnswer } from '../domain/judgeAnswer.ts'
import { judgeSeries } from '../domain/judgeSeries.ts'
import type { Policy } from '../domain/policy.ts'
import type { Decline, PricedQuote, Pricer, PricingAnswer, PricingInput } from '../domain/priceRfq.ts'
import type { Chain, MakerView } from '../ports/chain.ts'
import type { Service } from '../ports/service.ts'
import type { SignedQuoteRecord, Store } from '../ports/store.ts'
import type { ExposureLedger } from './exposureLedger.ts'
import type { MarketWatch } from './marketWatch.ts'

/** What {@link createQuoteSigning} needs. */
export type QuoteSigningDeps = {
  maker: Address
  domain: QuoteDomain
  ledger: ExposureLedger
  market: Pick<MarketWatch, 'see'>
  chain: Chain
  store: Store
  service: Pick<Service, 'sign'>
  clock: Clock
  pricer: Pricer
  randomSalt: () => Hex
  /** Nothing is priced while the newest block is older. Seconds. */
  maxBlockAgeSeconds: number
  /** Whether prices are made as if the maker had all that a series can take. */
  dryRun: boolean
  log: { error(facts: object, message: string): void }
}

/** An RFQ to be priced; without an expiry the chain's own is taken. */
export type PriceRequest = Omit<RFQBroadcast, 'expiry'> & { expiry: number | null }

/** A price that can be reserved, with the view of the chain that it was made from; or why there is none. */
export type Priced = { kind: 'quote'; answer: PricedQuote; view: MakerView } | Decline

/** Prices, reserves and signs quotes: the daemon's own answers and the operator's quotes alike. */
export type QuoteSigning = ReturnType<typeof createQuoteSigning>

/** How long a pricer may take, in milliseconds. */
const pricerTimeoutMs = 5_000

/** Creates it. `policy` is called for every price: it gives the policy in force. */
export function createQuoteSigning(deps: QuoteSigningDeps, policy: () => Policy) {
  const { maker, domain, ledger, market, chain, store, service, clock } = deps
  const seconds = () => Math.floor(clock.now() / 1_000)

  return {
    /** Reads the chain and prices for an asker. @throws {ChainUnavailableError} when it could not be read. */
    async price(request: PriceRequest, asker: Asker): Promise<Priced> {
      const view = await chain.readMaker(request, ledger.open())
      if (!view) return decline('POOL_NOT_FOUND', 'The chain has no such pool.')
      const { funds, series, floatingRatePerSec, decimals } = view
      await ledger.dropEnded(funds.timestamp)
      const blockTime = Number(funds.timestamp)
      if (seconds() - blockTime > deps.maxBlockAgeSeconds) {
        return decline('CHAIN_STALE', `The newest block is ${seconds() - blockTime} seconds old.`)
      }
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
        // A block may be ahead of the clock: the later one decides what is left of a term.
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

    /** The whole quote that answers an RFQ. */
    buildQuote(rfq: RFQBroadcast, { notional, vrtAmount, nonce, deadline }: PricedQuote): QuoteMarketQuote {
      const { poolId, seriesKey, taker = zeroAddress } = rfq
      return { maker, taker, poolId, seriesKey, notional, vrtAmount, nonce, deadline, salt: deps.randomSalt() }
    },

    /**
     * Reserves the funds of a quote: once this resolves with its record, it counts and is on the disk. Null when it no longer
     * fits.
     *
     * @throws {StorageUnavailableError} when it could not be written; then it does not count.
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

    /** Removes what was reserved but not signed. */
    release: (hash: Hex) => ledger.release(hash),

    /**
     * Signs what has been reserved.
     *
     * @throws {SignerError} when it was not signed; then it no longer counts.
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

/** Calls the pricer, which may be the maker's own module: its answer is checked, and every failure is a decline. */
async function callPricer({ pricer, clock, log }: QuoteSigningDeps, input: PricingInput): Promise<PricingAnswer> {
  let cancel = () => {}
  const late = new Promise<Decline>((resolve) => {
    cancel = clock.after(pricerTimeoutMs, () => resolve(failed(`it took longer than ${pricerTimeoutMs} ms`)))
  })
  try {
    // A copy: a pricer must not change the policy of later calls.
    const answering = Promise.resolve(pricer(structuredClone(input)))
    return judgeAnswer(await Promise.race([answering, late]), input)
  } catch (err) {
    log.error({ err }, 'the pricer failed')
    return failed('it threw an error, which the log has')
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
