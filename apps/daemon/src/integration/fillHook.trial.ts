import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { type DaemonProcess, startDaemon } from '@firmquote/test-support/startDaemon'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Hex } from 'viem'
import type { FillNotice } from '../domain/fill.ts'

// Runs the published programs. Kills the daemon at about the time its quote is filled. The daemon's hook records the
// notices.

const usd = 10n ** 6n

/**
 * Parameters of a round: the milliseconds from sending the fill to killing the daemon, the milliseconds of downtime,
 * and the hook's behaviour.
 */
const round = fc.record({
  killAfterMs: fc.integer({ min: -150, max: 1_500 }),
  downMs: fc.nat(800),
  hookMs: fc.constantFrom(0, 0, 200, 600),
  failsFirst: fc.boolean(),
})

const hookScript = `import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
const notice = JSON.parse(readFileSync(0, 'utf8'))
const { hookMs, failsFirst } = JSON.parse(readFileSync('FOLDER/mood.json', 'utf8'))
appendFileSync('FOLDER/begun', JSON.stringify(notice) + '\\n')
await new Promise((resolve) => setTimeout(resolve, hookMs))
const failed = 'FOLDER/failed-' + notice.id
if (failsFirst && !existsSync(failed)) {
  writeFileSync(failed, '')
  process.exit(1)
}
appendFileSync('FOLDER/done', JSON.stringify(notice) + '\\n')
`

let stack: Stack | undefined
let daemon: DaemonProcess | undefined
afterEach(async () => {
  daemon?.child.kill('SIGKILL')
  await daemon?.ended
  await stack?.stop()
}, 30_000)

test(
  `behavior: a daemon killed around fills delivers each one to its hook, ${rounds} rounds`,
  async () => {
    const started = await startStack({ AUCTION_DURATION_MS: '1000', RFQS_PER_MINUTE: '1000' })
    stack = started
    const { devnet, url, folder } = started
    const [account] = devnet.backers
    const [borrower] = devnet.borrowers
    const own = join(folder, 'daemon')
    mkdirSync(own, { recursive: true })
    const hook = join(own, 'hook.mjs')
    writeFileSync(hook, hookScript.replaceAll('FOLDER', own))
    const start = async () => {
      const settings = { hooks: { onFilled: { command: [process.execPath, hook] } } }
      const running = startDaemon(started, { account, folder: own, spreadBps: 20, lifetimeSeconds: 3_600, settings })
      daemon = running
      await running.says(/^ready /m)
      return running
    }
    const told = (file: 'begun' | 'done'): FillNotice[] => {
      const path = join(own, file)
      if (!existsSync(path)) return []
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
      return lines.map((line) => JSON.parse(line) as FillNotice)
    }
    const fills: { hash: Hex; transactionHash: Hex; notional: bigint }[] = []
    let kills = 0
    let running = await start()

    await fc.assert(
      fc.asyncProperty(round, async ({ killAfterMs, downMs, hookMs, failsFirst }) => {
        writeFileSync(join(own, 'mood.json'), JSON.stringify({ hookMs, failsFirst }))
        const [{ poolId, series }] = devnet.pools
        const request = { poolId, seriesKey: series[2]?.seriesKey ?? poolId, notional: 2_000n * usd }
        const client = new ServiceClient({ orderbookUrl: url })
        let [quote] = (await client.requestQuotes(request)).quotes
        // On a busy machine, an auction may end before the daemon's quote arrives.
        for (let more = 4; !quote && more > 0; more--) [quote] = (await client.requestQuotes(request)).quotes
        if (!quote) throw new TypeError(`The daemon does not quote:\n${running.output()}`)

        const killing = sleep(Math.max(0, killAfterMs + 150)).then(async () => {
          running.child.kill('SIGKILL')
          await running.ended
          kills += 1
          await sleep(downMs)
          running = await start()
        })
        const taking = sleep(150).then(async () => {
          const transactionHash = await devnet.walletClient(borrower).writeContract(takeQuoteParameters(quote.quote))
          await devnet.publicClient.waitForTransactionReceipt({ hash: transactionHash })
          fills.push({ hash: quote.hash, transactionHash, notional: quote.quote.notional })
        })
        await Promise.all([killing, taking])
        for (let turn = 0; !told('done').some(({ id }) => id === quote.hash); turn++) {
          if (turn > 600) throw new TypeError(`The hook did not receive ${quote.hash}:\n${running.output()}`)
          await sleep(50)
        }
      }),
      { seed, numRuns: rounds, endOnFailure: true },
    )

    const done = told('done')
    for (const { hash, transactionHash, notional } of fills) {
      const own = done.filter(({ id }) => id === hash)
      expect(own.length).toBeGreaterThan(0)
      for (const notice of own) {
        expect(notice).toMatchObject({ event: 'filled', transactionHash, notional: String(notional) })
      }
    }
    expect([fills.length, kills]).toEqual([rounds, rounds])
    expect(new Set(told('begun').map(({ id }) => id))).toEqual(new Set(fills.map(({ hash }) => hash)))
    process.stdout.write(`${fills.length} fills: ${told('begun').length} hook calls, ${done.length} successful\n`)
  },
  60_000 + 20_000 * rounds,
)
