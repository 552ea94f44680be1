import { ChainUnavailableError, type RFQRequest } from '@firmquote/core'
import { expect, test } from '@jest/globals'
import { type Hex, zeroAddress } from 'viem'
import { hashOf, maker, poolId, seriesKey } from '../../../test/storedQuotes.ts'
import { sizeRequest } from './resolveRequest.ts'

const series = { poolId, seriesKey, expiry: 1, cap: 1_000n }

/**
 * Sizes a request in a series with a cap of 1,000 and a minimum notional of 100. `readCapacity` stands in for the
 * chain.
 */
async function size(change: Partial<RFQRequest>, readCapacity: () => Promise<bigint | undefined>, of = series) {
  let reads = 0
  const deps = {
    limits: { dustDivisor: 10, dustLimits: new Map<string, bigint>() },
    store: { listPools: async () => [{ poolId, loanToken: maker, adapter: zeroAddress, market: hashOf(1) }] },
    chain: {
      async readCapacities(keys: readonly Hex[]) {
        reads += 1
        expect(keys).toEqual([seriesKey])
        const capacity = await readCapacity()
        return { capacities: new Map(capacity === undefined ? [] : [[seriesKey, capacity]]) }
      },
    },
  } as unknown as Parameters<typeof sizeRequest>[0]
  const outcome = await sizeRequest(deps, { poolId, seriesKey, notional: 500n, ...change } as RFQRequest, of)
  return { outcome, reads }
}
const room = (capacity: bigint) => async () => capacity

test('default: the minimum notional must fit into the remaining capacity of the series', async () => {
  expect(await size({ minNotional: 200n }, room(200n))).toEqual({ outcome: { ok: true, value: 200n }, reads: 1 })
  const rejection = { code: 'CAPACITY_EXCEEDED', notional: 200n, capacity: 199n }
  expect((await size({ minNotional: 200n }, room(199n))).outcome).toEqual({ ok: false, rejection })
})

test('behavior: a request below the minimum is refused without a chain read', async () => {
  const rejection = { code: 'NOTIONAL_TOO_SMALL', notional: 99n, limit: 100n }
  expect(await size({ notional: 99n }, room(1_000n))).toEqual({ outcome: { ok: false, rejection }, reads: 0 })
  expect((await size({ notional: 100n }, room(1_000n))).outcome).toEqual({ ok: true, value: 100n })
})

test('error: a series without a reported capacity has none', async () => {
  const outcome = { ok: false, rejection: { code: 'CAPACITY_EXCEEDED', notional: 100n, capacity: 0n } }
  expect((await size({}, async () => undefined)).outcome).toEqual(outcome)
})

test('error: no such pool', async () => {
  const unknown = { ...series, poolId: hashOf(9) }
  const outcome = { ok: false, rejection: { code: 'POOL_NOT_FOUND', poolId: hashOf(9) } }
  expect(await size({}, room(1n), unknown)).toEqual({ outcome, reads: 0 })
})

test('error: an unreadable chain is a refusal; a programming error is rethrown', async () => {
  const silent = async () => Promise.reject(new ChainUnavailableError('no answer'))
  expect((await size({}, silent)).outcome).toEqual({ ok: false, rejection: { code: 'CHAIN_UNAVAILABLE' } })
  await expect(size({}, async () => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug')
})
