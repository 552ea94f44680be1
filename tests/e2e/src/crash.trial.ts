import type { RFQResult } from '@firmquote/core'
import { ServiceClient } from '@firmquote/sdk'
import { createCoverage } from '@firmquote/test-support/coverage'
import { rounds, seed, serverCount } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import { connectCrashBackers } from './crashBackers.ts'
import { startCrashFixture } from './crashFixture.ts'
import { startCrashProofs } from './crashProofs.ts'
import { auctionCount, backerCount, crashCases, crashRound, killMoments, playCrashRound } from './crashRound.ts'
import { draw, playRound } from './rounds.ts'
import { stopAfter } from './stopAfter.ts'

// A server under load is killed with SIGKILL and immediately restarted on the same port and directory. There are 20
// backers on sockets, 10 auctions followed with the SDK, a real chain and a real database file. Each round checks the
// following. Every acknowledged quote is in the result, and every quote in the result was acknowledged. No message is
// answered twice. Every started auction's result can be read. All streams resume, and each contains every event once.
// Open auctions close on time, or at the restart if their deadline has passed. Reconnected backers can still quote. A
// request repeated with its key does not open a second auction. No kill changes an earlier result. Each auction's proof is
// valid, each accepted quote's receipt is kept before its time, and neither the witness nor a reader sees a fork.

const kills = 9 * rounds

const started = stopAfter(afterEach)

test(
  `behavior: killed ${kills} times with auctions open, a server loses nothing it has acknowledged`,
  async () => {
    // Clusters keep no log.
    const proofs = serverCount === 1 ? started(await startCrashProofs((): string => fixture.url)) : null
    const settings = { LOG_LEVEL: 'info', ...proofs?.settings }
    const fixture = started(await startCrashFixture({ makers: backerCount, settings }))
    const auctionMs = await fixture.fitAuctions()
    await fixture.start()
    const channels = () => [{ receipts: proofs !== null }]
    const watch = proofs ? { onReceipt: proofs.receive } : {}
    const backers = started(await connectCrashBackers(fixture, channels, watch))
    const { met, rare, counts } = createCoverage({ ...crashCases, quotes: 50 * kills + 1 })
    const results: RFQResult[] = []
    // How often each case occurs depends on the machine's speed.
    for (let kill = 0; kill < kills || (rare().length > 0 && kill < 2 * kills); kill += 1) {
      const moment = killMoments[kill % killMoments.length] ?? 'anytime'
      const round = draw(crashRound(moment, auctionMs), seed + kill)
      const play = () => playCrashRound(fixture, { backers, proofs }, round, met)
      const played = await playRound(play, () => {
        // Slow starts of a server indicate a busy machine. All time limits here assume that a server starts within
        // seconds.
        const startMs = fixture.runs.map(({ spawnedAt, readyAt }) => (readyAt ?? Date.now()) - spawnedAt)
        return `kill ${kill} (${moment}) of --seed ${seed}, starts took up to ${Math.max(...startMs)} ms`
      })
      results.push(...played)
    }
    const client = new ServiceClient({ orderbookUrl: fixture.url })
    for (const result of results) expect(await client.getRfq(result.rfqId)).toEqual(result)

    const log = await proofs?.finish()
    process.stdout.write(
      `crash.trial: ${results.length / auctionCount} kills, auctions of ${auctionMs} ms, ${JSON.stringify({ ...counts(), ...log })}, --seed ${seed}\n`,
    )
    expect(rare()).toEqual([])
  },
  60_000 + 40_000 * kills,
)
