import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@firmquote/core/utils'
import { createCoverage } from '@firmquote/test-support/coverage'
import { expect } from '@jest/globals'
import { openForgetfulStore, type WriteFate, writeFates } from '../forgetfulStore.ts'
import { createRandomInteger } from '../randomQuotes.ts'
import { checkAuctionHistories, randomAuctionHistories } from './auctionHistories.ts'

const wanted = ['unknown at first', 'refused', 'accepted', 'closed now', 'order decided'] as const

/** Creates a clock without delays: timers fire in the next iteration. */
const clock = {
  ...systemClock,
  after: (_milliseconds: number, callback: () => void) => {
    const timer = setImmediate(callback)
    return () => clearImmediate(timer)
  },
}

/**
 * Runs random auction histories on the real SQLite store while repeatedly losing its writer. Throws on the first answer
 * that no order of the calls can explain, that is, a row that contradicts its acknowledgement.
 */
export async function playLosses(count: number, seed: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-losses-'))
  const least = Math.ceil(count / 200)
  const cases = Object.fromEntries([...writeFates, ...wanted].map((name) => [name, least]))
  const { met, rare } = createCoverage(cases as Record<WriteFate | (typeof wanted)[number], number>)
  const random = createRandomInteger(seed)
  const forgetful = await openForgetfulStore(join(folder, 'firmquote.db'), { clock, random, onFate: met })
  try {
    // Losses come in bursts, so one run may have too few. If so, run more histories.
    for (let part = 0; part === 0 || (rare().length > 0 && part < 4); part += 1) {
      const histories = randomAuctionHistories(count, seed + part)
      const reached = await checkAuctionHistories(forgetful.store, histories, { first: part * count, together: 10 })
      for (const name of wanted) met(name, reached[name] ?? 0)
    }
    expect(rare()).toEqual([])
  } catch (cause) {
    throw new TypeError(`The histories of seed ${seed} failed.`, { cause })
  } finally {
    await forgetful.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
