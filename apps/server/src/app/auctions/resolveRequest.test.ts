import { ChainUnavailableError, type RFQRequest } from '@firmquote/core'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { type Hex, numberToHex, zeroAddress, zeroHash } from 'viem'
import type { Series } from '../../ports/chain.ts'
import type { SyncStatus } from '../chain/sync.ts'
import { resolveSeries } from './resolveRequest.ts'

const poolId: Hex = `0x${'22'.repeat(32)}`
const seriesOf = (expiry: number): Series => ({
  poolId,
  seriesKey: numberToHex(expiry, { size: 32 }),
  expiry,
  cap: 1n,
})
const [early, middle, late] = [1_000, 2_000, 3_000].map(seriesOf) as [Series, Series, Series]

let nowMs: number
let blockTime: bigint
let state: SyncStatus['state']
let failing: boolean
let stored: Series[]
let cycles: number
let cycle: () => Promise<void>
beforeEach(() => {
  nowMs = 500_000
  blockTime = 0n
  state = 'ok'
  failing = false
  stored = [early, middle, late]
  cycles = 0
  cycle = async () => {}
})

function resolve(wanted: { seriesKey: Hex } | { expiry: number }, pool: Hex = poolId) {
  const synced = { number: 1n, hash: zeroHash, timestamp: blockTime }
  const deps: Parameters<typeof resolveSeries>[0] = {
    store: {
      listPools: async () => [{ poolId, loanToken: zeroAddress, adapter: zeroAddress, market: zeroHash }],
      listSeries: async () => stored,
    },
    clock: { now: () => nowMs },
    sync: {
      status: () => ({ head: synced, synced, lagSeconds: 0, failing, disagrees: false, state }),
      cycle: () => {
        cycles += 1
        return cycle()
      },
    },
  }
  return resolveSeries(deps, { poolId: pool, notional: 1n, ...wanted } as RFQRequest)
}

const found = (series: Series) => ({ ok: true, value: series })
const expired = (series: Series) => ({
  ok: false,
  rejection: { code: 'SERIES_EXPIRED', seriesKey: series.seriesKey, expiry: series.expiry },
})

describe('by expiry', () => {
  test('default: the series with exactly this expiry, else the nearest later one', async () => {
    expect(await resolve({ expiry: 2_000 })).toEqual(found(middle))
    expect(await resolve({ expiry: 1_999 })).toEqual(found(middle))
    expect(await resolve({ expiry: 2_001 })).toEqual(found(late))
    expect(cycles).toBe(0)
  })

  test('behavior: a series is active until the second before its expiry, by the later of clock and block', async () => {
    nowMs = 999_999
    expect(await resolve({ expiry: 1_000 })).toEqual(found(early))
    nowMs = 1_000_000
    expect(await resolve({ expiry: 1_001 })).toEqual(found(middle))
    nowMs = 500_000
    blockTime = 999n
    expect(await resolve({ expiry: 1_000 })).toEqual(found(early))
    blockTime = 1_000n
    expect(await resolve({ expiry: 1_001 })).toEqual(found(middle))
  })

  test('error: a past expiry is not rounded to the next series and causes no sync', async () => {
    const none = (available: number[]) => ({
      ok: false,
      rejection: { code: 'SERIES_NOT_FOUND', poolId, seriesKey: null, available },
    })
    nowMs = 999_999
    expect(await resolve({ expiry: 999 })).toEqual(none([1_000, 2_000, 3_000]))
    nowMs = 1_000_000
    expect(await resolve({ expiry: 1_000 })).toEqual(none([2_000, 3_000]))
    expect(await resolve({ expiry: 1 })).toEqual(none([2_000, 3_000]))
    expect(cycles).toBe(0)
  })

  test('error: no series is late enough; the active ones are listed', async () => {
    nowMs = 1_000_000
    expect(await resolve({ expiry: 3_001 })).toEqual({
      ok: false,
      rejection: { code: 'SERIES_NOT_FOUND', poolId, seriesKey: null, available: [2_000, 3_000] },
    })
    expect(cycles).toBe(1)
  })
})

describe('by key', () => {
  test('default', async () => {
    expect(await resolve({ seriesKey: middle.seriesKey })).toEqual(found(middle))
  })

  test('error: expired from the second of its expiry on, without another sync', async () => {
    nowMs = 999_999
    expect(await resolve({ seriesKey: early.seriesKey })).toEqual(found(early))
    nowMs = 1_000_000
    expect(await resolve({ seriesKey: early.seriesKey })).toEqual(expired(early))
    nowMs = 500_000
    blockTime = 1_000n
    expect(await resolve({ seriesKey: early.seriesKey })).toEqual(expired(early))
    expect(cycles).toBe(0)
  })
})

describe('a series that is not in the store', () => {
  test('behavior: is searched again after one sync', async () => {
    stored = [early]
    cycle = async () => {
      stored = [early, middle]
    }
    expect(await resolve({ seriesKey: middle.seriesKey })).toEqual(found(middle))
    expect(cycles).toBe(1)
  })

  test('error: still unknown, and a pool that is', async () => {
    expect(await resolve({ seriesKey: zeroHash })).toMatchObject({ rejection: { code: 'SERIES_NOT_FOUND' } })
    expect(await resolve({ expiry: 2_000 }, zeroHash)).toEqual({
      ok: false,
      rejection: { code: 'POOL_NOT_FOUND', poolId: zeroHash },
    })
    expect(cycles).toBe(2)
  })

  test('error: the sync fails', async () => {
    cycle = () => Promise.reject(new ChainUnavailableError('no answer'))
    expect(await resolve({ seriesKey: zeroHash })).toEqual({ ok: false, rejection: { code: 'CHAIN_UNAVAILABLE' } })
    cycle = () => Promise.reject(new TypeError('a bug'))
    await expect(resolve({ seriesKey: zeroHash })).rejects.toThrow('a bug')
  })
})

test('error: requests are refused while the node fails', async () => {
  failing = true
  expect(await resolve({ expiry: 1_000 })).toEqual({ ok: false, rejection: { code: 'CHAIN_UNAVAILABLE' } })
})

test.each(['starting', 'stale'] as const)('error: requests are refused while the sync is %s', async (current) => {
  state = current
  expect(await resolve({ expiry: 1 })).toEqual({ ok: false, rejection: { code: 'CHAIN_UNAVAILABLE' } })
})
