import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DevnetAccount } from '@firmquote/devnet'
import type { Stack } from '@firmquote/test-support/startStack'
import { seesAllBackers } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import { erc20Abi } from 'viem'
import { approve, type Backer, listBook, readFunds, startDaemons, usd } from './startDaemons.ts'
import { stopAfter } from './stopAfter.ts'

// Daemons are killed with SIGKILL. Each daemon's quotes must stay within its maker's funds, according to both the
// service and the daemon's own book. `npm run trials` runs additional random rounds.

const ownPricing = new URL('../../../apps/daemon/src/index.ts', import.meta.url).href

const started = stopAfter(afterEach)

/** Transfers away all but this amount of an account's loan tokens. */
async function keepOnly(stack: Stack, account: DevnetAccount, amount: bigint): Promise<void> {
  const { devnet } = stack
  const { balance } = await readFunds(stack, account)
  const hash = await devnet.walletClient(account).writeContract({
    address: devnet.contracts.loanToken,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [devnet.deployer.address, balance - amount],
  })
  await devnet.publicClient.waitForTransactionReceipt({ hash })
}

const addresses = (...backers: Backer[]) => backers.map(({ account }) => account.address).sort()

async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    await sleep(20)
  }
}

test('default: a daemon killed before or after its quote is acknowledged counts the quote and signs no other', async () => {
  const daemons = started(
    await startDaemons(async (stack, folder) => {
      const [first, second] = stack.devnet.backers
      await approve(stack, first, 400_000n * usd)
      await keepOnly(stack, second, 400_000n * usd)
      // A pricer timed by the test: it reports its start and waits until a file exists.
      const pricer = join(folder, 'pricer.mjs')
      writeFileSync(
        pricer,
        `import { existsSync } from 'node:fs'
       import { priceRfq as byPolicy } from '${ownPricing}'
       export async function priceRfq(input) {
         process.stdout.write('pricing\\n')
         while (!existsSync('${join(folder, 'go')}')) await new Promise((resolve) => setTimeout(resolve, 20))
         return byPolicy(input)
       }`,
      )
      return { pricer }
    }),
  )
  const { stack, folder, backers, shown, ask, killAndRestart, expectBooksHonoured } = daemons
  const [first, second, third] = backers

  // If the daemon is killed before the acknowledgement, it resends the identical quote.
  const auction = ask(250_000n * usd)
  await first.process.says(/^pricing$/m)
  // A paused service acknowledges nothing.
  stack.pause()
  writeFileSync(join(folder, 'go'), '')
  const [promised] = await until(
    () => listBook(first),
    (quotes) => quotes.length === 1,
  )
  expect(promised).toMatchObject({ verdict: 'unknown', quote: { notional: 250_000n * usd } })
  first.process.child.kill('SIGKILL')
  await first.process.ended
  stack.resume()
  await killAndRestart(first)
  expect((await auction).makers).toEqual(addresses(...backers))
  expect([...shown].find(([, { maker }]) => maker === first.account.address)?.[0]).toBe(promised?.hash)
  const [kept, ...others] = await until(
    () => listBook(first),
    ([quote]) => quote?.verdict !== 'unknown',
  )
  expect([kept?.hash, kept?.verdict, others]).toEqual([promised?.hash, 'accepted', []])
  await expectBooksHonoured()

  // If the daemon is killed after the acknowledgement, it quotes only what it can still honour.
  let restarted: Promise<void> | undefined
  const next = await ask(100_000n * usd, (maker) => {
    if (maker === second.account.address) restarted = killAndRestart(second)
  })
  await restarted
  expect(next.makers).toEqual(addresses(...backers))
  await expectBooksHonoured()

  // The first and second makers have 400,000 each, of which 350,000 are already quoted. The first maker's quotes are
  // limited by its allowance, and the second maker's by its balance.
  const [tooMuch, enough] = await Promise.all([ask(100_000n * usd), ask(50_000n * usd)])
  if (seesAllBackers) expect([tooMuch.backers, enough.backers]).toEqual([3, 3])
  expect(tooMuch.makers).toEqual(addresses(third))
  expect(enough.makers).toEqual(addresses(...backers))
  await expectBooksHonoured()
  for (const { process } of [first, second]) expect(process.output()).toMatch(/"code":"NOT_AFFORDABLE"/)
}, 120_000)
