// What borrowers lose in a pool whose token takes fees or blocks accounts, or whose maker changes its code.
//
// The contract's preview cannot see a transfer fail, so the service lists such quotes as executable, and `best` may
// contain them. The programs simulate each take before they send it, so a taker loses at most the gas of its permissions.

import { createTestPool, type DevnetAccount, deployContract } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { type Address, type Hex, maxUint256 } from 'viem'
import { runCli } from '../../../../apps/cli/test/runCli.ts'
import {
  blacklistingTokenAbi,
  blacklistingTokenBytecode,
  feeTokenAbi,
  feeTokenBytecode,
} from '../../../../packages/devnet/test/testContracts.ts'
import { costOf, startBacker } from '../plannedBacker.ts'
import { stopAfter } from '../stopAfter.ts'
import { holdsWithin } from './adversarialFixture.ts'
import { acceptors } from './hostileContracts.ts'

const notional = 100_000_000_000n
const abi = [...blacklistingTokenAbi, ...feeTokenAbi]
const started = stopAfter(afterAll)
const startedHere = stopAfter(afterEach)

let stack: Stack
const taker = () => stack.devnet.newcomers[0]

beforeAll(async () => {
  stack = started(await startStack({ AUCTION_DURATION_MS: '2500', RFQS_PER_MINUTE: '1000' }))
}, 60_000)

type Pool = { token: Address; poolId: Hex; seriesKey: Hex }

async function call(
  from: DevnetAccount,
  token: Address,
  functionName: string,
  args: readonly unknown[],
): Promise<void> {
  const { walletClient, publicClient } = stack.devnet
  const hash = await walletClient(from).writeContract({ address: token, abi, functionName, args } as never)
  expect((await publicClient.waitForTransactionReceipt({ hash })).status).toBe('success')
}

/** Creates a pool in which two makers and the taker hold the token. */
async function createPool(contract: { abi: readonly unknown[]; bytecode: Hex }): Promise<Pool> {
  const { devnet } = stack
  const token = await deployContract(devnet, contract as never)
  const { poolId, seriesKey } = await createTestPool(devnet, token, 7_776_000n)
  const [first, second] = devnet.backers
  for (const maker of [first, second]) {
    await call(maker, token, 'mint', [maker.address, 10n * notional])
    await call(maker, token, 'approve', [devnet.contracts.quoteMarket, maxUint256])
  }
  await call(taker(), token, 'mint', [taker().address, notional])
  const client = new ServiceClient({ orderbookUrl: stack.url })
  const isListed = async () => {
    const pool = (await client.getPoolRates()).find((listed) => listed.poolId === poolId)
    return pool?.series.some((series) => series.seriesKey === seriesKey) ?? false
  }
  expect(await holdsWithin(10_000, isListed)).toBe(true)
  return { token, poolId, seriesKey }
}

/** Both makers quote, the first one at 5 % and the second one at 6 %. */
async function connectMakers(): Promise<void> {
  for (const [index, maker] of stack.devnet.backers.slice(0, 2).entries()) {
    const quote = (rfq: Parameters<typeof costOf>[0] & { notional: bigint }) => ({
      vrtAmount: costOf(rfq, rfq.notional, 500n + 100n * BigInt(index)),
    })
    startedHere(await startBacker(stack.url, maker, { quote }))
  }
}

async function take({ poolId, seriesKey }: Pool) {
  const args = ['--pool', poolId, '--series', seriesKey, '--notional', '100k', '--max-apr', '12', '--one-by-one']
  return runCli(['rfq', ...args, '--take', '--approve', '--json'], {
    environment: {
      FIRMQUOTE_URL: stack.url,
      FIRMQUOTE_RPC_URL: stack.devnet.rpcUrl,
      FIRMQUOTE_PRIVATE_KEY: taker().privateKey,
    },
  })
}

const linesOf = (out: string): { type: string; data: Record<string, string> }[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

async function stateOf(token: Address) {
  const { publicClient, contracts } = stack.devnet
  const read = (functionName: 'balanceOf' | 'allowance', args: readonly Address[]) =>
    publicClient.readContract({ address: token, abi, functionName, args } as never) as Promise<bigint>
  const { address } = taker()
  return {
    balance: await read('balanceOf', [address]),
    allowance: await read('allowance', [address, contracts.quoteMarket]),
  }
}

test('behavior: the token blocks the best maker: the next one is taken, without a failed transaction', async () => {
  const pool = await createPool({ abi: blacklistingTokenAbi, bytecode: blacklistingTokenBytecode })
  const [blocked, honest] = stack.devnet.backers
  await call(blocked, pool.token, 'setBlacklisted', [blocked.address, true])
  await connectMakers()
  const { out, code } = await take(pool)
  expect(code).toBe(0)
  const lines = linesOf(out)
  expect(lines.filter(({ type }) => type === 'failed')).toHaveLength(1)
  expect(lines.find(({ type }) => type === 'failed')?.data['reason']).toMatch(/No transaction was sent/)
  const fixed = lines.at(-1)?.data ?? {}
  expect(fixed).toMatchObject({ notional: String(notional), takes: 1 })
  const { balance, allowance } = await stateOf(pool.token)
  expect([notional - balance, allowance]).toEqual([BigInt(fixed['cost'] ?? 0), 0n])
  expect(out).toContain(honest.address)
}, 60_000)

test('error: the token blocks the taker: it loses nothing, and its allowance is revoked', async () => {
  const pool = await createPool({ abi: blacklistingTokenAbi, bytecode: blacklistingTokenBytecode })
  await connectMakers()
  await call(taker(), pool.token, 'setBlacklisted', [taker().address, true])
  const { out, err, code } = await take(pool)
  expect(code).not.toBe(0)
  expect(out + err).toMatch(/No transaction was sent/)
  expect(await stateOf(pool.token)).toEqual({ balance: notional, allowance: 0n })
}, 60_000)

test.each([
  ['the receiver', [1n, 0n]],
  ['the sender', [0n, 1n]],
])(
  'behavior: a fee of a millionth from %s',
  async (who, fees) => {
    const pool = await createPool({ abi: feeTokenAbi, bytecode: feeTokenBytecode })
    await call(taker(), pool.token, 'setFees', fees)
    await connectMakers()
    const { out, err, code } = await take(pool)
    const { balance, allowance } = await stateOf(pool.token)
    expect(allowance).toBe(0n)
    if (who === 'the receiver') {
      // The position would be underfunded, so the market rejects the take.
      expect(code).not.toBe(0)
      expect(linesOf(out).find(({ type }) => type === 'failed')?.data['reason']).toMatch(/TransferIncomplete/)
      expect(balance).toBe(notional)
      return
    }
    // The token charges its fee on top of the cost, which no program can know.
    expect([code, err]).toEqual([0, expect.anything()])
    const cost = BigInt(linesOf(out).at(-1)?.data['cost'] ?? 0)
    expect(notional - balance).toBe(cost + cost / 1_000_000n)
  },
  60_000,
)

test('behavior: a maker that delegates to other code (EIP-7702) is judged by its key, and no code can stop a take', async () => {
  const pool = await createPool({ abi: feeTokenAbi, bytecode: feeTokenBytecode })
  const [maker] = stack.devnet.backers
  // The code accepts every signature, and burns nearly all of its gas.
  const target = '0x00000000000000000000000000000000000000ac'
  await stack.devnet.testClient.setCode({ address: target, bytecode: acceptors.burnsGas })
  await stack.devnet.testClient.setCode({ address: maker.address, bytecode: `0xef0100${target.slice(2)}` })
  await connectMakers()
  const { out, code } = await take(pool)
  await stack.devnet.testClient.setCode({ address: maker.address, bytecode: '0x' })
  expect(code).toBe(0)
  const lines = linesOf(out)
  expect(lines.filter(({ type }) => type === 'failed')).toEqual([])
  expect(lines.find(({ type }) => type === 'checks')?.data['hash']).toBe(
    lines.find(({ type }) => type === 'taken')?.data['hash'],
  )
}, 60_000)
