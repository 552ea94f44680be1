import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { aprToRatePerSec } from '@firmquote/core'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { loadPricer } from '../adapters/loadPricer.ts'
import { judgeAnswer } from '../domain/judgeAnswer.ts'
import type { SeriesExposure } from '../domain/marketSight.ts'
import { wad } from '../domain/policy.ts'
import type { PricingAnswer, PricingInput } from '../domain/priceRfq.ts'
import { examplePolicy } from '../testing/examplePolicy.ts'
import { exampleNow, exampleRfq } from '../testing/exampleRfq.ts'

const folder = mkdtempSync(join(tmpdir(), 'firmquote-pricers-'))
const pathOf = (name: string) => fileURLToPath(new URL(`../../pricers/${name}`, import.meta.url))
const variables = ['INVENTORY_LIMIT', 'REFERENCE_CURVE', 'MARGIN_BPS']
afterAll(() => {
  for (const name of variables) delete process.env[name]
  rmSync(folder, { recursive: true })
})

const floating = 400n
const bps = wad / 10_000n
/** Without spreads of the policy: what is left is the pricer's. */
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

/** The rate of a quote in bps, rounded; the code of a decline. */
function rateOf(answer: PricingAnswer, { rfq, now }: PricingInput): number | string {
  if (answer.kind === 'decline') return answer.code
  const apr = (answer.vrtAmount * wad * 31_536_000n) / (answer.notional * BigInt(rfq.expiry - now))
  return Math.round(Number(apr / (bps / 1_000n)) / 1_000)
}

async function price(name: string, changes: Partial<PricingInput> = {}) {
  const input = inputOf(changes)
  const pricer = await loadPricer(pathOf(name))
  // As the daemon does: a copy goes in, what comes out is checked.
  const answer = judgeAnswer(await pricer(structuredClone(input)), input)
  return { answer, rate: rateOf(answer, input) }
}

test('behavior: every example is tested here', () => {
  expect(readdirSync(pathOf('.')).sort()).toEqual(['inventory.mjs', 'linear.mjs', 'referenceCurve.mjs'])
})

describe('linear.mjs', () => {
  test('default: rises with the term', async () => {
    expect((await price('linear.mjs')).rate).toBe(Number(floating) + 10 + 15)
    const short = { ...exampleRfq, expiry: exampleNow + 4 * 86_400 }
    expect((await price('linear.mjs', { rfq: short })).rate).toBe(Number(floating) + 10 + 1)
  })

  test("behavior: the policy's bounds and the borrower's limit hold", async () => {
    const policy = { ...flat, bounds: { min: 0n, max: 400n * bps } }
    expect((await price('linear.mjs', { policy })).rate).toBe('RATE_TOO_HIGH')
    const cheap = { ...exampleRfq, maxVrtAmount: 1n }
    expect((await price('linear.mjs', { rfq: cheap })).rate).toBe('VRT_AMOUNT_TOO_LARGE')
    const late = { ...exampleRfq, expiry: exampleNow }
    expect((await price('linear.mjs', { rfq: late })).rate).toBe('SERIES_EXPIRED')
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

  test('default: asks more the more it has in the series', async () => {
    // The RFQ is for 1,000 of 10,000.
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

  test('behavior: what is not known is not quoted', async () => {
    expect((await price('inventory.mjs', { exposure: null })).rate).toBe('EXPOSURE_UNKNOWN')
  })
})

describe('referenceCurve.mjs', () => {
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
    expect((await price('referenceCurve.mjs', { rfq })).rate).toBe(expected + 7)
  })

  test('behavior: a curve that is old, from tomorrow, malformed or missing is not quoted from', async () => {
    write({ updatedAt: exampleNow - 600, points })
    expect((await price('referenceCurve.mjs')).rate).toBe(337)
    write({ updatedAt: exampleNow - 601, points })
    expect((await price('referenceCurve.mjs')).rate).toBe('REFERENCE_STALE')
    write({ updatedAt: exampleNow + 601, points })
    expect((await price('referenceCurve.mjs')).rate).toBe('REFERENCE_STALE')
    for (const malformed of [
      { updatedAt: exampleNow, points: [] },
      { points },
      { updatedAt: exampleNow, points: [...points].reverse() },
    ]) {
      write(malformed)
      expect((await price('referenceCurve.mjs')).rate).toBe('REFERENCE_UNREADABLE')
    }
    rmSync(file)
    expect((await price('referenceCurve.mjs')).rate).toBe('REFERENCE_UNREADABLE')
  })
})
