import { goals } from '../goals.ts'
import type { Growth, Row } from '../row.ts'
import { figureOf } from '../stand/figureOf.ts'
import { insertSamples, openSampleStore, sampleNow, samplePair, sampleQuote, timeEach } from './storedSample.ts'

const sizes = [1_000, 10_000, 100_000, 1_000_000]
const groupSize = 64
const groups = 16
const readsPerRound = 500
const pagesPerRound = 50

/** What a quote costs while the store grows: its insert in groups, its look-up by hash, a page of the best 50. */
export const storedGrowth: Row = {
  id: 'stored-growth',
  about: 'what a quote costs with 1,000 to 1,000,000 stored',
  async run({ rounds, progress }) {
    const largest = Number(process.env['STORED_QUOTES'] ?? sizes.at(-1))
    const measured = sizes.filter((size) => size <= largest)
    const growth: Growth[] = ['insert, committed in groups of 64', 'look-up by hash', 'page of the best 50'].map(
      (name) => ({ name, over: 'stored quotes', points: [] }),
    )
    const { store, remove } = await openSampleStore()
    try {
      let stored = 0
      for (const size of measured) {
        await insertSamples(store, stored, size, (done) => progress(`${done} of ${largest} quotes are stored`))
        stored = Math.max(stored, size)
        const costs: [number[], number[], number[]] = [[], [], []]
        for (let round = 0; round < rounds; round += 1) {
          const fresh = Array.from({ length: groups * groupSize }, (_, n) => sampleQuote(stored + n))
          const perGroup = await timeEach(groups, (n) =>
            Promise.all(fresh.slice(n * groupSize, (n + 1) * groupSize).map((quote) => store.insertQuote(quote))),
          )
          stored += fresh.length
          costs[0].push(perGroup / groupSize)
          const hashes = Array.from({ length: readsPerRound }, (_, n) => sampleQuote((n * 7_919) % stored).hash)
          costs[1].push(await timeEach(readsPerRound, (n) => store.findQuote(hashes[n] ?? '0x')))
          costs[2].push(
            await timeEach(pagesPerRound, (n) => {
              return store.listQuotes({ ...samplePair(n), sort: 'rate' }, sampleNow)
            }),
          )
        }
        for (const [n, { points }] of growth.entries()) points.push({ size, cost: figureOf(costs[n] ?? []) })
      }
    } finally {
      await remove()
    }
    const findings = growth.map(({ name, points }) => {
      const [first, last] = [points[0]?.cost, points.at(-1)?.cost]
      if (!first || !last) throw new TypeError('Nothing was measured.')
      const times = (cost: number) => cost / first.median
      return {
        what: `${name}: cost at ${measured.at(-1)} stored quotes`,
        rival: `the same at ${measured[0]}`,
        unit: 'x' as const,
        figure: { median: times(last.median), low: times(last.low), high: times(last.high) },
        ...goals.storedGrowth,
        notes: points.map(({ size, cost }) => `${size}: ${cost.median.toFixed(1)} µs`),
      }
    })
    return { findings, growth }
  },
}
