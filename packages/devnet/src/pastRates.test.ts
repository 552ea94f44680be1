import { rateAdapterAbi } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import { devnetMarkets } from './devnetMarkets.ts'
import { pastTimes, pastUtilisation } from './pastRates.ts'
import { type Devnet, startDevnet } from './startDevnet.ts'

const [hour, day] = [3_600, 86_400]
const now = Date.UTC(2026, 10, 22, 12, 34) / 1_000

describe('pastTimes', () => {
  test('default: full hours up to the current one, a day apart and at last a quarter of one', () => {
    const times = pastTimes(now, 365)
    expect(times.every((time) => time % hour === 0)).toBe(true)
    expect([times[0], times.at(-1)]).toEqual([Math.floor(now / hour) * hour - 365 * day, Math.floor(now / hour) * hour])
    const apart = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect([apart.filter((gap) => gap === day).length, apart.filter((gap) => gap === 6 * hour).length]).toEqual([
      351, 56,
    ])
    expect(apart).toHaveLength(407)
  })

  test('behavior: a short past has no days', () => {
    expect(pastTimes(now, 1)).toHaveLength(5)
  })
})

test('behavior: what is lent out ends at that of the start, never near all or nothing of it', () => {
  for (const [position, market] of devnetMarkets.entries()) {
    const all = Array.from({ length: 4_000 }, (_, index) => pastUtilisation(market, position, index / 4))
    expect(all[0]).toBeCloseTo([0.75, 0.6][position] ?? 0, 9)
    expect(Math.max(...all)).toBeLessThanOrEqual(0.95)
    expect(Math.min(...all)).toBeGreaterThan(0.3)
    expect(new Set(all.map((share) => share.toFixed(3))).size).toBeGreaterThan(100)
  }
})

describe('a devnet with a past', () => {
  const start = async (historyDays: number, work: (devnet: Devnet) => Promise<void>) => {
    const devnet = await startDevnet({ historyDays })
    try {
      await work(devnet)
    } finally {
      await devnet.stop()
    }
  }
  const rateAt = ({ publicClient, contracts }: Devnet, market: `0x${string}`, blockNumber?: bigint) =>
    publicClient.readContract({
      ...{ address: contracts.morphoAdapter, abi: rateAdapterAbi, functionName: 'ratePerSec', args: [market] },
      ...(blockNumber !== undefined && { blockNumber }),
    } as const) as Promise<bigint>

  test('default: its rates have moved, and it begins where one without a past does', async () => {
    await start(30, async (devnet) => {
      const { publicClient, pools } = devnet
      const head = await publicClient.getBlock()
      const first = await publicClient.getBlock({ blockNumber: 0n })
      expect(Math.abs(Number(head.timestamp) - Date.now() / 1_000)).toBeLessThan(30)
      expect(Number(head.timestamp - first.timestamp)).toBeGreaterThanOrEqual(30 * day)
      const [{ market, series }] = pools
      expect((Number(await rateAt(devnet, market)) * 31_536_000) / 1e16).toBeCloseTo(6.25, 5)
      expect(series[0]?.expiry).toBeGreaterThan(Number(head.timestamp) + 6.9 * day)
      const rates = new Set<bigint>()
      for (let number = 60n; number < head.number - 60n; number += 10n) rates.add(await rateAt(devnet, market, number))
      expect(rates.size).toBeGreaterThan(8)
    })
  })

  test('behavior: what borrowers owe is what it is without a past', async () => {
    await start(2, async (devnet) => {
      const [{ market }] = devnet.pools
      const debt = await devnet.publicClient.readContract({
        ...{ address: devnet.contracts.morphoAdapter, abi: rateAdapterAbi, functionName: 'debtOf' },
        args: [market, devnet.borrowers[0].address],
      } as const)
      expect(debt).toBeGreaterThanOrEqual(3_000_000_000_000n)
      expect(debt).toBeLessThan(3_000_001_000_000n)
    })
  })

  test.each([-1, 1_001, 1.5])('error: a past of %s days', async (historyDays) => {
    await expect(startDevnet({ historyDays })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})
