import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { aprToRatePerSec } from '@firmquote/core'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { examplePolicy } from '../../test/examplePolicy.ts'
import { exampleNow, exampleRfq } from '../../test/exampleRfq.ts'
import { loadPricer } from '../adapters/loadPricer.ts'
import { judgeAnswer } from '../domain/judgeAnswer.ts'
import type { SeriesExposure } from '../domain/marketView.ts'
import { wad } from '../domain/policy.ts'
import type { PricingAnswer, PricingInput } from '../domain/priceRfq.ts'

const folder = mkdtempSync(join(tmpdir(), 'firmquote-pricers-'))
const pathOf = (name: string) => fileURLToPath(new URL(`../../../../examples/pricers/${name}`, import.meta.url))
const variables = ['SPREAD_BPS', 'INVENTORY_LIMIT', 'REFERENCE_CURVE', 'MARGIN_BPS', 'PRICE_URL']
afterAll(() => {
  for (const name of variables) delete process.env[name]
  rmSync(folder, { recursive: true })
})

const floating = 400n
const bps = wad / 10_000n
/** A policy without spreads, so that the pricer alone determines the rate. */
const flat = {
  ...examplePolicy,
  pools: null,
  termSpread: [],
  sizeSpread: [],
  tick: 1n,
  floor: 0n,
  bounds: { min: 0n, max: wad },
}

function inputOf(changes: Partial<PricingInput> = {}): PricingInput {
  return {
    rfq: exampleRfq,
    floatingRatePerSec: aprToRatePerSec(4),
    decimals: 6,
    policy: flat,
    now: exampleNow,
    affordable: 10n ** 15n,
    nonce: 3n,
    curve: null,
    book: [],
    exposure: [],
    recentAuctions: [],
    ...changes,
  }
}

/** Returns a quote's rate in bps, rounded, or the code of a decline. */
function rateOf(answer: PricingAnswer, { rfq, now }: PricingInput): number | string {
  if (answer.kind === 'decline') return answer.code
  const apr = (answer.vrtAmount * wad * 31_536_000n) / (answer.notional * BigInt(rfq.expiry - now))
  return Math.round(Number(apr / (bps / 1_000n)) / 1_000)
}

async function price(name: string, changes: Partial<PricingInput> = {}) {
  const input = inputOf(changes)
  const pricer = await loadPricer(pathOf(name))
  // Pass a copy and validate the answer, as the daemon does.
  const answer = judgeAnswer(await pricer(structuredClone(input)), input)
  return { answer, rate: rateOf(answer, input) }
}

test('behavior: every example is tested here', () => {
  const modules = readdirSync(pathOf('.')).filter((name) => name.endsWith('.mjs'))
  expect(modules.sort()).toEqual(['curve.mjs', 'inventory.mjs', 'priceService.mjs', 'spread.mjs'])
})

describe('spread.mjs', () => {
  beforeAll(() => {
    process.env['SPREAD_BPS'] = '35'
  })

  test('default: the floating rate and the spread, whatever the term and the size', async () => {
    expect((await price('spread.mjs')).rate).toBe(Number(floating) + 35)
    const other = { ...exampleRfq, expiry: exampleNow + 4 * 86_400, notional: 10n * exampleRfq.notional }
    expect((await price('spread.mjs', { rfq: other })).rate).toBe(Number(floating) + 35)
    expect((await price('spread.mjs', { floatingRatePerSec: aprToRatePerSec(2) })).rate).toBe(200 + 35)
  })

  test("behavior: the policy's bounds and the borrower's limit hold", async () => {
    const policy = { ...flat, bounds: { min: 0n, max: 400n * bps } }
    expect((await price('spread.mjs', { policy })).rate).toBe('RATE_TOO_HIGH')
    const cheap = { ...exampleRfq, maxVrtAmount: 1n }
    expect((await price('spread.mjs', { rfq: cheap })).rate).toBe('VRT_AMOUNT_TOO_LARGE')
    const late = { ...exampleRfq, expiry: exampleNow }
    expect((await price('spread.mjs', { rfq: late })).rate).toBe('SERIES_EXPIRED')
  })
})

describe('inventory.mjs', () => {
  const { seriesKey } = exampleRfq
  const tokens = 10n ** 6n
  const held = (open: bigint, quoted: bigint): SeriesExposure[] => [
    { seriesKey, open: open * tokens, quoted: quoted * tokens },
  ]
  beforeAll(() => {
    process.env['INVENTORY_LIMIT'] = '10000'
  })

  test('default: the rate rises with the exposure in the series', async () => {
    // The RFQ requests 1,000 of the 10,000 tokens.
    expect((await price('inventory.mjs')).rate).toBe(Number(floating) + 10)
    expect((await price('inventory.mjs', { exposure: held(3_000n, 1_000n) })).rate).toBe(Number(floating) + 50)
    const elsewhere = [{ ...held(9_000n, 0n)[0], seriesKey: `0x${'44'.repeat(32)}` }] as SeriesExposure[]
    expect((await price('inventory.mjs', { exposure: elsewhere })).rate).toBe(Number(floating) + 10)
  })

  test('behavior: never above its limit', async () => {
    expect((await price('inventory.mjs', { exposure: held(10_000n, 0n) })).rate).toBe('INVENTORY_FULL')
    const rfq = { ...exampleRfq, minNotional: 400n * tokens }
    const { answer } = await price('inventory.mjs', {
      exposure: held(9_000n, 500n),
      rfq,
      policy: { ...flat, notional: { min: 0n, max: 10n ** 24n } },
    })
    expect(answer).toMatchObject({ kind: 'quote', notional: 500n * tokens })
  })

  test('behavior: does not quote with unknown exposure', async () => {
    expect((await price('inventory.mjs', { exposure: null })).rate).toBe('EXPOSURE_UNKNOWN')
  })
})

describe('curve.mjs', () => {
  const file = join(folder, 'curve.json')
  const points = [
    { days: 30, bps: 300 },
    { days: 90, bps: 360 },
  ]
  const write = (curve: unknown) => writeFileSync(file, JSON.stringify(curve))
  beforeAll(() => {
    process.env['REFERENCE_CURVE'] = file
    process.env['MARGIN_BPS'] = '7'
  })

  test.each([
    [10, 300],
    [30, 300],
    [60, 330],
    [90, 360],
    [200, 360],
  ])('default: at %i days the curve says %i bps', async (days, expected) => {
    write({ updatedAt: exampleNow, points })
    const rfq = { ...exampleRfq, expiry: exampleNow + days * 86_400 }
    expect((await price('curve.mjs', { rfq })).rate).toBe(expected + 7)
  })

  test.each([
    [999n, 0],
    [1_000n, 5],
    [4_999n, 5],
    [5_000n, -3],
  ])('default: a size of %i tokens adds %i bps', async (size, expected) => {
    const sizes = [
      { from: 1_000, bps: 5 },
      { from: 5_000, bps: -3 },
    ]
    write({ updatedAt: exampleNow, points, sizes })
    const rfq = { ...exampleRfq, notional: size * 10n ** 6n }
    expect((await price('curve.mjs', { rfq })).rate).toBe(330 + expected + 7)
  })

  test('behavior: does not quote from an old, future, malformed or missing curve', async () => {
    write({ updatedAt: exampleNow - 600, points })
    expect((await price('curve.mjs')).rate).toBe(337)
    write({ updatedAt: exampleNow - 601, points })
    expect((await price('curve.mjs')).rate).toBe('REFERENCE_STALE')
    write({ updatedAt: exampleNow + 601, points })
    expect((await price('curve.mjs')).rate).toBe('REFERENCE_STALE')
    for (const malformed of [
      { updatedAt: exampleNow, points: [] },
      { points },
      { updatedAt: exampleNow, points: [...points].reverse() },
      { updatedAt: exampleNow, points, sizes: [{ from: 5 }] },
    ]) {
      write(malformed)
      expect((await price('curve.mjs')).rate).toBe('REFERENCE_UNREADABLE')
    }
    rmSync(file)
    expect((await price('curve.mjs')).rate).toBe('REFERENCE_UNREADABLE')
  })
})

describe('priceService.mjs', () => {
  let service: Server
  const questions: string[] = []
  /** The service's response, or null if it does not respond. */
  let answer: { status?: number; body: unknown } | null
  beforeAll(async () => {
    service = createServer(({ url = '' }, response) => {
      questions.push(url)
      if (answer) response.writeHead(answer.status ?? 200).end(JSON.stringify(answer.body))
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    process.env['PRICE_URL'] = `http://127.0.0.1:${(service.address() as AddressInfo).port}/rate`
  })
  afterAll(async () => {
    service.closeAllConnections()
    service.close()
    await once(service, 'close')
  })

  let series = 0
  /** Creates an RFQ for a series that no other test uses. */
  const newRfq = () => {
    series += 1
    return { ...exampleRfq, seriesKey: `0x${String(series).padStart(64, '0')}` as const }
  }
  /** Requests for a series. Requests from other tests may arrive late, so they are filtered out. */
  const questionsOf = ({ seriesKey }: { seriesKey: string }) =>
    questions.filter((question) => question.includes(seriesKey))
  /** Runs `work` with the clock advanced, so that cached answers have expired. */
  async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
    const now = performance.now()
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now + ms)
    try {
      return await work()
    } finally {
      clock.mockRestore()
    }
  }

  test("default: quotes the service's rate for the series, with one request for concurrent RFQs", async () => {
    answer = { body: { asOf: exampleNow, bps: 612 } }
    const rfq = newRfq()
    const prices = await Promise.all([price('priceService.mjs', { rfq }), price('priceService.mjs', { rfq })])
    expect(prices.map(({ rate }) => rate)).toEqual([612, 612])
    expect(questionsOf(rfq)).toEqual([`/rate?pool=${rfq.poolId}&series=${rfq.seriesKey}&expiry=${rfq.expiry}`])
    answer = { body: { asOf: exampleNow, bps: 700 } }
    expect((await price('priceService.mjs', { rfq })).rate).toBe(612)
    expect((await later(2_000, () => price('priceService.mjs', { rfq }))).rate).toBe(700)
    expect(questionsOf(rfq)).toHaveLength(2)
  })

  test('behavior: uses the last rate for 30 seconds during an outage', async () => {
    answer = { body: { asOf: exampleNow, bps: 500 } }
    const rfq = newRfq()
    expect((await price('priceService.mjs', { rfq })).rate).toBe(500)
    answer = { status: 503, body: {} }
    expect((await later(2_000, () => price('priceService.mjs', { rfq, now: exampleNow + 30 }))).rate).toBe(500)
    expect((await later(4_000, () => price('priceService.mjs', { rfq, now: exampleNow + 31 }))).rate).toBe(
      'PRICE_STALE',
    )
    expect(questionsOf(rfq)).toHaveLength(3)
  })

  test.each([
    ['is old', { body: { asOf: exampleNow - 31, bps: 500 } }, 'PRICE_STALE'],
    ['is from the future', { body: { asOf: exampleNow + 31, bps: 500 } }, 'PRICE_STALE'],
    ['is an error', { status: 500, body: { asOf: exampleNow, bps: 500 } }, 'PRICE_UNKNOWN'],
    ['is malformed', { body: { asOf: exampleNow, bps: '500' } }, 'PRICE_UNKNOWN'],
    ['does not come within a second', null, 'PRICE_UNKNOWN'],
  ])('error: an answer that %s is not quoted from', async (_what, given, expected) => {
    answer = given
    expect((await price('priceService.mjs', { rfq: newRfq() })).rate).toBe(expected)
  })

  test('behavior: evicts the least recently used of more than 500 series', async () => {
    answer = { body: { asOf: exampleNow, bps: 500 } }
    const first = newRfq()
    await price('priceService.mjs', { rfq: first })
    await Promise.all(Array.from({ length: 500 }, () => price('priceService.mjs', { rfq: newRfq() })))
    await price('priceService.mjs', { rfq: first })
    expect(questionsOf(first)).toHaveLength(2)
  })
})
