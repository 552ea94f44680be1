import { morphoAbi } from '@firmquote/devnet'
import { ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { bytesToHex, erc20Abi, maxUint256, zeroAddress } from 'viem'
import { startNode } from '../test/proxies.ts'
import { runCli } from '../test/runCli.ts'
import { exitCodes } from './exitCodes.ts'

// The steps share one chain, past the expiry of four positions.

let stack: Stack
let node: Awaited<ReturnType<typeof startNode>> | undefined
const borrower = () => stack.devnet.borrowers[0]
const stranger = () => stack.devnet.backers[2]

beforeAll(async () => {
  stack = await startStack({ LOG_LEVEL: 'warn' })
  const { loanToken: address, morpho } = stack.devnet.contracts
  await send(stranger(), { address, abi: erc20Abi, functionName: 'approve', args: [morpho, maxUint256] })
  for (const vrtAmount of [1n, 2n, 3n, 4n]) await open(vrtAmount)
  const timestamp = BigInt(stack.devnet.pools[0].series[0]?.expiry ?? 0)
  await stack.devnet.testClient.setNextBlockTimestamp({ timestamp })
  await stack.devnet.testClient.mine({ blocks: 1 })
}, 60_000)
afterAll(() => stack?.stop())
afterEach(async () => {
  await node?.close()
  node = undefined
})

async function send(account: Parameters<Stack['devnet']['walletClient']>[0], call: object): Promise<void> {
  const { walletClient, publicClient } = stack.devnet
  // An estimate within the same second would not include any accrued interest.
  const hash = await walletClient(account).writeContract({ ...call, gas: 1_000_000n } as never)
  expect((await publicClient.waitForTransactionReceipt({ hash })).status).toBe('success')
}

/** Opens a 250,000 tUSD position in the nearest series. */
async function open(vrtAmount: bigint): Promise<void> {
  const [{ poolId, series }] = stack.devnet.pools
  const [maker] = stack.devnet.backers
  const client = new ServiceClient({ orderbookUrl: stack.url })
  client.setPrivateKey(maker.privateKey)
  const quote = {
    maker: maker.address,
    taker: zeroAddress,
    poolId,
    seriesKey: series[0]?.seriesKey ?? '0x',
    notional: 250_000_000_000n,
    vrtAmount,
    nonce: 0n,
    deadline: maxUint256,
    salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
  }
  const { signature } = await client.signQuoteMarketQuote(quote)
  await send(borrower(), takeQuoteParameters({ ...quote, signature }))
}

async function morphoCall(functionName: 'repay' | 'borrow', assets: bigint, shares: bigint): Promise<void> {
  const { publicClient, contracts, pools } = stack.devnet
  const morpho = { address: contracts.morpho, abi: morphoAbi } as const
  const [loanToken, collateralToken, oracle, irm, lltv] = await publicClient.readContract({
    ...morpho,
    functionName: 'idToMarketParams',
    args: [pools[0].market],
  })
  const params = { loanToken, collateralToken, oracle, irm, lltv }
  const { address } = borrower()
  const last = functionName === 'repay' ? '0x' : address
  const account = functionName === 'repay' ? stranger() : borrower()
  await send(account, { ...morpho, functionName, args: [params, assets, shares, address, last] })
}

/** The borrower's balance, the lender's allowance, and the shares of the debt. */
async function belongings(): Promise<{ balance: bigint; allowance: bigint; shares: bigint }> {
  const { publicClient, contracts, pools } = stack.devnet
  const token = { address: contracts.loanToken, abi: erc20Abi } as const
  const { address } = borrower()
  const [balance, allowance, [, shares]] = await Promise.all([
    publicClient.readContract({ ...token, functionName: 'balanceOf', args: [address] }),
    publicClient.readContract({ ...token, functionName: 'allowance', args: [address, contracts.morpho] }),
    publicClient.readContract({
      address: contracts.morpho,
      abi: morphoAbi,
      functionName: 'position',
      args: [pools[0].market, address],
    }),
  ])
  return { balance, allowance, shares }
}

const run = (...args: string[]) =>
  runCli(args, {
    environment: {
      FIRMQUOTE_URL: stack.url,
      FIRMQUOTE_RPC_URL: node?.url ?? stack.devnet.rpcUrl,
      FIRMQUOTE_PRIVATE_KEY: borrower().privateKey,
    },
  })
type Line = { type: string; data: Record<string, string> }
const linesOf = (out: string): Line[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const dataOf = (lines: Line[], type: string) => lines.find((line) => line.type === type)?.data ?? {}

/** Repays a share of the debt before the node gets these transactions, counted from 1. */
async function interfereBefore(...transactions: number[]): Promise<void> {
  let sent = 0
  await node?.close()
  node = await startNode(stack.devnet.rpcUrl, {
    eth_sendRawTransaction: async () => {
      sent += 1
      if (transactions.includes(sent)) await morphoCall('repay', 0n, 1n)
    },
  })
}

test('default', async () => {
  await repayPart()
  await repayAll()
  await repayNothing()
  await failThenRepay()
}, 60_000)

/** A payout below the debt is repaid to the unit. */
async function repayPart(): Promise<void> {
  const before = await belongings()
  const { out, err, code } = await run('settle', '1', '--repay')
  expect([err, code]).toEqual(['', exitCodes.ok])
  const [, withdrew] = /^Withdrew ([\d,.]+ tUSD) in block/m.exec(out) ?? []
  expect(out).toMatch(new RegExp(`which lets the lender spend your ${withdrew}; waiting`))
  expect(out).toMatch(new RegExp(`^Repaid ${withdrew} of the debt in block \\d+\\.$`, 'm'))
  expect(out).toMatch(/^4 transactions, /m)
  const after = await belongings()
  expect(after).toMatchObject({ balance: before.balance, allowance: 0n })
  expect(after.shares).toBeLessThan(before.shares)
}

/** All of the debt is repaid, although another account repays a share just before. */
async function repayAll(): Promise<void> {
  const { shares } = await belongings()
  // Leaves about 100 tUSD.
  await morphoCall('repay', 0n, shares - 100_000_000n * 1_000_000n)
  const before = await belongings()
  await interfereBefore(4)
  const { out, err, code } = await run('settle', '2', '--repay', '--json')
  expect([err, code]).toEqual(['', exitCodes.ok])
  const lines = linesOf(out)
  expect(lines.map(({ type }) => type)).toEqual([
    ...['plan', 'sent', 'settled', 'sent', 'withdrawn'],
    ...['approving', 'sent', 'failed', 'sent', 'repaid', 'approving', 'done'],
  ])
  const repaid = dataOf(lines, 'repaid')
  expect(repaid).toMatchObject({ all: true, token: stack.devnet.contracts.loanToken })
  const gained = BigInt(dataOf(lines, 'settled')['toBorrower'] ?? 0) - BigInt(repaid['amount'] ?? 0)
  expect(await belongings()).toEqual({ balance: before.balance + gained, allowance: 0n, shares: 0n })
}

async function repayNothing(): Promise<void> {
  const { out, code } = await run('settle', '3', '--repay')
  expect(out).toMatch(/\nWithdrew .*\nNo debt was repaid\.\n2 transactions, /)
  expect(code).toBe(exitCodes.ok)
}

/** A repayment that reverts each time leaves no allowance, and a later run repays the settled position's payout. */
async function failThenRepay(): Promise<void> {
  await morphoCall('borrow', 100_000_000n, 0n)
  const before = await belongings()
  await interfereBefore(4, 5, 6)
  const failed = await run('settle', '4', '--repay', '--json')
  const lines = linesOf(failed.out)
  expect(lines.filter(({ type }) => type === 'failed')).toHaveLength(2)
  expect(lines.at(-1)).toMatchObject({ type: 'approving', data: { amount: '0' } })
  expect(JSON.parse(failed.err)).toMatchObject({ error: { code: 'TRANSACTION_REVERTED' } })
  expect(failed.code).toBe(exitCodes.notExecutable)
  const payout = BigInt(dataOf(lines, 'withdrawn')['amount'] ?? 0)
  expect(await belongings()).toEqual({
    balance: before.balance + payout,
    allowance: 0n,
    shares: before.shares - 3n,
  })

  const { out, err, code } = await run('settle', '4', '--repay', '--json')
  expect([err, code]).toEqual(['', exitCodes.ok])
  const again = linesOf(out)
  expect(again.map(({ type }) => type)).toEqual(['plan', 'approving', 'sent', 'repaid', 'approving', 'done'])
  const repaid = BigInt(dataOf(again, 'repaid')['amount'] ?? 0)
  expect(await belongings()).toEqual({ balance: before.balance + payout - repaid, allowance: 0n, shares: 0n })
}
