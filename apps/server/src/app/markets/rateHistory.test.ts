import { quoteApr, quoteEffectiveApy, secondsPerYear } from '@firmquote/core'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { expect, test } from '@jest/globals'
import { hashOf } from '../../../test/storedQuotes.ts'
import type { FillDay, OfferDay, Store } from '../../ports/store.ts'
import { createReadRateHistory } from './rateHistory.ts'

const daySeconds = 86_400
const day = 20_000 * daySeconds
const expiry = day + secondsPerYear
const poolId = hashOf(1)
const seriesKey = hashOf(2)

async function points(fills: FillDay[], offers: (OfferDay & { expiry: number })[]) {
  const store = {
    listPools: async () => [{ poolId }],
    listRatePoints: async () => [],
    listFillDays: async () => fills,
    listOfferDays: async () => offers,
  } as unknown as Store
  const read = createReadRateHistory({ store, clock: createFakeClock() })
  return (await read({ poolId, from: day, to: day + 9 * daySeconds }))?.fixed[0]?.points
}

const where = { seriesKey, expiry, day }
const priceOf = (vrtAmount: bigint, at = day + 60) => ({ notional: 1_000n, vrtAmount, at })

test('default: the effective APYs of the prices behind the rates, at the time of each', async () => {
  const [fill, offer] = [priceOf(60n), priceOf(50n, day + 40_000)]
  const fills = { apr: quoteApr(fill, expiry, fill.at), notional: 9_000n, count: 7 }
  const offered = { apr: quoteApr(offer, expiry, offer.at), notional: 1_000n }
  expect(await points([{ ...where, ...fills, price: fill }], [{ ...where, ...offered, price: offer }])).toEqual([
    {
      at: day,
      fills: { ...fills, effectiveApy: quoteEffectiveApy(fill, expiry, fill.at) },
      offer: { ...offered, effectiveApy: quoteEffectiveApy(offer, expiry, offer.at) },
    },
  ])
})

test('behavior: null if a price has none, and absent without a price', async () => {
  const [dear, half] = [priceOf(501n), priceOf(500n)]
  const rates = { apr: 50, notional: 1_000n }
  const found = await points(
    [
      { ...where, ...rates, count: 1, price: dear },
      { ...where, ...rates, count: 1, day: day + daySeconds },
    ],
    [{ ...where, ...rates, price: half }],
  )
  expect(found).toMatchObject([{ fills: { effectiveApy: null }, offer: { effectiveApy: expect.any(Number) } }, {}])
  expect(found?.[1]?.fills).not.toHaveProperty('effectiveApy')
})
