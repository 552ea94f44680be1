// The top-ranked maker cannot distort which quotes borrowers take.
//
// The attack requires one authenticated connection, the loan tokens for one quote (which the attacker keeps), the gas
// for one transaction, and one quote per auction. Two honest backers compete. The borrowers are programs that the
// repository ships or documents: `firmquote rfq --take`, `examples/borrower/borrow.mjs` and the first example in the
// SDK's README.
//
// Auctions are shorter than the default, so that twelve fit into a test.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { interestRatePoolAbi, type QuoteOutcome, type RFQBroadcast } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { approveParameters, raiseNonceParameters } from '@firmquote/sdk'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { programOf, startingEnvironment } from '@firmquote/test-support/startProgram'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, erc20Abi, parseEventLogs } from 'viem'
import { root } from '../pack.ts'
import { type Backer, type BackerOptions, costOf, startBacker } from '../plannedBacker.ts'
import { readmeBlocks } from '../readmeBlocks.ts'
import { stopAfter } from '../stopAfter.ts'
import { createAccount } from './owe.ts'

const run = promisify(execFile)
const notional = 250_000_000_000n
const mostApr = 12n

type Terms = { notional: bigint; vrtAmount: bigint }

/** An attack: a quote, and an action between the quote's acceptance and the auction's close. */
type Attack = {
  quote(rfq: RFQBroadcast): Terms
  act?(attacker: DevnetAccount): Promise<unknown>
  /** Percentage of the requested notional that each honest backer quotes. Default: 100. */
  honestPercent?: bigint
}

let stack: Stack
const started = stopAfter(afterAll)
let attack: Attack
let attacker: DevnetAccount
/** Errors on the backers' side. */
const failures: unknown[] = []

const attacks: Record<string, Attack> = {
  'raises its nonce': {
    quote: (rfq) => ({ notional: rfq.notional, vrtAmount: costOf(rfq, rfq.notional, 100n) }),
    act: (from) => mined(from, raiseNonceParameters()),
  },
  'moves its money away': {
    quote: (rfq) => ({ notional: rfq.notional, vrtAmount: costOf(rfq, rfq.notional, 100n) }),
    act: (from) => mined(from, transfer(stack.devnet.deployer.address, notional)),
  },
  'offers the least size for nothing': {
    quote: (rfq) => ({ notional: rfq.minNotional ?? 1n, vrtAmount: 0n }),
  },
  'offers the whole size for as much as it is paid back at most': {
    quote: (rfq) => ({ notional: rfq.notional, vrtAmount: rfq.notional }),
    // Only the attacker's quote covers the whole request.
    honestPercent: 40n,
  },
}

beforeAll(async () => {
  stack = started(await startStack({ AUCTION_DURATION_MS: '2500', RFQS_PER_MINUTE: '1000' }))
  const [, first, second] = stack.devnet.backers
  await Promise.all([honest(first, 600n), honest(second, 700n)])
}, 60_000)
async function mined(from: DevnetAccount, call: object): Promise<void> {
  const hash = await stack.devnet.walletClient(from).writeContract(call as never)
  const { status } = await stack.devnet.publicClient.waitForTransactionReceipt({ hash })
  expect(status).toBe('success')
}

const transfer = (to: Address, amount: bigint) => ({
  address: stack.devnet.contracts.loanToken,
  abi: erc20Abi,
  functionName: 'transfer',
  args: [to, amount],
})

/** Connects a backer. The test fails if the attacker's quote is rejected. */
async function connect(account: DevnetAccount, options: BackerOptions): Promise<Backer> {
  const onVerdict: BackerOptions['onVerdict'] = async (ack, rfq) => {
    if (ack.status === 'rejected') throw new TypeError(`${ack.code}: ${ack.message}`)
    await options.onVerdict?.(ack, rfq)
  }
  return started(
    await startBacker(stack.url, account, { ...options, onVerdict, onFailure: (error) => failures.push(error) }),
  )
}

function honest(account: DevnetAccount, aprBps: bigint): Promise<Backer> {
  const quote = (rfq: RFQBroadcast) => {
    const notional = (rfq.notional * (attack.honestPercent ?? 100n)) / 100n
    return { notional, vrtAmount: costOf(rfq, notional, aprBps) }
  }
  return connect(account, { quote, delayMs: 100 })
}

/** Creates an account with funds and an allowance for one quote. */
async function createAttacker(): Promise<DevnetAccount> {
  const { testClient, contracts, backers } = stack.devnet
  const account = await createAccount(testClient)
  await mined(backers[0], transfer(account.address, notional))
  await mined(account, approveParameters({ loanToken: contracts.loanToken, amount: notional }))
  return account
}

const readmeExample = "the example of the SDK's README"

/** Programs that take quotes, and the account that each one uses. */
const takers: Record<string, { taker: 2 | 3; start(series: { poolId: string; expiry: number }): Promise<string> }> = {
  'firmquote rfq --take': {
    taker: 2,
    async start({ poolId, expiry }) {
      const args =
        `rfq --pool ${poolId} --expiry ${expiry} --notional 250k --take --approve --max-apr ${mostApr}`.split(' ')
      const env = {
        ...startingEnvironment(),
        PATH: process.env['PATH'],
        FIRMQUOTE_URL: stack.url,
        FIRMQUOTE_RPC_URL: stack.devnet.rpcUrl,
        FIRMQUOTE_PRIVATE_KEY: stack.devnet.newcomers[2].privateKey,
      }
      return (await run(process.execPath, [programOf('cli'), ...args], { env })).stdout
    },
  },
  'examples/borrower/borrow.mjs': {
    taker: 3,
    async start({ poolId, expiry }) {
      const file = join(root, 'examples/borrower/borrow.mjs')
      const args = [file, stack.url, stack.devnet.rpcUrl, poolId, `${expiry}`, `${mostApr}`]
      return (await run(process.execPath, args)).stdout
    },
  },
  [readmeExample]: {
    taker: 3,
    async start() {
      const block = readmeBlocks(join(root, 'packages/sdk/README.md')).find(({ text }) => text.includes('takeBest'))
      const text = block?.text
        .replaceAll('http://localhost:3005', stack.url)
        .replaceAll('http://127.0.0.1:8545', stack.devnet.rpcUrl)
      // From this folder, Node can import the packages.
      const cwd = join(root, 'tests/e2e')
      return (await run(process.execPath, ['--input-type=module', '--eval', text ?? ''], { cwd })).stdout
    },
  },
}

async function positionsSince(block: bigint, borrower: Address) {
  const { publicClient, contracts } = stack.devnet
  const logs = await publicClient.getLogs({ address: contracts.interestRatePool, fromBlock: block + 1n })
  const opened = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'PositionOpened', logs })
  return opened.map(({ args }) => args).filter((position) => position.borrower === borrower)
}

describe.each(Object.keys(attacks))('a maker that %s', (name) => {
  test.each(Object.keys(takers))(
    'behavior: %s takes the best that can be taken',
    async (taker) => {
      const { start, taker: account } = takers[taker] as (typeof takers)[string]
      attack = attacks[name] as Attack
      attacker = await createAttacker()
      let acted = false
      const { promise: outcome, resolve } = createDeferred<QuoteOutcome | undefined>()
      const backer = await connect(attacker, {
        quote: attack.quote,
        async onVerdict() {
          await attack.act?.(attacker)
          acted = true
        },
        // The service sends this message when the auction closes.
        onAuctionResult: ({ outcome: own }) => resolve(acted ? own : undefined),
      })
      const { devnet } = stack
      const [{ poolId, series }] = devnet.pools
      const expiry = series[2]?.expiry ?? 0
      const block = await devnet.publicClient.getBlockNumber({ cacheTime: 0 })
      const output = await start({ poolId, expiry })
      expect(await outcome).toBe(attack.honestPercent === undefined ? 'best' : 'close')
      backer.stop()
      expect(failures).toEqual([])

      const positions = await positionsSince(block, devnet.newcomers[account].address)
      const taken = positions.map(({ maker, notional, cost }) => ({ maker, notional, cost }))
      const size = (notional * (attack.honestPercent ?? 100n)) / 100n
      // Checks that the program took the cheaper honest quote if each covers the whole amount, or both if each is
      // partial.
      const makers = devnet.backers.slice(1, attack.honestPercent === undefined ? 2 : 3).map(({ address }) => address)
      expect(taken).toEqual(makers.map((maker) => ({ maker, notional: size, cost: expect.any(BigInt) })))
      const most = costOf({ expiry }, size, 100n * mostApr)
      for (const { cost } of taken) expect(cost).toBeLessThanOrEqual(most)
      const total = size * BigInt(makers.length)
      if (taker === readmeExample) {
        expect(output).toBe(`fixed ${total} for ${taken.reduce((sum, { cost }) => sum + cost, 0n)}\n`)
        return
      }
      // The printed summary contains the amounts taken and requested, the number of takes, and the rate.
      const [shown, of] = [total / 1_000_000n, notional / 1_000_000n].map((amount) => amount.toLocaleString('en-US'))
      expect(output.replaceAll(' tUSD', '')).toMatch(
        new RegExp(`${shown} of ${of}[^]*${makers.length} take[^]*6\\.[05]\\d?%`, 'i'),
      )
    },
    30_000,
  )
})
