// A dishonest node cannot make a program spend more than the user's limit, or grant an allowance to a third party.
//
// The attacker operates the node that the user chose, or sits between the two. In some attacks it also runs a maker that
// signs quotes. The service and the contracts are honest. After each attack, the chain itself shows what the user lost.

import { interestRatePoolAbi, type RFQBroadcast } from '@firmquote/core'
import { morphoAbi, morphoBlueAdapterAbi, rateAdapterAbi } from '@firmquote/devnet'
import { settle } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { createWalletClient, defineChain, erc20Abi, getAddress, http, numberToHex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { runCli } from '../../../../apps/cli/test/runCli.ts'
import { type BackerOptions, costOf, startBacker } from '../plannedBacker.ts'
import { stopAfter } from '../stopAfter.ts'
import { all, type LyingNode, lie, startLyingNode } from './lyingNode.ts'

const attacker = getAddress(privateKeyToAccount(generatePrivateKey()).address)
const notional = 100_000_000_000n
const year = 365 * 86_400

let stack: Stack
let node: LyingNode
const started = stopAfter(afterAll)
const startedHere = stopAfter(afterEach)
let offer: BackerOptions['quote']
const user = () => stack.devnet.newcomers[0]

beforeAll(async () => {
  stack = started(await startStack({ AUCTION_DURATION_MS: '2500', RFQS_PER_MINUTE: '1000' }))
  node = await startLyingNode(stack.devnet.rpcUrl)
  started({ stop: node.close })
  started(await startBacker(stack.url, stack.devnet.backers[0], { quote: (rfq) => offer(rfq) }))
}, 60_000)
afterEach(() => {
  node.lies = {}
})

/** What the user has, and every allowance that it granted since a block. */
async function belongings(since: bigint) {
  const { publicClient, contracts, pools } = stack.devnet
  const { address } = user()
  const token = { address: contracts.loanToken, abi: erc20Abi } as const
  const [balance, coins, approvals] = await Promise.all([
    publicClient.readContract({ ...token, functionName: 'balanceOf', args: [address] }),
    publicClient.getBalance({ address }),
    publicClient.getContractEvents({
      abi: erc20Abi,
      eventName: 'Approval',
      args: { owner: address },
      fromBlock: since,
    }),
  ])
  const granted = approvals.map(({ address, args: { spender, value = 0n } }) => ({
    of: getAddress(address),
    spender,
    value,
  }))
  return { balance, coins, granted, pool: pools[0] }
}

const head = () => stack.devnet.publicClient.getBlockNumber({ cacheTime: 0 })
const run = (...args: string[]) =>
  runCli(args, {
    environment: {
      FIRMQUOTE_URL: stack.url,
      FIRMQUOTE_RPC_URL: node.url,
      FIRMQUOTE_PRIVATE_KEY: user().privateKey,
    },
  })

/** Runs `firmquote rfq --take` for the series of about three months, at most 12 % a year. */
function take(quote: BackerOptions['quote'], ...more: string[]) {
  offer = quote
  const { poolId, seriesKey } = stack.series
  const series = ['--pool', poolId, '--series', seriesKey, '--notional', '100k']
  return run('rfq', ...series, '--take', '--approve', '--max-apr', '12', ...more)
}

const at = (aprBps: bigint) => (rfq: RFQBroadcast) => ({ vrtAmount: costOf(rfq, rfq.notional, aprBps) })
const limitOf = () => costOf({ expiry: stack.devnet.pools[0].series[2]?.expiry ?? 0 }, notional, 1_200n)

const seriesOf = async () =>
  stack.devnet.publicClient.readContract({
    address: stack.devnet.contracts.interestRatePool,
    abi: interestRatePoolAbi,
    functionName: 'series',
    args: [stack.series.seriesKey],
  })

test('error: a longer series, with a colluding maker: the rate limit does not grow', async () => {
  const [poolId, expiry, cap, outstanding] = await seriesOf()
  node.lies.call = lie(interestRatePoolAbi, 'series', [poolId, expiry + BigInt(2 * year), cap, outstanding])
  const since = await head()
  const before = await belongings(since)
  const { err, code } = await take((rfq) => at(1_150n)({ ...rfq, expiry: rfq.expiry + 2 * year }))
  expect(err).toMatch(/after the latest accepted/)
  expect(code).not.toBe(0)
  expect(await belongings(since)).toEqual(before)
}, 30_000)

test("error: another token as the pool's: no allowance is granted in it", async () => {
  const { poolId } = stack.series
  const { interestRatePool } = stack.devnet.contracts
  const [, adapter, market] = await stack.devnet.publicClient.readContract({
    address: interestRatePool,
    abi: interestRatePoolAbi,
    functionName: 'pools',
    args: [poolId],
  })
  const other = attacker
  node.lies.call = all(
    lie(interestRatePoolAbi, 'pools', [other, adapter, market]),
    lie(erc20Abi, 'balanceOf', 10n ** 30n, other),
    ({ to, data }) =>
      to.toLowerCase() === other.toLowerCase() && data.startsWith('0xdd62ed3e')
        ? numberToHex(10n ** 30n, { size: 32 })
        : undefined,
  )
  const since = await head()
  const before = await belongings(since)
  const { err, code } = await take(at(600n))
  expect(err).toMatch(/loan token is 0x\w+ on-chain, not 0x/)
  expect(code).not.toBe(0)
  expect(await belongings(since)).toEqual(before)
}, 30_000)

const inFill = (change: object) => (filled: unknown) => {
  const { tx } = filled as { tx: object }
  return { ...(filled as object), tx: { ...tx, ...change } }
}
const much = numberToHex(parseEther('0.001'))
const limited = /gas fee of up to [\d.]+ ETH, above the limit of 0\.05 ETH/

test.each([
  ['tip', { eth_fillTransaction: inFill({ maxFeePerGas: much, maxPriorityFeePerGas: much }) }, limited],
  ['gas limit', { eth_fillTransaction: inFill({ gas: numberToHex(10n ** 12n) }) }, limited],
  ['chain id in a transaction', { eth_fillTransaction: inFill({ chainId: '0x1' }) }, /names chain 1, not chain 8453/],
  // Without a transaction in the result, viem asks for each part of it.
  [
    'tip of a node that fills no transactions',
    { eth_fillTransaction: null, eth_maxPriorityFeePerGas: () => much },
    limited,
  ],
  ['gas estimate', { eth_fillTransaction: null, eth_estimateGas: () => numberToHex(10n ** 12n) }, limited],
  [
    'base fee',
    {
      eth_fillTransaction: null,
      eth_getBlockByNumber: (block: unknown) => ({ ...(block as object), baseFeePerGas: much }),
    },
    limited,
  ],
  ['chain id', { eth_chainId: () => '0x1' }, /on chain 1, not on chain 8453/],
])(
  'error: a false %s: nothing is sent',
  async (_, methods, message) => {
    node.lies.methods = methods
    const since = await head()
    const before = await belongings(since)
    const { err, code } = await take(at(600n))
    expect(err).toMatch(message)
    expect(code).not.toBe(0)
    expect(await belongings(since)).toEqual(before)
  },
  30_000,
)

test('behavior: false balances, allowances and previews: the take costs at most the limit', async () => {
  node.lies.call = all(
    lie(erc20Abi, 'balanceOf', 10n ** 30n),
    // The maker's allowance stays true.
    ({ to, data }) =>
      data.includes(user().address.slice(2).toLowerCase()) ? lie(erc20Abi, 'allowance', 0n)({ to, data }) : undefined,
    lie(interestRatePoolAbi, 'isOperator', false),
  )
  const since = await head()
  const before = await belongings(since)
  // The program grants what the node says is missing, again and again.
  await take(at(1_100n), '--one-by-one')
  const after = await belongings(since)
  expect(before.balance - after.balance).toBeLessThanOrEqual(limitOf())
  const { quoteMarket, loanToken } = stack.devnet.contracts
  expect(after.granted.length).toBeGreaterThan(0)
  for (const { of, spender, value } of after.granted) {
    expect([of, spender]).toEqual([loanToken, quoteMarket])
    expect(value).toBeLessThanOrEqual(limitOf())
  }
}, 30_000)

test('error: a false revert of each take: the next best quotes are not taken as well', async () => {
  const { quoteMarket } = stack.devnet.contracts
  node.lies.methods = {
    eth_getTransactionReceipt(honest) {
      const receipt = honest as { to: string } | null
      return receipt?.to === quoteMarket.toLowerCase() ? { ...receipt, status: '0x0', logs: [] } : receipt
    },
  }
  const others = stack.devnet.backers.slice(1)
  for (const other of others) startedHere(await startBacker(stack.url, other, { quote: at(700n) }))
  const since = await head()
  const before = await belongings(since)
  const { err, code } = await take(at(700n), '--one-by-one')
  expect(err).toMatch(/reports that the transaction 0x\w+ reverted, but the service saw it take a quote/)
  expect(code).not.toBe(0)
  const after = await belongings(since)
  expect(before.balance - after.balance).toBeGreaterThan(0n)
  expect(before.balance - after.balance).toBeLessThanOrEqual(limitOf())
}, 60_000)

/** Lies of which each step follows from the last: a settled position of the user, and its debt to the attacker. */
function payoutAtAttacker(): LyingNode['lies'] {
  const { contracts, pools, backers } = stack.devnet
  const [{ poolId, market }] = pools
  const adapter = attacker
  const position = [backers[0].address, user().address, 1n, true, poolId, stack.series.seriesKey, notional, 1n, 1n]
  return {
    call: all(
      lie(interestRatePoolAbi, 'positions', position),
      lie(interestRatePoolAbi, 'series', [poolId, 1n, notional, notional]),
      lie(interestRatePoolAbi, 'checkpoints', [10n ** 36n, 1n]),
      lie(interestRatePoolAbi, 'indexAtExpiry', 10n ** 36n),
      lie(interestRatePoolAbi, 'pools', [contracts.loanToken, adapter, market]),
      lie(morphoBlueAdapterAbi, 'morpho', attacker),
      lie(rateAdapterAbi, 'debtOf', 10n ** 30n),
      lie(rateAdapterAbi, 'ratePerSec', 1n),
      lie(morphoAbi, 'position', [0n, 10n ** 30n, 0n]),
      lie(erc20Abi, 'allowance', 0n),
      marketParams,
    ),
  }
}
let marketParams: NonNullable<LyingNode['lies']['call']>

beforeAll(async () => {
  const params = await stack.devnet.publicClient.readContract({
    address: stack.devnet.contracts.morpho,
    abi: morphoAbi,
    functionName: 'idToMarketParams',
    args: [stack.devnet.pools[0].market],
  })
  marketParams = lie(morphoAbi, 'idToMarketParams', params)
})

test.each([
  ['firmquote settle --repay', () => run('settle', '1', '--repay')],
  [
    "the SDK's settle",
    () => {
      const chain = defineChain({
        id: stack.devnet.chainId,
        name: 'devnet',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: [node.url] } },
      })
      const walletClient = createWalletClient({
        account: privateKeyToAccount(user().privateKey),
        chain,
        transport: http(node.url),
      })
      return settle([1n], { walletClient, repay: true, withdrawn: true })
    },
  ],
])(
  'error: a lender of its own, with %s: no allowance is granted to it',
  async (_, attempt) => {
    node.lies = payoutAtAttacker()
    const since = await head()
    const before = await belongings(since)
    await attempt()
    expect(await belongings(since)).toEqual(before)
  },
  30_000,
)
