import type { RFQResult } from '@firmquote/core'
import { ServiceClient } from '@firmquote/sdk'
import { createCoverage } from '@firmquote/test-support/coverage'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import { connectCrashBackers } from './crashBackers.ts'
import { startCrashFixture } from './crashFixture.ts'
import { backerCount, crashCases, crashRound, killMoments, playCrashRound } from './crashRound.ts'
import { draw, playRound } from './rounds.ts'
import { stopAfter } from './stopAfter.ts'

// A server under load is killed with -9 and started again at once, on the same port and directory: with 20 backers on
// sockets, 10 auctions that borrowers follow with the SDK, a real chain and a real file.
// Proven in each round: every quote that was acknowledged is in the result; what is in the result was acknowledged; no
// message is answered twice; each auction that has started has a readable result; all streams go on and have each event
// once; auctions that were open close when they have promised to, or at the start when that was past; backers that come
// back may still quote; a request that was sent again with its key is still one auction. At the end nothing has changed
// in any of the results, whatever else was killed since.

const kills = 9 * rounds

const started = stopAfter(afterEach)

test(
  `behavior: killed ${kills} times with auctions open, a server loses nothing that it has acknowledged`,
  async () => {
    const fixture = started(await startCrashFixture({ makers: backerCount, settings: { LOG_LEVEL: 'info' } }))
    const auctionMs = await fixture.fitAuctions()
    await fixture.start()
    const backers = started(await connectCrashBackers(fixture))
    const { met, rare } = createCoverage({ ...crashCases, quotes: 50 * kills + 1 })
    const results: RFQResult[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      const moment = killMoments[kill % killMoments.length] ?? 'anytime'
      const round = draw(crashRound(moment, auctionMs), seed + kill)
      const play = () => playCrashRound(fixture, backers, round, met)
      const played = await playRound(play, () => {
        // What a busy machine is known by: all limits of time here expect that a server starts within seconds.
        const startMs = fixture.runs.map(({ spawnedAt, readyAt }) => (readyAt ?? Date.now()) - spawnedAt)
        return `kill ${kill} (${moment}) of --seed ${seed}, starts took up to ${Math.max(...startMs)} ms`
      })
      results.push(...played)
    }
    const client = new ServiceClient({ orderbookUrl: fixture.url })
    for (const result of results) expect(await client.getRfq(result.rfqId)).toEqual(result)

    process.stdout.write(`crash.trial: ${kills} kills, auctions of ${auctionMs} ms, --seed ${seed}\n`)
    expect(rare()).toEqual([])
  },
  60_000 + 20_000 * kills,
)
