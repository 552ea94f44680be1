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

// A server under load is killed with -9 and restarted immediately, on the same port and directory, with 20 backers on
// sockets, 10 auctions that borrowers follow with the SDK, a real chain and a real file.
// Proven in each round: every acknowledged quote is in the result; everything in the result was acknowledged; no
// message is answered twice; each started auction has a readable result; all streams resume and have each event once;
// open auctions close on time, or at the restart if that is later; reconnected backers can still quote; a request
// repeated with its key is still one auction. At the end no result has changed, despite later kills.

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
        // A busy machine is recognized by slow starts. All time limits here expect a server to start within seconds.
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
