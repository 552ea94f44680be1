import { createQuoteSigner } from '@firmquote/core/verifier'
import { backers, borrowers, devnetAddresses, quoteMarketAbi } from '@firmquote/devnet'
import { type PoolRates, type RfqId, ServiceClient, type SignedQuote, serializeQuote } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import type { Hex } from 'viem'
import { base } from 'viem/chains'
import { quoteOf } from '../quoteOf.ts'
import { describeInDemo } from './describeInBrowser.ts'
import { fixButton, getQuotes } from './pageActions.ts'
import { shownAbout, shownCost } from './shownCost.ts'

/** A displayed price, with its attributes, its text and the surrounding text. */
type Shown = {
  standing: string
  notional: string
  cost: string
  expiry: string
  offers: Hex[]
  isChip: boolean
  text: string
  around: string
}

const seed = Math.floor(Math.random() * 2 ** 32)
const sizes = { tried: 40, published: 14 }

describeInDemo('what any size costs', { AUCTION_DURATION_MS: '1500' }, ({ open, demo }) => {
  test(`default: firm prices are the on-chain cost of a stored offer, and all others are marked as estimates, seed ${seed}`, async () => {
    const random = randomFrom(seed)
    const [pool] = await demo().client.getPoolRates()
    if (!pool) throw new TypeError('the demo has no market')
    const own = Array.from({ length: sizes.published }, () => random(2_000_000_000n, 300_000_000_000n))
    await publish(pool, own)
    const book = await storedQuotes()
    const inPool = [...book.values()].filter(({ poolId }) => poolId === pool.poolId)
    const offeredSeries = new Set(inPool.map(({ seriesKey }) => seriesKey))
    const previewed = new Map<Hex, Promise<bigint>>()

    /** An offer's current cost to an account according to the contract, in raw units. */
    const previewedCost = (hash: Hex, { signature, ...quote }: SignedQuote) => {
      const asked =
        previewed.get(hash) ??
        demo()
          .chain.readContract({
            address: devnetAddresses.quoteMarket,
            abi: quoteMarketAbi,
            functionName: 'previewTakeQuote',
            args: [quote, signature, borrowers[0].address],
          })
          .then(([, , cost]) => cost)
      previewed.set(hash, asked)
      return asked
    }
    const seen = { firm: 0, estimate: 0, seen: 0 }
    const check = async (page: Page, known: ReadonlyMap<Hex, SignedQuote>): Promise<Shown[]> => {
      const shown = await pricesOf(page)
      expect(shown.length).toBeGreaterThan(0)
      for (const { standing, notional, cost, offers, text, around } of shown) {
        if (standing === 'firm') {
          const behind = offers.map((hash) => ({ hash, quote: known.get(hash) }))
          expect(behind.length).toBeGreaterThan(0)
          let [covered, paid] = [0n, 0n]
          for (const { hash, quote } of behind) {
            if (!quote) throw new TypeError(`${hash}, the offer for the price in "${text}", is not stored`)
            covered += quote.notional
            paid += await previewedCost(hash, quote)
          }
          expect({ text, covered, paid }).toEqual({ text, covered: BigInt(notional), paid: BigInt(cost) })
          expect(text).not.toMatch(/about|estimate/i)
        } else {
          expect({ standing, around }).toEqual({
            standing: expect.stringMatching(/^(?:estimate|seen)$/),
            around: expect.stringMatching(standing === 'seen' ? /\d (?:second|minute)s? ago|now/ : /about|estimate/i),
          })
        }
        seen[standing as keyof typeof seen] += 1
      }
      return shown
    }

    const paths = ['/', '/#/curve']
    const views = await Promise.all(paths.map((path) => open(path)))
    const met = { firm: 0, estimate: 0 }
    for (let index = 0; index < sizes.tried; index++) {
      const size = own[index] ?? (index % 2 === 0 ? 250_000_000_000n : random(1_000_000_000n, 9_999_999_999_999n))
      const read = await Promise.all(
        views.map(async (page) => {
          await page.getByRole('textbox', { name: /^Amount to fix/ }).fill(typed(size))
          await page.locator(`fieldset [data-notional="${size}"]`).first().waitFor()
          // The price of all of the size or, on home, of the part that is firm.
          await page.locator('p [data-cost], dl[data-notional], div[data-notional]').first().waitFor()
          return check(page, book)
        }),
      )
      const [home, curve] = read.map((shown) =>
        shown
          .filter(({ isChip }) => isChip)
          .map(({ standing, notional, cost, expiry, offers }) => ({ standing, notional, cost, expiry, offers })),
      )
      expect(home?.length).toBe(offeredSeries.size)
      expect(curve).toEqual(home)
      // The displayed text must match the element's attributes.
      for (const shown of read) {
        const main = shown.filter(({ isChip, text }) => !isChip && /once/.test(text))
        expect(main.length).toBeGreaterThan(0)
        for (const { standing, cost, text } of main) {
          const written = (standing === 'firm' ? shownCost : shownAbout)(BigInt(cost))
          expect({ text, shown: text.includes(`${written} tUSD`) }).toEqual({ text, shown: true })
        }
      }
      met[home?.some(({ standing }) => standing === 'firm') ? 'firm' : 'estimate'] += 1
    }
    expect(met.firm).toBeGreaterThanOrEqual(sizes.published)
    expect(met.estimate).toBeGreaterThanOrEqual(5)

    // Offers from an auction are also firm. Observations are displayed as observations.
    const [page, curve] = views
    if (!page || !curve) throw new TypeError('a view is missing')
    await page.goto(`${demo().url}/#/?notional=1234567890000`)
    await getQuotes(page)
    await page.getByText('Auction closed', { exact: true }).waitFor()
    await fixButton(page).waitFor()
    const [, rfqId = ''] = /#\/auction\/(\w+)/.exec(page.url()) ?? []
    const { quotes } = await demo().client.getRfq(rfqId as RfqId)
    const offered = new Map(quotes.map(({ hash, quote }) => [hash, quote]))
    const auction = await check(page, offered)
    expect(auction.some(({ standing, notional }) => standing === 'firm' && notional === '1234567890000')).toBe(true)
    await fixButton(page).click()
    await page.getByText('Cost today').first().waitFor()
    const receipt = await check(page, offered)
    expect(receipt.every(({ standing }) => standing === 'firm')).toBe(true)
    await curve.goto(`${demo().url}/#/markets?size=234567890123`)
    await curve.locator('table [data-standing=estimate]').first().waitFor()
    const inTables = await check(curve, book)
    expect(inTables.some(({ notional }) => notional === '234567890123')).toBe(true)
    expect(seen.firm).toBeGreaterThan(100)
    expect(seen.estimate).toBeGreaterThan(100)
  })

  /** Publishes an offer from one maker for each amount, with a term of about three months. */
  async function publish({ poolId, series }: PoolRates, notionals: readonly bigint[]): Promise<void> {
    const [maker] = backers
    const usual = series[2]
    if (!usual) throw new TypeError('the demo has no such term')
    const { quoteMarket, interestRatePool } = devnetAddresses
    const signer = await createQuoteSigner(maker.privateKey, { chainId: base.id, quoteMarket })
    const publisher = new ServiceClient({
      orderbookUrl: demo().url,
      chainId: base.id,
      quoteMarketAddress: quoteMarket,
      interestRatePoolAddress: interestRatePool,
    })
    await Promise.all(
      notionals.map((notional) => {
        const terms = { poolId, seriesKey: usual.seriesKey, notional, vrtAmount: notional / 60n }
        const quote = quoteOf(maker.address, terms)
        return publisher.submitQuoteMarketQuote({ ...serializeQuote(quote), signature: signer.signQuote(quote) })
      }),
    )
  }

  /** Reads all published offers in all markets, by hash. */
  async function storedQuotes(): Promise<Map<Hex, SignedQuote>> {
    const { quotes, nextCursor } = await demo().client.getQuoteMarketQuotes({ limit: 100 })
    expect(nextCursor).toBeNull()
    return new Map(
      quotes.map(({ hash, quote: { signature, ...quote } }) => {
        if (signature === undefined) throw new TypeError(`${hash} has no signature`)
        return [hash, { ...quote, signature }]
      }),
    )
  }
})

/** Reads all displayed elements with a price. */
function pricesOf(page: Page): Promise<Shown[]> {
  return page.locator('[data-standing]').evaluateAll((elements) =>
    (elements as HTMLElement[]).map((element) => {
      const { standing = '', notional = '', cost = '', expiry = '', offer = '' } = element.dataset
      return {
        ...{ standing, notional, cost, expiry },
        offers: offer.split(' ').filter((hash): hash is `0x${string}` => hash !== ''),
        isChip: element.closest('fieldset') !== null,
        text: element.textContent ?? '',
        around: element.parentElement?.textContent ?? '',
      }
    }),
  )
}

/** Creates a generator of random integers between two inclusive bounds, reproducible from the seed. */
function randomFrom(seed: number): (least: bigint, most: bigint) => bigint {
  let state = BigInt(seed)
  return (least, most) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    return least + ((state >> 11n) % (most - least + 1n))
  }
}

/** Formats an amount of a six-decimal token as a visitor would type it. */
function typed(raw: bigint): string {
  const fraction = (raw % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '')
  return (raw / 1_000_000n).toLocaleString('en-US') + (fraction === '' ? '' : `.${fraction}`)
}
