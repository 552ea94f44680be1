import { formatRate } from '@firmquote/core'
import { type QuotePage, ServiceClient } from '@firmquote/sdk'
import { startStack } from '@firmquote/test-support/startStack'
import { seed } from '@firmquote/test-support/trial'
import { afterAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Hex, keccak256, toHex, zeroAddress } from 'viem'
import { runCli } from '../../../apps/cli/test/runCli.ts'
import { exp, ln, one } from '../../../packages/core/test/fixedPoint.ts'
import { stopAfter } from './stopAfter.ts'

// Published rates of random quotes, in the API and in the CLI, against an independent reference with sixty digits.

const year = 31_536_000n
const count = 60
const started = stopAfter(afterAll)

test(`default: the rates of ${count} random quotes equal a reference to the last digit shown, seed ${seed}`, async () => {
  const { devnet, url } = started(await startStack())
  const { chainId, contracts, pools, backers } = devnet
  const terms = pools.flatMap(({ poolId, series }) =>
    series.map(({ seriesKey, expiry }) => ({ poolId, seriesKey, expiry: BigInt(expiry) })),
  )
  const [cases] = fc.sample(
    fc.array(
      fc.record({
        term: fc.constantFrom(...terms),
        notional: fc.bigInt({ min: 1_000_000_000n, max: 300_000_000_000n }),
        // Of the notional, in millionths: from free to more than half, which has no effective APY.
        share: fc.oneof({ weight: 9, arbitrary: fc.bigInt(0n, 100_000n) }, fc.bigInt(450_000n, 550_000n)),
      }),
      { minLength: count, maxLength: count },
    ),
    { seed, numRuns: 1 },
  ) as [{ term: (typeof terms)[number]; notional: bigint; share: bigint }[]]
  const { timestamp } = await devnet.publicClient.getBlock()
  const expiries = new Map<Hex, bigint>()
  for (const [index, { term, notional, share }] of cases.entries()) {
    const maker = backers[index % 3] ?? backers[0]
    const client = new ServiceClient({
      ...{ orderbookUrl: url, chainId, quoteMarketAddress: contracts.quoteMarket },
      interestRatePoolAddress: contracts.interestRatePool,
    })
    client.setPrivateKey(maker.privateKey)
    const { poolId, seriesKey, expiry } = term
    const { hash } = await client.submitQuoteMarketQuote(
      await client.signQuoteMarketQuote({
        ...{ maker: maker.address, taker: zeroAddress, poolId, seriesKey, notional, nonce: 0n },
        vrtAmount: (notional * share) / 1_000_000n,
        deadline: timestamp + 3_600n,
        salt: keccak256(toHex(index)),
      }),
    )
    expiries.set(hash, expiry)
  }

  const before = BigInt(Math.floor(Date.now() / 1_000))
  const client = new ServiceClient({ orderbookUrl: url })
  const { quotes } = await client.getQuoteMarketQuotes({ limit: 100, sort: 'rate' })
  const { out } = await runCli(['quotes', '--url', url, '--limit', '100', '--sort', 'rate'])
  const json = JSON.parse((await runCli(['quotes', '--url', url, '--limit', '100', '--json'])).out) as QuotePage
  const after = BigInt(Math.ceil(Date.now() / 1_000))

  expect(quotes).toHaveLength(count)
  const ofJson = new Map(json.quotes.map((quote) => [quote.hash, quote]))
  let withoutApy = 0
  let last = 0
  for (const { hash, quote, apr, effectiveApy } of quotes) {
    const { notional, vrtAmount } = quote
    // The rates are as of one of the seconds in which the service answered.
    const references = Array.from({ length: Number(after - before) + 1 }, (_, passed) => {
      const left = (expiries.get(hash) ?? 0n) - before - BigInt(passed)
      return { apr: referenceApr(quote, left), apy: referenceApy(quote, left) }
    })
    const shown = references.map((reference) => `${percent(reference.apr)} ${percent(reference.apy)}`)
    expect(shown).toContain(`${percent(apr)} ${percent(effectiveApy)}`)
    const kept = ofJson.get(hash)
    expect(shown).toContain(`${percent(kept?.apr ?? null)} ${percent(kept?.effectiveApy)}`)
    const [, aprShown = '', apyShown = ''] = new RegExp(`^${hash} +(\\S+) +(\\S+)`, 'm').exec(out) ?? []
    const inTable = references.map((reference) => `${cell(reference.apr)} ${cell(reference.apy)}`)
    expect(inTable).toContain(`${aprShown} ${apyShown}`)
    // Across terms, the list is ordered by effective APY, and quotes without one come last.
    const rank = effectiveApy ?? Number.POSITIVE_INFINITY
    expect(rank).toBeGreaterThanOrEqual(last)
    last = rank
    if (2n * vrtAmount > notional) withoutApy += 1
  }
  expect(withoutApy).toBeGreaterThan(0)
}, 60_000)

type Price = { notional: bigint; vrtAmount: bigint }

function referenceApr({ notional, vrtAmount }: Price, left: bigint): number {
  return Number((vrtAmount * year * 100n * 10n ** 20n) / (notional * left)) / 1e20
}

function referenceApy({ notional, vrtAmount }: Price, left: bigint): number | null {
  if (2n * vrtAmount > notional) return null
  const growth = exp((ln((notional * one) / (notional - vrtAmount)) * year) / left)
  const apy = Number(((growth - one) * 100n * 10n ** 12n) / one) / 1e12
  return apy > 1_000_000 ? null : apy
}

/** The API's digits of an effective APY. */
const percent = (rate: number | null | undefined) => rate?.toFixed(6) ?? '-'
/** As the CLI shows a rate. */
const cell = (rate: number | null) => (rate === null ? '-' : formatRate(rate))
