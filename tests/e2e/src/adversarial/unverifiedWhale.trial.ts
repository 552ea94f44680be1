// A borrower without debt repeatedly requests all that the makers hold, to reserve their funds. The attack requires one
// network, ten requests in 31 seconds and no tokens.

import { setTimeout as sleep } from 'node:timers/promises'
import { proveTaker, ServiceClient } from '@firmquote/sdk'
import { startDaemon } from '@firmquote/test-support/startDaemon'
import { afterEach, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { stopAfter } from '../stopAfter.ts'
import { holdsWithin, startAdversarialFixture } from './adversarialFixture.ts'
import { owe } from './owe.ts'

const usd = 1_000_000n
const notional = 5_000_000n * usd

const started = stopAfter(afterEach)

test('behavior: a daemon with 50M still quotes its usual price to a verified taker of 5M', async () => {
  const fixture = started(await startAdversarialFixture())
  const { devnet, url, urlOf, series, folder } = fixture
  // The settings written by `init`, except that quotes outlive the attack.
  const shares = { unverifiedPercent: 20, takerPercent: 25 }
  const options = { account: devnet.backers[1], folder, spreadBps: 25, lifetimeSeconds: 150, shares }
  const daemon = started(startDaemon(fixture, options))
  await daemon.says(/^ready /m)

  const [borrower] = devnet.borrowers
  await owe(devnet, borrower, 2_100_000n * usd)
  const client = new ServiceClient({ orderbookUrl: url })
  const proof = await proveTaker(client, { account: privateKeyToAccount(borrower.privateKey) })
  // The service counts the debt only once it has read the debt's block.
  const borrowed = Number(await devnet.publicClient.getBlockNumber())
  expect(await holdsWithin(10_000, async () => ((await client.getHealth()).sync.synced ?? 0) >= borrowed)).toBe(true)
  let turn = 0
  const ask = async () => {
    const client = new ServiceClient({ orderbookUrl: urlOf(turn++) })
    const askedAt = performance.now()
    for await (const event of client.streamQuotes({ ...series, notional, ...proof })) {
      if (event.type === 'started') expect(event.data.takerVerified).toBe(true)
      if (event.type !== 'quote') continue
      const { apr, quote } = event.data
      return { apr, notional: quote.notional, quotedMs: performance.now() - askedAt }
    }
    return null
  }
  const usual = await ask()

  const attacks: Promise<number>[] = []
  for (const wave of [4, 4, 2]) {
    for (let count = 0; count < wave; count += 1) {
      const attacker = new ServiceClient({ orderbookUrl: urlOf(turn++) })
      attacks.push(attacker.requestQuotes({ ...series, notional }).then(({ quotes }) => quotes.length))
    }
    await Promise.all(attacks)
    // A rejection is cached for a quarter of a second.
    await sleep(500)
  }
  const quoted = await Promise.all(attacks)
  const honest = await ask()
  process.stdout.write(
    `unverified whale: ${quoted.filter((count) => count > 0).length} of 10 attacks quoted; honest 5M at ${honest?.apr.toFixed(3)} % ` +
      `(${usual?.apr.toFixed(3)} % before) after ${Math.round(honest?.quotedMs ?? Number.NaN)} ms\n`,
  )

  expect(usual).toMatchObject({ notional })
  expect(honest).toMatchObject({ notional })
  // The rate is rounded up to a tick, and the price to a raw unit.
  expect(Math.abs((honest?.apr ?? 0) - (usual?.apr ?? 0))).toBeLessThan(0.02)
  // Unverified requests may reserve a fifth of the makers' 50M.
  expect(quoted.filter((count) => count > 0)).toHaveLength(2)
}, 120_000)
