// Attackers draw from all known attacks, beside an honest verified borrower, an honest maker and an honest daemon. The
// attack requires 16 networks, 8 makers, 5 of which hold 100,000 tUSD, and 2 takers that owe 10,100 tUSD. `MINUTES` sets
// the duration of a round (0.5).

import { setTimeout as sleep } from 'node:timers/promises'
import { proveTaker, ServiceClient } from '@firmquote/sdk'
import { startDaemon } from '@firmquote/test-support/startDaemon'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import { isAddressEqual } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createAttackAnswers, drawAttack, expectedAnswers } from '../../../simulator/src/attacks.ts'
import { createRandom } from '../../../simulator/src/random.ts'
import { stopAfter } from '../stopAfter.ts'
import { ageDebts, debtAgeBlocks, printHonest, startAdversarialFixture } from './adversarialFixture.ts'
import { connectAttackers } from './attackServer.ts'

const minutes = Number(process.env['MINUTES'] ?? 0.5)
/** Milliseconds between attacks. */
const everyMs = 25
const mostRunning = 300
/** Milliseconds of waiting for a processor, in an auction, above which the machine and not the attack delays it. */
const stalledMs = 1_000
/** Answers that only a stalled machine explains. */
const outages = /(STORAGE|CHAIN)_UNAVAILABLE|OUTCOME_UNKNOWN|INVALID_REQUEST|lost|E(CONNRESET|TIMEDOUT)|timed out/
const notional = 10_000_000_000n
/** Shorter auctions and fewer slots, so that a short round reaches every limit. */
const settings = {
  ...{ AUCTION_DURATION_MS: '4000', OPEN_AUCTIONS: '40', STORED_QUOTES_PER_MAKER: '5' },
  DEBT_AGE_BLOCKS: String(debtAgeBlocks),
}

const started = stopAfter(afterEach)

test.each(Array.from({ length: rounds }, (_, round) => seed + round))(
  'behavior: a random attacker neither shuts out a verified borrower nor worsens its best quotes, seed %i',
  async (drawn) => {
    const random = createRandom(drawn, 'random attacker')
    const fixture = started(await startAdversarialFixture(settings))
    const { devnet, url, servers, folder } = fixture
    const [borrower] = devnet.borrowers
    const shares = { unverifiedPercent: 20, takerPercent: 25 }
    const daemon = started(
      startDaemon(fixture, { account: devnet.backers[1], folder, spreadBps: 25, lifetimeSeconds: 90, shares }),
    )
    await daemon.says(/^ready /m)
    const request = await proveTaker(new ServiceClient({ orderbookUrl: url }), {
      account: privateKeyToAccount(borrower.privateKey),
    })
    const attack = started(await connectAttackers(fixture, borrower.address))
    await ageDebts(fixture)
    const honest = await fixture.startHonest({ everyMs: 5_500, request })
    await honest.quoted(1)

    const answers = createAttackAnswers()
    const unexpected = new Set<string>()
    const running = new Set<Promise<void>>()
    const launch = async () => {
      const drawnAttack = drawAttack(random)
      const { kind } = drawnAttack
      try {
        for (const answer of await attack.act(drawnAttack)) {
          if (answer !== null && !answers.count(kind, answer)) unexpected.add(`${kind}: ${answer}`)
        }
      } catch (error) {
        unexpected.add(`${kind}: ${String(error)}`)
      }
    }
    const startedAt = performance.now()
    const count = (minutes * 60_000) / everyMs
    for (let launched = 0; launched < count; ) {
      const due = (performance.now() - startedAt) / everyMs
      for (; launched < due && running.size < mostRunning; launched += 1) {
        const one = launch().finally(() => running.delete(one))
        running.add(one)
      }
      await sleep(everyMs)
    }
    const figures = await honest.finish()
    await Promise.all(running)
    printHonest(`random attacker, seed ${drawn}, ${minutes} minutes`, figures)
    const counts = [...answers.counts()].sort(([a], [b]) => (a < b ? -1 : 1))
    process.stdout.write(`${counts.map(([answer, count]) => `${answer} ${count}`).join('; ')}\n`)

    const honestMakers = [devnet.backers[0].address, devnet.backers[1].address]
    const harmed = figures.auctions.filter(({ error, verified, makers, best }) => {
      const isQuoted = honestMakers.every((one) => makers.some((maker) => isAddressEqual(maker, one)))
      // Without the attackers, the honest maker's price is the highest that the borrower pays.
      const isBest = best !== null && best.notional === notional && best.cost <= notional / 100n
      return error !== null || verified !== true || !isQuoted || !isBest
    })
    const isStalled = figures.auctions.some(({ waitedMs }) => waitedMs > stalledMs)
    process.stdout.write(
      `${harmed.length} of ${figures.auctions.length} honest auctions were harmed, of which ` +
        `${harmed.filter(({ waitedMs }) => waitedMs > stalledMs).length} while the machine stalled\n`,
    )
    expect([...unexpected].filter((answer) => !isStalled || !outages.test(answer))).toEqual([])
    expect(expectedAnswers.filter((answer) => !answers.counts().has(answer))).toEqual([])
    expect(harmed.filter(({ waitedMs }) => waitedMs <= stalledMs)).toEqual([])
    expect(harmed.length).toBeLessThan(figures.auctions.length / 2)
    expect(servers.logs()).not.toContain('"level":50')
  },
  (minutes + 2) * 60_000,
)
