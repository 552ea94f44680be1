import { describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { encodeControl, indexControls } from './controls.ts'
import { type Halt, haltRejection, publicHalt, publicHaltOf } from './halts.ts'

const idOf = (n: number): Hex => `0x${String(n).repeat(64)}`
const facts = { kind: 'halt', since: 5, message: 'The price feed is being replaced.', why: 'oracle' } as const
const rfqs: Halt = { ...facts, scope: 'rfqs', since: 3, why: null }
const pool: Halt = { ...facts, scope: 'pool', poolId: idOf(1) }
const series: Halt = { ...facts, scope: 'series', seriesKey: idOf(2), since: 4, message: null }
const indexed = (...halts: Halt[]) => indexControls({ version: 7, controls: halts.map(encodeControl) }).halts

describe('halts', () => {
  test('default: those that were encoded, oldest first, found by market', () => {
    const halts = indexed(pool, series, rfqs)
    expect(halts.all).toEqual([rfqs, series, pool])
    expect(halts.ofRfqs).toEqual(rfqs)
    expect(halts.ofMarket({ poolId: idOf(1) })).toEqual(pool)
    expect(halts.ofMarket({ poolId: idOf(1), seriesKey: idOf(2) })).toEqual(pool)
    expect(halts.ofMarket({ poolId: idOf(3), seriesKey: idOf(2) })).toEqual(series)
    // A pool's ID is not a series' key.
    for (const market of [{ poolId: idOf(2) }, { poolId: idOf(3), seriesKey: idOf(1) }])
      expect(halts.ofMarket(market)).toBeNull()
  })

  test('behavior: none', () => {
    const halts = indexed()
    expect([halts.all, halts.ofRfqs, halts.ofMarket({ poolId: idOf(1) })]).toEqual([[], null, null])
  })

  test("behavior: clients receive the message, never the operator's reason", () => {
    const { message } = facts
    expect(publicHalt(pool)).toEqual({ scope: 'pool', since: 5, message })
    expect([rfqs, pool, series].map(publicHaltOf)).toEqual([
      { scope: 'rfqs', since: 3, message },
      { scope: 'pool', poolId: idOf(1), since: 5, message },
      { scope: 'series', seriesKey: idOf(2), since: 4 },
    ])
    expect(haltRejection(series)).toEqual({ code: 'MARKET_HALTED', scope: 'series', since: 4, message: null })
  })

  test.each(['', 'pool', 'pool:0x12', `pool:${idOf(1)}0`, `maker:${idOf(1)}`])('error: a subject "%s"', (subject) => {
    const row = { ...encodeControl(pool), subject }
    expect(() => indexControls({ version: 1, controls: [row] })).toThrow('unexpected subject')
  })

  test('error: a halt of another shape', () => {
    const row = { ...encodeControl(pool), body: '{"since":1,"message":null}' }
    expect(() => indexControls({ version: 1, controls: [row] })).toThrow('The control halt pool:')
  })
})
