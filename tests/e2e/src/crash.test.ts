import { serverCount } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type CrashBackers, connectCrashBackers } from './crashBackers.ts'
import { backerCount, crashRound, noCounts, playCrashRound } from './crashRound.ts'
import { type CrashStand, startCrashStand } from './crashStand.ts'

// A server is killed with -9 in the middle of auctions. `npm run trials` does so at random moments of many rounds.

let stand: CrashStand | undefined
let backers: CrashBackers | undefined
afterEach(async () => {
  backers?.stop()
  await stand?.stop()
  backers = undefined
}, 30_000)

test('behavior: killed while it accepts quotes, a server loses nothing that it has acknowledged', async () => {
  const auctionMs = 2_000
  const settings = { AUCTION_DURATION_MS: String(auctionMs), LOG_LEVEL: 'info' }
  stand = await startCrashStand({ makers: backerCount, settings })
  await stand.start()
  backers = await connectCrashBackers(stand)
  const [round] = fc.sample(crashRound('accepting', auctionMs), { seed: 1, numRuns: 1 })
  if (!round) throw new TypeError('no round')
  expect(await playCrashRound(stand, backers, round, noCounts())).toHaveLength(round.asks.length)
}, 120_000)

// Servers of a cluster keep nothing in a directory.
const onFile = serverCount === 1 ? test : test.skip
onFile(
  'error: a second server on a directory says in one sentence who has it, and ends',
  async () => {
    stand = await startCrashStand()
    const first = await stand.start()
    const second = stand.spawn()
    expect(await second.program.ended).toBe(1)
    const [, pid, since = ''] =
      /^Another server is using .*: process (\d+), since (\S+Z); stop that one first, .*\n$/.exec(
        second.program.text.err,
      ) ?? []
    expect(second.program.text.out).toBe('')
    expect(Number(pid)).toBe(first.program.child.pid)
    expect(Date.parse(since)).toBeGreaterThanOrEqual(first.spawnedAt)
    expect(Date.parse(since)).toBeLessThanOrEqual(first.readyAt ?? 0)
    expect((await fetch(`${stand.url}/readyz`)).status).toBe(200)

    // It ends with its process, however that ends.
    first.program.child.kill('SIGKILL')
    await first.program.ended
    expect((await stand.start()).readyAt).not.toBeNull()
  },
  60_000,
)
