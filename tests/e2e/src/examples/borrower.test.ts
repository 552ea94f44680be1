import { parsePrincipal } from '@firmquote/core'
import { testTokenAbi } from '@firmquote/devnet'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { root } from '../pack.ts'
import { stopAfter } from '../stopAfter.ts'
import { killTerminals, openTerminal } from '../terminal.ts'
import { exampleCommands } from './exampleCommands.ts'

const [borrow, settle] = exampleCommands('borrower')
const [, makerCommand] = exampleCommands('maker')

let stack: Stack
const started = stopAfter(afterAll)
beforeAll(async () => {
  stack = started(await startStack({ AUCTION_DURATION_MS: '2000', SYNC_INTERVAL_MS: '100' }))
  started({ stop: killTerminals })
  // The maker example, with a funded account.
  const [{ privateKey: PRIVATE_KEY }] = stack.devnet.backers
  const maker = openTerminal(makerCommand, root, {
    FIRMQUOTE_URL: stack.url,
    RPC_URL: stack.devnet.rpcUrl,
    PRIVATE_KEY,
  })
  await maker.shows(/^authenticated/m)
}, 60_000)

/** Runs one of the example's programs. The arguments in `more` are appended after the two addresses. */
const run = (command: string | undefined, more = '') =>
  openTerminal(`${command} ${stack.url} ${stack.devnet.rpcUrl} ${more}`, root)

/** Runs `settle.mjs` repeatedly until its output matches, since the service needs time to read the chain. */
async function settleUntil(text: RegExp): Promise<string> {
  for (;;) {
    const said = await run(settle).succeeds()
    if (text.test(said)) return said
  }
}

test('default: works as its README says: takes a quote within its limit, shows the position, and is paid at expiry', async () => {
  const { testClient, pools, newcomers, publicClient, contracts } = stack.devnet
  const [{ poolId, series }] = pools
  const { expiry = 0 } = series[2] ?? {}

  const refused = run(borrow, `${poolId} ${expiry} 4`)
  await refused.shows(/^no quote can be taken at 4\.00% APR or less$/m)
  await expect(refused.succeeds()).rejects.toThrow(/ended with 1:/)

  const said = await run(borrow).succeeds()
  expect(said).toMatch(/^asked 1 backers for a fixed rate on 250,000 tUSD\n {2}fixed at 5\.00% APR by 0x\w{40}\n/)
  expect(said).toMatch(
    /^allowed ([\d,.]+) tUSD, exactly the cost\npermitted [\s\S]*^success: [\s\S]* at 5\.00% APR for \1 tUSD$/m,
  )
  const [, position] = /^position (\d+): 250,000 tUSD until \d{4}-/m.exec(said) ?? []
  expect(await settleUntil(/runs until/)).toContain(`position ${position} over 250,000 tUSD runs until`)

  const balance = () =>
    publicClient.readContract({
      address: contracts.loanToken,
      abi: testTokenAbi,
      functionName: 'balanceOf',
      args: [newcomers[3].address],
    })
  await testClient.setNextBlockTimestamp({ timestamp: BigInt(expiry) })
  await testClient.mine({ blocks: 1 })
  const before = await balance()
  const paid = await settleUntil(/^withdrew/m)
  expect(paid).toContain(`position ${position} over 250,000 tUSD is due\nsettled 1 of 1\n`)
  const [, amount = ''] = /^withdrew ([\d,.]+) tUSD$/m.exec(paid) ?? []
  expect((await balance()) - before).toBe(parsePrincipal(amount, 6))
  expect(await settleUntil(/^nothing is due$/m)).toBe('nothing is due\n')
}, 60_000)
