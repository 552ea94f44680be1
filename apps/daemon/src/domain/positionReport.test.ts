import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { zeroAddress } from 'viem'
import { bytesOf } from '../../test/exampleFill.ts'
import { formatReport } from './formatReport.ts'
import { createReport, type MakerPosition, type PositionReadings } from './positionReport.ts'

const ray = 10n ** 27n
const usd = '0x1111111111111111111111111111111111111111' as const
const eth = '0x2222222222222222222222222222222222222222' as const
const now = 1_800_000_000n

function position(changes: Partial<MakerPosition> = {}): MakerPosition {
  return {
    positionId: 1n,
    borrower: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    poolId: bytesOf(1),
    seriesKey: bytesOf(2),
    loanToken: usd,
    openedAt: Number(now) - 9 * 86_400,
    expiry: Number(now) + 86_400,
    settled: false,
    notional: 1_000_000_000n,
    cost: 20_000_001n,
    indexAtOpen: ray,
    index: ray,
    ...changes,
  }
}

function readings(positions: readonly MakerPosition[]): PositionReadings {
  return {
    maker: zeroAddress,
    chainId: 8453,
    block: { number: 77n, timestamp: now },
    tokens: [
      { address: usd, symbol: 'tUSD', decimals: 6 },
      { address: eth, symbol: 'a\u001b[31mb', decimals: 18 },
    ],
    positions,
  }
}
const report = (...positions: MakerPosition[]) => createReport(readings(positions))

describe('createReport', () => {
  test.each([
    ['no growth', ray, 0n],
    ['an index that has fallen', ray - 1n, 0n],
    ['growth that is less than a unit', ray + ray / 10n ** 10n, 0n],
    ['a unit', ray + ray / 10n ** 9n, 1n],
    ['rounded down', ray + (ray * 19n) / 10n ** 10n, 1n],
    ['all but a unit', 2n * ray - 1n, 999_999_999n],
    ['all of the notional', 2n * ray, 1_000_000_000n],
    ['never more', 5n * ray, 1_000_000_000n],
  ])('default: the floating interest: %s', (_what, index, floating) => {
    const [one] = report(position({ index })).positions
    expect(one).toMatchObject({ floating, premium: 20_000_001n, pnl: 20_000_001n - floating })
  })

  test.each([
    [-1, 'settleable'],
    [0, 'settleable'],
    [1, 'open'],
  ])('default: %i s before the expiry: %s', (left, state) => {
    const expiry = Number(now) + left
    expect(report(position({ expiry })).positions[0]?.state).toBe(state)
    expect(report(position({ expiry, settled: true })).positions[0]?.state).toBe('settled')
  })

  test('behavior: exposure sums unsettled positions by series; totals are by token', () => {
    const later = { seriesKey: bytesOf(3), expiry: Number(now) + 9 * 86_400 }
    const { positions, exposure, totals } = report(
      position({ positionId: 10n, ...later, index: 2n * ray }),
      position({ positionId: 9n, settled: true, index: ray + ray / 100n }),
      position({ positionId: 8n }),
      position({ positionId: 11n, seriesKey: bytesOf(4), loanToken: eth, notional: 5n, cost: 1n }),
    )
    expect(positions.map(({ positionId }) => positionId)).toEqual([8n, 9n, 10n, 11n])
    expect(exposure.map(({ seriesKey, positions, notional, pnl }) => [seriesKey, positions, notional, pnl])).toEqual([
      [bytesOf(2), 1, 1_000_000_000n, 20_000_001n],
      [bytesOf(4), 1, 5n, 1n],
      [bytesOf(3), 1, 1_000_000_000n, 20_000_001n - 1_000_000_000n],
    ])
    expect(totals.map(({ loanToken }) => loanToken)).toEqual([usd, eth])
    expect(totals[0]?.settled).toEqual({
      positions: 1,
      notional: 1_000_000_000n,
      premium: 20_000_001n,
      floating: 10_000_000n,
      pnl: 10_000_001n,
    })
  })

  test('behavior: for random positions, every sum is exact', () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 127n })
    const index = fc.bigInt({ min: 1n, max: 2n ** 120n })
    const arbitrary = fc.record({
      positionId: amount,
      seriesKey: fc.integer({ min: 1, max: 3 }).map(bytesOf),
      loanToken: fc.constantFrom(usd, eth),
      settled: fc.boolean(),
      notional: fc.bigInt({ min: 1n, max: 2n ** 127n }),
      cost: amount,
      indexAtOpen: index,
      index,
    })
    const reached = { settled: 0, unsettled: 0, sharedSeries: 0, twoTokens: 0 }
    fc.assert(
      fc.property(fc.array(arbitrary, { maxLength: 20, size: 'max' }), (some) => {
        const { positions, exposure, totals } = report(...some.map((changes) => position(changes)))
        reached.settled += positions.filter(({ state }) => state === 'settled').length
        reached.unsettled += positions.filter(({ state }) => state !== 'settled').length
        reached.sharedSeries += Number(exposure.some((row) => row.positions > 1))
        reached.twoTokens += Number(totals.length === 2)
        for (const figure of ['notional', 'premium', 'floating', 'pnl'] as const) {
          const sum = (rows: readonly { [key in typeof figure]: bigint }[]) =>
            rows.reduce((total, row) => total + row[figure], 0n)
          expect(sum(totals.map(({ all }) => all))).toBe(sum(positions))
          expect(sum(totals.flatMap(({ unsettled, settled }) => [unsettled, settled]))).toBe(sum(positions))
          expect(sum(exposure)).toBe(sum(positions.filter(({ state }) => state !== 'settled')))
        }
        for (const { floating, notional, premium, pnl } of positions) {
          expect(floating <= notional && floating >= 0n && pnl + floating === premium).toBe(true)
        }
      }),
    )
    expect(reached.settled).toBeGreaterThan(200)
    expect(reached.unsettled).toBeGreaterThan(200)
    expect(reached.sharedSeries).toBeGreaterThan(30)
    expect(reached.twoTokens).toBeGreaterThan(30)
  })
})

describe('formatReport', () => {
  const both = report(
    position({ index: ray + ray / 10n }),
    position({ positionId: 2n, seriesKey: bytesOf(4), loanToken: eth }),
  )

  test('default: JSON in raw units, amounts as decimal strings', () => {
    const text = formatReport(both, 'json')
    const json = JSON.parse(text) as { positions: object[]; exposure: object[]; totals: object[] }
    expect(text.endsWith('}\n')).toBe(true)
    expect(json).toMatchObject({ chainId: 8453, block: { number: '77', timestamp: '1800000000' } })
    expect(json.positions[0]).toMatchObject({
      positionId: '1',
      state: 'open',
      notional: '1000000000',
      premium: '20000001',
      floating: '100000000',
      pnl: '-79999999',
      apr: 73.00000365,
      effectiveApy: 109.049077,
    })
    expect(json.totals[0]).toMatchObject({ loanToken: usd, all: { positions: 1, pnl: '-79999999' } })
  })

  test('default: CSV with a line for each position', () => {
    const [head, first, ...rest] = formatReport(both, 'csv').split('\n')
    expect(head).toBe(
      'positionId,state,borrower,poolId,seriesKey,loanToken,expiry,notional,premium,floating,pnl,apr,effectiveApy',
    )
    const place = `0x70997970C51812dc3A010C7d01b50e0d17dc79C8,${bytesOf(1)},${bytesOf(2)},${usd},1800086400`
    expect(first).toBe(`1,open,${place},1000000000,20000001,100000000,-79999999,73.00000365,109.049077`)
    expect(rest).toHaveLength(2)
    expect(rest[1]).toBe('')
    // One token has a hostile symbol. No cell is a formula, or contains a separator or a control character.
    for (const cell of [first, rest[0]].flatMap((line) => line?.split(',') ?? [])) {
      expect(cell).toMatch(/^(?:-?\d+(?:\.\d+)?|0x[\da-f]+|[a-z]+|)$/i)
    }
  })

  test('default: tables in whole tokens; a symbol cannot move the cursor', () => {
    const text = formatReport(both, 'table')
    expect(text).toMatch(
      /^POSITION +STATE +BORROWER +SERIES +EXPIRY +APR +EFF. APY +NOTIONAL +PREMIUM +FLOATING +P&L +TOKEN$/m,
    )
    expect(text).toMatch(/^1 +open .* 73\.00% +109\.05% +1,000 +20\.000001 +100 +-79\.999999 +tUSD$/m)
    expect(text).toMatch(/ a\ufffd\[31mb$/m)
    expect(text).not.toContain('\u001b')
    expect(text).toMatch(/^Exposure: .*\nSERIES +EXPIRY +POSITIONS/m)
    expect(text).toMatch(/^all +1 +1,000 +20\.000001 +100 +-79\.999999 +tUSD$/m)
  })

  test('behavior: no effective APY if the premium is more than half of the notional', () => {
    const dear = report(position({ cost: 500_000_001n }))
    expect(formatReport(dear, 'csv')).toMatch(/,$/m)
    expect(formatReport(dear, 'table')).toMatch(/^1 +open .*% +- +1,000 /m)
  })

  test('behavior: without positions', () => {
    expect(formatReport(report(), 'table').match(/^none$/gm)).toHaveLength(3)
    expect(formatReport(report(), 'csv').split('\n')).toHaveLength(2)
    expect(JSON.parse(formatReport(report(), 'json'))).toMatchObject({ positions: [], exposure: [], totals: [] })
  })
})
