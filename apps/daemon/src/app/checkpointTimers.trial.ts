import { systemClock } from '@firmquote/core/utils'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  createCheckpointer,
  createExpiringSeries,
  type ExpiringSeries,
  readCheckpointTime,
} from '../../test/app/checkpointers.ts'
import { createWatch } from '../domain/checkpointTurn.ts'
import { createPeriodicTasks } from './periodicTasks.ts'

const expiryCount = Math.max(rounds, 3)
const secondsApart = 8
const blockSeconds = 2
const makers = [0, 1, 2] as const

let devnet: Devnet
let series: ExpiringSeries[]
let last: ExpiringSeries
beforeAll(
  async () => {
    devnet = await startDevnet()
    const { timestamp } = await devnet.publicClient.getBlock()
    // Opening the positions of one series takes less than a second.
    const first = Number(timestamp) + 30 + expiryCount
    const expiries = Array.from({ length: expiryCount + 1 }, (_, at) => first + at * secondsApart)
    series = await createExpiringSeries(devnet, expiries)
    last = series.pop() as ExpiringSeries
    await devnet.testClient.setAutomine(false)
    await devnet.testClient.setIntervalMining({ interval: blockSeconds })
  },
  60_000 + expiryCount * 2_000,
)
afterAll(() => devnet?.stop())

/** Starts a daemon's rounds. */
function start(index: 0 | 1 | 2) {
  const { book, timers, logged } = createCheckpointer(devnet, index, systemClock)
  const steps = [
    { what: 'reading the positions', work: book.refresh },
    { what: 'taking checkpoints', work: timers.refresh },
  ]
  const tasks = createPeriodicTasks({ clock: systemClock, everyMs: 15_000, steps, log: { info() {}, warn() {} } })
  tasks.start()
  return { logged, kill: () => Promise.all([tasks.stop(), timers.stop()]) }
}

const wait = (ms: number) => new Promise<void>((resolve) => systemClock.after(ms, resolve))
const chainTime = async () => Number((await devnet.publicClient.getBlock()).timestamp)

async function waitForCheckpoint({ seriesKey }: ExpiringSeries): Promise<number> {
  for (let polls = 0; polls < 300; polls++) {
    const readAt = await readCheckpointTime(devnet, seriesKey)
    if (readAt !== 0) return readAt
    await wait(100)
  }
  throw new TypeError('There is no checkpoint after 30 s.')
}

describe('checkpoint timers', () => {
  test(
    `default: ${expiryCount} expiries, one of three daemons is killed in the last 5 s of each`,
    async () => {
      const leads = fc.sample(fc.integer({ min: 0, max: 5_000 }), { seed, numRuns: expiryCount })
      const daemons = makers.map(start)
      const late: number[] = []
      const survivorTurns: number[] = []
      for (const [at, one] of series.entries()) {
        const victim = makers[at % 3] ?? 0
        await wait((one.expiry - (await chainTime())) * 1_000 - (leads[at] ?? 0))
        await daemons[victim]?.kill()
        const readAt = await waitForCheckpoint(one)
        daemons[victim] = start(victim)
        late.push(await countBlocks(one.expiry, readAt))
        const survivors = makers.filter((index) => index !== victim)
        const turns = survivors.map((index) => createWatch(devnet.backers[index].address, one.seriesKey, 0).turn)
        survivorTurns.push(Math.min(...turns))
      }
      await Promise.all(daemons.map(({ kill }) => kill()))
      const counts = [0, 1, 2].map((blocks) => late.filter((value) => value === blocks).length)
      process.stdout.write(`blocks after the first block at or after the expiry: ${late.join(' ')}\n`)
      process.stdout.write(`lowest turn of the two survivors:                    ${survivorTurns.join(' ')}\n`)
      process.stdout.write(`0, 1, 2 blocks: ${counts.join(', ')} of ${late.length}\n`)
      expect(Math.max(...late)).toBeLessThanOrEqual(2)

      await wait((last.expiry + 10 - (await chainTime())) * 1_000)
      expect(await readCheckpointTime(devnet, last.seriesKey)).toBe(0)
      const returned = systemClock.monotonic()
      const alone = start(0)
      await waitForCheckpoint(last)
      const seconds = (systemClock.monotonic() - returned) / 1_000
      await alone.kill()
      process.stdout.write(`alone after a restart: ${seconds.toFixed(1)} s\n`)
      expect(seconds).toBeLessThan(20)
    },
    120_000 + expiryCount * secondsApart * 2_000,
  )
})

/** Counts the blocks from the first block at or after the expiry to the block of the checkpoint. */
async function countBlocks(expiry: number, readAt: number): Promise<number> {
  let block = await devnet.publicClient.getBlock()
  let count = 0
  while (Number(block.timestamp) >= expiry) {
    if (Number(block.timestamp) < readAt) count += 1
    block = await devnet.publicClient.getBlock({ blockNumber: block.number - 1n })
  }
  return count
}
