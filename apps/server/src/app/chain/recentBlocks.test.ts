import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { expect, test } from '@jest/globals'
import type { BlockHeader, Chain } from '../../ports/chain.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { createFirstRecentBlock, recentMs } from './recentBlocks.ts'

const now = 1_800_000_000
const recent = now - recentMs / 1_000

/** Creates a chain whose blocks have these timestamps. Counts the blocks read. */
function chainOf(times: readonly number[], deployBlock = 0) {
  let reads = 0
  const at = (number: number) => ({ number: BigInt(number), timestamp: BigInt(times[number] ?? 0) }) as BlockHeader
  const chain = {
    readHead: async () => at(times.length - 1),
    async readBlocks(numbers: readonly bigint[]) {
      reads += numbers.length
      return numbers.filter((number) => number < times.length).map((number) => at(Number(number)))
    },
  } as Chain
  const clock = createFakeClock()
  const first = createFirstRecentBlock({ chain, clock, sync: { deployBlock } } as unknown as ServiceDeps)
  return { first, clock, reads: () => reads }
}

const evenly = (count: number, seconds: number) =>
  Array.from({ length: count }, (_, index) => now - (count - 1 - index) * seconds)

test.each([2, 12, 3_600])('default: the block 30 days ago, where one comes every %i seconds', async (seconds) => {
  const times = evenly(Math.ceil((2 * recentMs) / 1_000 / seconds), seconds)
  const { first, reads } = chainOf(times)
  const time = times[Number(await first())] ?? 0
  expect(time).toBeGreaterThanOrEqual(recent)
  expect(time).toBeLessThan(recent + 3_600)
  expect(reads()).toBeLessThan(8)
})

test('behavior: blocks that come daily for a year and then every two seconds', async () => {
  const days = Array.from({ length: 365 }, (_, index) => now - 86_400 * (365 - index) - 2_000)
  const times = [...days, ...evenly(1_000, 2)]
  const { first } = chainOf(times)
  const found = Number(await first())
  expect(times[found - 1]).toBeLessThan(recent)
  expect(times[found]).toBeGreaterThanOrEqual(recent)
})

test('behavior: none before the deployment', async () => {
  const times = evenly(2_000_000, 2)
  const deployBlock = 1_990_000
  expect(await chainOf(times, deployBlock).first()).toBe(BigInt(deployBlock))
  expect(await chainOf(evenly(3, 2)).first()).toBe(0n)
  expect(await chainOf(evenly(3, 2), 9).first()).toBe(9n)
})

test('error: a node that returns wrong blocks is asked at most a few hundred times', async () => {
  const head = { number: 2n ** 40n, timestamp: BigInt(now) } as BlockHeader
  let reads = 0
  const chain = {
    readHead: async () => head,
    async readBlocks() {
      reads += 1
      return [head]
    },
  } as unknown as Chain
  const clock = createFakeClock()
  expect(await createFirstRecentBlock({ chain, clock, sync: { deployBlock: 0 } } as unknown as ServiceDeps)()).toBe(0n)
  expect(reads).toBeGreaterThan(1)
  expect(reads).toBeLessThan(200)
})

test('behavior: the search runs once an hour', async () => {
  const { first, clock, reads } = chainOf(evenly(5_000, 1_000))
  await first()
  const before = reads()
  await clock.advance(3_599_000)
  await first()
  expect(reads()).toBe(before)
  await clock.advance(2_000)
  await first()
  expect(reads()).toBeGreaterThan(before)
})
