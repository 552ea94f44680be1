import {
  hashQuote,
  type PublicRfqId,
  type QuoteDomain,
  type QuoteMarketQuote,
  type RFQBroadcast,
  type SerializedSignedQuote,
  serializeQuote,
} from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { zeroAddress } from 'viem'
import { judgeAnswer } from '../domain/judgeAnswer.ts'
import { judgeSeries } from '../domain/judgeSeries.ts'
import type { Policy } from '../domain/policy.ts'
import type { Decline, PricedQuote, Pricer, PricingAnswer, PricingInput } from '../domain/priceRfq.ts'
import type { Chain, MakerView } from '../ports/chain.ts'
import type { Clock } from '../ports/clock.ts'
import type { Service } from '../ports/service.ts'
import type { KeptQuote, Store } from '../ports/store.ts'
import type { PromiseBook } from './promiseBook.ts'

/** What a desk works with. */
export type QuoteDeskDeps = {
  maker: Address
  domain: QuoteDomain
  book: PromiseBook
  chain: Chain
  store: Store
  service: Pick<Service, 'sign'>
  clock: Clock
  pricer: Pricer
  randomSalt: () => Hex
  /** Nothing is priced while the newest block is older. Seconds. */
  maxBlockAgeSeconds: number
  log: { error(facts: object, message: string): void }
}

/** An RFQ to be priced; without an expiry the chain's own is taken. */
export type PriceRequest = Omit<RFQBroadcast, 'expiry'> & { expiry: number | null }

/** A price that is ready to be promised, with the view of the chain that it rests on; or why there is none. */
export type Priced = { kind: 'quote'; answer: PricedQuote; view: MakerView } | Decline

/** Where quotes are priced, promised and signed, whoever asks for them. */
export type QuoteDesk = ReturnType<typeof createQuoteDesk>

/** How long a pricer may think, in milliseconds. */
const pricerTimeoutMs = 5_000

/** Opens the desk. `policy` is asked anew for every price. */
export function createQuoteDesk(deps: QuoteDeskDeps, policy: () => Policy) {
  const { maker, domain, book, chain, store, service, clock } = deps
  const seconds = () => Math.floor(clock.now() / 1_000)

  return {
    /** Reads the chain and prices. @throws {ChainUnavailableError} when it could not be read. */
    async price(request: PriceRequest): Promise<Priced> {
      const view = await chain.readMaker(request, book.open())
      if (!view) return decline('POOL_NOT_FOUND', 'The chain has no such pool.')
      const { funds, series, floatingRatePerSec, decimals } = view
      await book.forgetEnded(funds.timestamp)
      const blockTime = Number(funds.timestamp)
      if (seconds() - blockTime > deps.maxBlockAgeSeconds) {
        return decline('CHAIN_STALE', `The newest block is ${seconds() - blockTime} seconds old.`)
      }
      const rfq: RFQBroadcast = { ...request, expiry: request.expiry ?? series.series?.expiry ?? 0 }
      const wrong = judgeSeries(rfq, series)
      if (wrong) return wrong
      const input: PricingInput = {
        rfq,
        floatingRatePerSec,
        decimals,
        policy: policy(),
        // A block may be ahead of the clock: whichever is later decides what is left of a term.
        now: Math.max(seconds(), blockTime),
        affordable: book.affordable(funds),
        nonce: funds.nonce,
      }
      const answer = await askPricer(deps, input)
      return answer.kind === 'quote' ? { kind: 'quote', answer, view } : answer
    },

    /** The whole quote that answers an RFQ. */
    write(rfq: RFQBroadcast, { notional, vrtAmount, nonce, deadline }: PricedQuote): QuoteMarketQuote {
      const { poolId, seriesKey, taker = zeroAddress } = rfq
      return { maker, taker, poolId, seriesKey, notional, vrtAmount, nonce, deadline, salt: deps.randomSalt() }
    },

    /**
     * Promises a quote: once this resolves with it, it counts and is on the disk. Null when it no longer fits.
     *
     * @throws {StorageUnavailableError} when it could not be written; then it does not count.
     */
    async promise(quote: QuoteMarketQuote, rfqId: PublicRfqId | null, { funds }: MakerView): Promise<KeptQuote | null> {
      const kept: KeptQuote = {
        hash: hashQuote(quote, domain),
        loanToken: funds.loanToken,
        quote,
        rfqId,
        signature: null,
        verdict: 'unknown',
        code: null,
        signedAt: clock.now(),
      }
      return (await book.reserve(kept, funds)) ? kept : null
    },

    /** Takes back what was promised but not signed. */
    release: (hash: Hex) => book.release(hash),

    /**
     * Signs what has been promised.
     *
     * @throws {SignerError} when it was not signed; then it is no promise any more.
     */
    async sign({ hash, quote, signature: earlier }: KeptQuote): Promise<SerializedSignedQuote> {
      if (earlier !== null) return { ...serializeQuote(quote), signature: earlier }
      let signature: Hex
      try {
        signature = await service.sign(quote)
      } catch (error) {
        await book.release(hash)
        throw error
      }
      await store.keepSignature(hash, signature)
      return { ...serializeQuote(quote), signature }
    },
  }
}

/** Asks the pricer, which may be a stranger's: whatever it does is an answer that may be acted upon, or a decline. */
async function askPricer({ pricer, clock, log }: QuoteDeskDeps, input: PricingInput): Promise<PricingAnswer> {
  let cancel = () => {}
  const late = new Promise<Decline>((resolve) => {
    cancel = clock.after(pricerTimeoutMs, () => resolve(failed(`it took longer than ${pricerTimeoutMs} ms`)))
  })
  try {
    // A copy: a pricer must not change the policy under the others' feet.
    const answering = Promise.resolve(pricer(structuredClone(input)))
    return judgeAnswer(await Promise.race([answering, late]), input)
  } catch (err) {
    log.error({ err }, 'the pricer failed')
    return failed('it threw an error, which the log has')
  } finally {
    cancel()
  }
}

function failed(what: string): Decline {
  return decline('PRICER_FAILED', `The pricer did not answer: ${what}.`)
}

function decline(code: string, reason: string): Decline {
  return { kind: 'decline', code, reason }
}
