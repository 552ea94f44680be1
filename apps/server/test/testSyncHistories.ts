import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { createCoverage } from '@firmquote/test-support/coverage'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, keccak256, numberToHex } from 'viem'
import { createChainDriver } from './chainDriver.ts'
import { createRandomInteger } from './randomQuotes.ts'
import { signedQuote } from './realService.ts'
import { createSyncFixture, createTemplate, syncFromScratch } from './syncFixture.ts'

/**
 * Tests that, after random actions and reorganizations, a sync has the same rows as one started from scratch.
 *
 * @param count number of histories.
 */
export function testSyncHistories({ count, seed }: { count: number; seed: number }): void {
  describe('random histories', () => {
    let devnet: Devnet
    let directory = ''
    beforeAll(async () => {
      devnet = await startDevnet()
    })
    afterAll(async () => {
      rmSync(directory, { recursive: true, force: true })
      await devnet.stop()
    })

    test(`behavior: ${count} end with the same rows as a sync from scratch`, async () => {
      process.stderr.write(`histories with SEED=${seed}\n`)
      const chain = createChainDriver(devnet)
      const random = createRandomInteger(seed)
      const makers = [devnet.backers[0], devnet.backers[1]] as const
      const quotes = await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          signedQuote(devnet, makers[index % 2 === 0 ? 0 : 1], { nonce: BigInt(index >> 3) }),
        ),
      )
      const deployBlock = (await chain.height()) + 1
      const settings = { deployBlock, reorgWindow: 3 }
      directory = mkdtempSync(join(tmpdir(), 'firmquote-histories-'))
      const options = { template: await createTemplate(directory, devnet, quotes), settings }
      const act = async () => {
        const quote = quotes[random(quotes.length)] as (typeof quotes)[0]
        const maker = makers.find(({ address }) => address === quote.maker) ?? makers[0]
        const acts = [
          () => chain.raiseNonce(maker),
          ...Array(2).fill(() => chain.cancel(maker, quote)),
          ...Array(2).fill(() => chain.take(devnet.borrowers[0], quote)),
          () => chain.createSeries(devnet.pools[0].poolId, 3_000_000_000 + random(1_000_000)),
          () => chain.createPool(keccak256(numberToHex(random(1_000_000)))),
          () => chain.mine(1 + random(3)),
        ]
        await acts[random(acts.length)]()
      }
      let start = await chain.snapshot()
      const { met, rare } = createCoverage({ reorganised: 1 + count / 4, 'below the retained blocks': 1 + count / 40 })
      // If the branches happen to be too short, more histories are run.
      for (let history = 0; history < count || (rare().length > 0 && history < 2 * count); history += 1) {
        const bench = await createSyncFixture(devnet, options)
        for (let branch = random(3); branch >= 0; branch -= 1) {
          const snapshots: Hex[] = []
          for (let steps = 1 + random(6); steps > 0; steps -= 1) {
            snapshots.push(await chain.snapshot())
            await act()
            if (random(3) === 0) await bench.sync.cycle()
          }
          await bench.sync.cycle()
          if (branch > 0) await chain.revert(snapshots[random(snapshots.length)] ?? start)
        }
        // A shorter chain could also mean a lagging node, so the branch must become longer.
        const synced = Number(bench.sync.status().synced?.number ?? 0n)
        const missing = synced - (await chain.height())
        if (missing >= 0) await chain.mineOther(missing + 1)
        await bench.sync.cycle()
        const expected = await syncFromScratch(devnet, options)
        expect({ seed, history, ...bench.dump() }).toEqual({ seed, history, ...expected })
        await chain.revert(start)
        start = await chain.snapshot()
        for (const message of bench.messages) {
          if (message === 'chain reorganised') met('reorganised')
          if (message.includes('below the retained blocks')) met('below the retained blocks')
        }
        await bench.close()
      }
      expect({ seed, rare: rare() }).toEqual({ seed, rare: [] })
    }, 600_000)
  })
}
