import { setTimeout as sleep } from 'node:timers/promises'
import { interestRatePoolAbi, ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { bytesToHex, erc20Abi, maxUint256, zeroAddress, zeroHash } from 'viem'
import { runCli } from '../test/runCli.ts'
import { exitCodes } from './exitCodes.ts'

// All tests share one chain. Only one test advances the chain's time, past the expiry of the first three series. The last
// series never expires.

let stack: Stack
const last = () => stack.devnet.pools[0].series.length - 1
const maker = () => stack.devnet.backers[0]
const borrower = () => stack.devnet.borrowers[0]

beforeAll(async () => {
  stack = await startStack({ LOG_LEVEL: 'warn' })
  for (const vrtAmount of [1_000_000n, 2_000_000n, 3_000_000n]) await open(0, vrtAmount)
  await open(last(), 4_000_000n)
  await isSynced()
}, 60_000)
afterAll(() => stack?.stop())

/** Opens a 250,000 tUSD position in a series, with the first maker and the first borrower. */
async function open(series: number, vrtAmount: bigint): Promise<void> {
  const [{ poolId, series: all }] = stack.devnet.pools
  const client = new ServiceClient({ orderbookUrl: stack.url })
  client.setPrivateKey(maker().privateKey)
  const quote = {
    maker: maker().address,
    taker: zeroAddress,
    poolId,
    seriesKey: all[series]?.seriesKey ?? '0x',
    notional: 250_000_000_000n,
    vrtAmount,
    nonce: 0n,
    deadline: maxUint256,
    salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
  }
  const { signature } = await client.signQuoteMarketQuote(quote)
  const { walletClient, publicClient } = stack.devnet
  // A gas estimate within the same second would not include any accrued interest.
  const call = { ...takeQuoteParameters({ ...quote, signature }), gas: 1_000_000n }
  const hash = await walletClient(borrower()).writeContract(call)
  expect((await publicClient.waitForTransactionReceipt({ hash })).status).toBe('success')
}

/** Waits until the service has the newest block. */
async function isSynced(): Promise<void> {
  const head = Number(await stack.devnet.publicClient.getBlockNumber({ cacheTime: 0 }))
  const client = new ServiceClient({ orderbookUrl: stack.url })
  while (((await client.getHealth()).sync.synced ?? 0) < head) await sleep(20)
}

const run = (args: string[], key = borrower().privateKey) =>
  runCli(args, {
    environment: {
      FIRMQUOTE_URL: stack.url,
      FIRMQUOTE_RPC_URL: stack.devnet.rpcUrl,
      FIRMQUOTE_PRIVATE_KEY: key,
    },
  })
const balanceOf = (address = borrower().address) =>
  stack.devnet.publicClient.readContract({
    address: stack.devnet.contracts.loanToken,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })
/** Converts `1,234.5 tUSD` to raw units. */
const rawOf = (text = '') => {
  const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}

test('error: an unexpired position, with its expiry', async () => {
  const sent = await stack.devnet.publicClient.getTransactionCount({ address: borrower().address })
  const { out, err, code } = await run(['settle', '4'])
  const expiry = stack.devnet.pools[0].series.at(-1)?.expiry ?? 0
  const day = new Date(expiry * 1_000).toISOString().slice(0, 10)
  expect(err).toContain(`Position 4 can be settled from ${day} 00:00 UTC. No transaction was sent.`)
  expect([out, code]).toEqual(['', exitCodes.notExecutable])
  expect(await stack.devnet.publicClient.getTransactionCount({ address: borrower().address })).toBe(sent)
})

test.each([
  ['no position', [], 'USAGE', exitCodes.usage],
  ['what is no number', ['0x1'], 'USAGE', exitCodes.usage],
  ['a position that is not there', ['999'], 'POSITION_NOT_FOUND', exitCodes.notExecutable],
])('error: %s', async (_, args, name, code) => {
  const result = await run(['settle', ...args, '--json'])
  expect(JSON.parse(result.err)).toMatchObject({ error: { code: name } })
  expect(result.code).toBe(code)
})

test.each([
  ['what is neither a number nor a key', '0x1', 'USAGE', exitCodes.usage],
  ['a position that is not there', '999', 'POSITION_NOT_FOUND', exitCodes.notExecutable],
  ['a series that is not there', zeroHash, 'SERIES_NOT_FOUND', exitCodes.notExecutable],
])('error: observing %s', async (_, target, name, code) => {
  const result = await run(['observe', target, '--json'])
  expect(JSON.parse(result.err)).toMatchObject({ error: { code: name } })
  expect(result.code).toBe(code)
})

test('behavior: with nothing to settle and nothing to withdraw, nothing is sent', async () => {
  const { out, err, code } = await run(['settle', '--all'], stack.devnet.borrowers[2].privateKey)
  expect(out).toBe('No positions to settle.\nNothing to withdraw; no transaction was sent.\n')
  expect([err, code]).toEqual(['', exitCodes.ok])
})

test('default', async () => {
  await settleOne()
  await settleSeveral()
  await withdrawAsMaker()
  await settleWithoutKeeper()
  await observeSeries()
}, 60_000)

/** Settles one position by its number and withdraws its payout. */
async function settleOne(): Promise<void> {
  const { testClient, pools } = stack.devnet
  const expiry = pools[0].series[0]?.expiry ?? 0
  await testClient.setNextBlockTimestamp({ timestamp: BigInt(expiry) })
  await testClient.mine({ blocks: 1 })
  await isSynced()
  const shown = await run(['positions', borrower().address])
  expect(shown.out).toMatch(/^position +1 {2}borrower .* settleable +no +[\d,.]+ tUSD +- +-$/m)
  expect(shown.out).toMatch(/^position +4 {2}borrower .* open +no +[\d,.]+ tUSD +- +-$/m)

  const before = await balanceOf()
  const { out, err, code } = await run(['settle', '1'])
  expect([err, code]).toEqual(['', exitCodes.ok])
  expect(out).toMatch(
    /^Settling 1 position in 1 transaction, for about 0\.\d+ ETH of gas: 1\.\nThis creates the checkpoint of 1 series,/,
  )
  const [, toBorrower] = /^Position 1 was settled in block \d+: ([\d,.]+) tUSD to the borrower, /m.exec(out) ?? []
  const [, withdrew] = /^Withdrew ([\d,.]+) tUSD in block \d+\.$/m.exec(out) ?? []
  expect(rawOf(toBorrower)).toBeGreaterThan(0n)
  expect(withdrew).toBe(toBorrower)
  expect((await balanceOf()) - before).toBe(rawOf(withdrew))
  expect(out).toMatch(/2 transactions, 0\.\d+ ETH of gas\.\n$/)
}

/** Settles several positions at once through the keeper bundler. The output is JSON, one object per line. */
async function settleSeveral(): Promise<void> {
  await isSynced()
  const before = await balanceOf()
  const { out, err, code } = await run(['settle', '--all', '--json'])
  expect([err, code]).toEqual(['', exitCodes.ok])
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ type }) => type)).toEqual(['plan', 'sent', 'settled', 'settled', 'sent', 'withdrawn', 'done'])
  const [plan, , first, second, , withdrawn, done] = lines.map(({ data }) => data)
  expect(plan).toMatchObject({ positionIds: ['2', '3'], transactions: 1, estimatedFee: expect.stringMatching(/^\d+$/) })
  // Settling the first position created the checkpoint.
  expect(plan).toMatchObject({ checkpoints: [] })
  expect([first.positionId, second.positionId]).toEqual(['2', '3'])
  expect(first.transactionHash).toBe(second.transactionHash)
  expect(BigInt(withdrawn.amount)).toBe(BigInt(first.toBorrower) + BigInt(second.toBorrower))
  expect((await balanceOf()) - before).toBe(BigInt(withdrawn.amount))
  expect(done).toMatchObject({ transactions: 2 })
}

/**
 * Withdraws the credits that the maker received when others settled its positions. The history contains all positions.
 */
async function withdrawAsMaker(): Promise<void> {
  await isSynced()
  const before = await balanceOf(maker().address)
  const { out, code } = await run(['settle', '--all'], maker().privateKey)
  expect(out).toMatch(
    /^No positions to settle\.\nThe next position .*\nSent .*\nWithdrew [\d,.]+ tUSD in block \d+\.\n1 tr/,
  )
  expect(code).toBe(exitCodes.ok)
  await isSynced()
  const paid = (await balanceOf(maker().address)) - before
  const { out: json } = await run(['positions', maker().address, '--all', '--limit', '3', '--json'])
  const page = JSON.parse(json)
  const rest = JSON.parse(
    (await run(['positions', maker().address, '--all', '--cursor', page.nextCursor, '--json'])).out,
  )
  const positions = [...page.positions, ...rest.positions]
  expect(positions.map(({ positionId }) => positionId)).toEqual(['4', '3', '2', '1'])
  expect([page.withdrawable, rest.nextCursor]).toEqual([[], null])
  const settled = positions.flatMap(({ settlement }) => (settlement ? [settlement] : []))
  expect(settled.reduce((sum, { toMaker }) => sum + BigInt(toMaker), 0n)).toBe(paid)
  const { out: table } = await run(['positions', maker().address, '--all'])
  expect(table).toMatch(
    /^KIND +POSITION .* SETTLED BY +COLLATERAL +HEALTH\nposition .*open .* - +- +-\n(position .* settled .* 0x[0-9a-f]{64} +- +-\n?){3}/m,
  )
}

/** Settles positions one at a time, because no keeper bundler belongs to the pool. */
async function settleWithoutKeeper(): Promise<void> {
  const { testClient } = stack.devnet
  const late = stack.devnet.pools[0].series[1]?.expiry ?? 0
  await open(1, 5_000_000n)
  await open(1, 6_000_000n)
  await testClient.setNextBlockTimestamp({ timestamp: BigInt(late) + 3_600n })
  await testClient.mine({ blocks: 1 })
  await isSynced()
  const keeper = ['--keeper-bundler', stack.devnet.contracts.loanToken]
  const { out, code } = await run(['settle', '5', '--all', '--json', ...keeper])
  const types = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type)
  expect(types).toEqual(['plan', 'sent', 'settled', 'sent', 'settled', 'sent', 'withdrawn', 'done'])
  expect(code).toBe(exitCodes.ok)
}

/** Observes a series' index a day before its expiry, then creates its checkpoint. */
async function observeSeries(): Promise<void> {
  const { testClient, publicClient, pools, contracts } = stack.devnet
  const { seriesKey = '0x', expiry = 0 } = pools[0].series[2] ?? {}
  await open(2, 7_000_000n)
  const mineAt = async (timestamp: number) => {
    await testClient.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
    await testClient.mine({ blocks: 1 })
  }
  const read = (functionName: 'observations' | 'checkpoints') =>
    publicClient.readContract({
      address: contracts.interestRatePool,
      abi: interestRatePoolAbi,
      functionName,
      args: [seriesKey],
    })
  const from = expiry - 86_400
  await mineAt(from - 1)
  const early = await run(['observe', '7'])
  const when = new Date(from * 1_000).toISOString().slice(0, 10)
  expect(early.err).toContain(
    `can be observed from ${when} 00:00 UTC, one day before the expiry. No transaction was sent.`,
  )
  expect([early.code, await read('observations')]).toEqual([exitCodes.notExecutable, [0n, 0n]])

  await mineAt(from)
  const observed = await run(['observe', '7', '--json'])
  expect([observed.err, observed.code]).toEqual(['', exitCodes.ok])
  const [index, readAt] = await read('observations')
  const reading = { seriesKey, checkpointed: false, index: String(index), readAt: String(readAt) }
  const output = JSON.parse(observed.out)
  expect(output).toMatchObject(reading)
  // If the call had been mined at the expiry, it would have needed this much more.
  const { gas } = await publicClient.getTransaction({ hash: output.transactionHash })
  const { gasUsed } = await publicClient.getTransactionReceipt({ hash: output.transactionHash })
  expect(gas - gasUsed).toBeGreaterThanOrEqual(30_000n)
  expect(readAt).toBeGreaterThanOrEqual(BigInt(from))
  await isSynced()
  const { positions } = JSON.parse((await run(['positions', borrower().address, '--json'])).out)
  expect(positions.at(-1)).toMatchObject({ positionId: '7', checkpointed: false, readAt: Number(readAt) })

  await mineAt(expiry)
  const checkpointed = await run(['observe', seriesKey])
  expect(checkpointed.out).toMatch(/^Sent .*\nThe series has its checkpoint as of block \d+\. The payouts of its /)
  expect((await read('checkpoints'))[1]).toBeGreaterThanOrEqual(BigInt(expiry))
  const again = await run(['observe', seriesKey])
  expect(again.out).toMatch(/^The series has had its checkpoint since .*\. No transaction was sent\.\n$/)
  await isSynced()
  expect((await run(['positions', borrower().address])).out).toMatch(/^position +7 .* settleable +yes +[\d,.]+ tUSD/m)
}
