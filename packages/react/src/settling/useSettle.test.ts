import '../../test/dom.ts'
import { borrowers, type DevnetAccount, devnetAddresses, interestRatePoolAbi } from '@firmquote/devnet'
import { deserializeSignedQuote, ServiceClient, settleParameters, takeQuoteParameters } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Address, bytesToHex, erc20Abi, getAddress, type Hex, parseEventLogs } from 'viem'
import { createWallet } from '../../test/createWallet.ts'
import { type RenderedHook, renderHook } from '../../test/renderHook.ts'
import { queryKeys } from '../index.ts'
import { readPayment, settledPayout, withdrawnAmount } from './readPayment.ts'
import { useObserve } from './useObserve.ts'
import { usePayment } from './usePayment.ts'
import { type SettleResult, useSettle } from './useSettle.ts'

type Opened = { positionId: bigint; seriesKey: Hex; expiry: number }

let stack: Stack
/** Positions of two borrowers: one in a later series and two in the first. Opened before the clock advances. */
let late: Opened
let early: [Opened, Opened]
/** A position in a series that no test lets expire. */
let running: Opened
const hooks: RenderedHook<unknown>[] = []

beforeAll(async () => {
  stack = await startStack()
  const [one, two] = borrowers
  late = await openPosition(1, one)
  running = await openPosition(2, one)
  early = [await openPosition(0, two), await openPosition(0, two)]
}, 60_000)

afterAll(async () => {
  for (const hook of hooks) hook.unmount()
  await stack?.stop()
}, 30_000)

/** Opens a borrower's position in a series, and returns its maturity. */
async function openPosition(at: 0 | 1 | 2, borrower: DevnetAccount): Promise<Opened> {
  const { devnet } = stack
  const [[maker], [pool]] = [devnet.backers, devnet.pools]
  const series = pool.series[at]
  if (!series) throw new TypeError('the devnet has no series')
  const signer = new ServiceClient({ orderbookUrl: stack.url })
  signer.setPrivateKey(maker.privateKey)
  const quote = await signer.signQuoteMarketQuote({
    maker: maker.address,
    taker: borrower.address,
    poolId: pool.poolId,
    seriesKey: series.seriesKey,
    notional: 50_000_000_000n,
    vrtAmount: 500_000_000n,
    nonce: 0n,
    deadline: BigInt(Math.floor(Date.now() / 1000) + 3_600),
    salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
  })
  const hash = await devnet.walletClient(borrower).writeContract(takeQuoteParameters(deserializeSignedQuote(quote)))
  const { logs } = await devnet.publicClient.waitForTransactionReceipt({ hash })
  const [opened] = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'PositionOpened', logs })
  if (!opened) throw new TypeError('the quote was not taken')
  return { positionId: opened.args.positionId, ...series }
}

const balanceOf = (address: Address) =>
  stack.devnet.publicClient.readContract({
    address: devnetAddresses.loanToken,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })

/** Advances the chain's clock, unless it is already later because tests ran in another order. */
async function travelTo(expiry: number): Promise<void> {
  const { timestamp } = await stack.devnet.publicClient.getBlock()
  if (timestamp >= BigInt(expiry)) return
  await stack.devnet.testClient.setNextBlockTimestamp({ timestamp: BigInt(expiry) })
  await stack.devnet.testClient.mine({ blocks: 1 })
}

/** Settles and withdraws with one press, and returns the two transactions. */
async function press({ until, cache, results }: RenderedHook<SettleResult>) {
  const asking = setInterval(() => void cache.invalidateQueries({ queryKey: queryKeys.positions }), 200)
  const { mutateAsync } = await until((result) => result.state.step === 'settle' && result.isReady)
  clearInterval(asking)
  await mutateAsync()
  const sent = results.flatMap(({ transaction }) => (transaction.state === 'confirmed' ? [transaction] : []))
  return [...new Map(sent.map((transaction) => [transaction.hash, transaction])).values()]
}

/** Resolves when no step remains. */
async function untilNothing({ until, cache }: RenderedHook<SettleResult>): Promise<SettleResult> {
  const asking = setInterval(() => void cache.invalidateQueries({ queryKey: queryKeys.positions }), 200)
  const result = await until(({ state, isPending }) => state.step === 'nothing' && !isPending)
  clearInterval(asking)
  return result
}

test('default: settles matured positions, then withdraws credits, with one press', async () => {
  const client = new ServiceClient({ orderbookUrl: stack.url })
  const [borrower] = borrowers
  const { expiry } = late
  const wallet = createWallet({ rpcUrl: stack.devnet.rpcUrl, address: borrower.address })
  const hook = renderHook(useSettle, { wagmi: wallet.wagmi, client })
  hooks.push(hook)
  const { until } = hook
  expect((await until(() => true)).state).toEqual({ step: 'connect' })
  await wallet.connect()
  expect((await until(({ state }) => state.step === 'nothing')).isReady).toBe(false)
  const before = await balanceOf(borrower.address)

  await travelTo(expiry)
  await press(hook)
  expect(await balanceOf(borrower.address)).toBeGreaterThan(before)
  expect(wallet.calls.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2)
  const { data } = await untilNothing(hook)
  expect(data).toMatchObject({ positions: [{ positionId: running.positionId }], withdrawable: [] })
}, 90_000)

test('behavior: observes the index of a position that still runs, which the service then reports', async () => {
  const client = new ServiceClient({ orderbookUrl: stack.url })
  const [borrower] = borrowers
  const { positionId } = running
  const wallet = createWallet({ rpcUrl: stack.devnet.rpcUrl, address: borrower.address })
  const hook = renderHook(() => useObserve(running), { wagmi: wallet.wagmi, client })
  hooks.push(hook)
  const { isReady, mutateAsync } = await hook.until(() => true)
  expect(isReady).toBe(false)
  await expect(mutateAsync()).rejects.toMatchObject({ code: 'NOT_READY' })
  await wallet.connect()
  const connected = await hook.until((result) => result.isReady)
  await connected.mutateAsync()
  const { transaction } = await hook.until((result) => result.transaction.state === 'confirmed' && !result.isPending)
  if (transaction.state !== 'confirmed') throw new TypeError('not confirmed')
  const { timestamp } = await stack.devnet.publicClient.getBlock({ blockNumber: transaction.block })
  const { positions } = await client.getPositions(borrower.address)
  const reading = { checkpointed: false, readAt: Number(timestamp) }
  expect(positions.find((position) => position.positionId === positionId)).toMatchObject(reading)
}, 60_000)

test('behavior: settles only the requested position, and reads its payment from the chain', async () => {
  const client = new ServiceClient({ orderbookUrl: stack.url })
  const [, borrower] = borrowers
  const [{ positionId, expiry }, other] = early
  const wallet = createWallet({ rpcUrl: stack.devnet.rpcUrl, address: borrower.address })
  const hook = renderHook(() => useSettle({ positionId }), { wagmi: wallet.wagmi, client })
  hooks.push(hook)
  await wallet.connect()
  await travelTo(expiry)
  const before = await balanceOf(borrower.address)
  const [settlement, withdrawal] = await press(hook)
  const { data } = await untilNothing(hook)
  const [position] = data?.positions ?? []
  expect(position).toMatchObject({ positionId, role: 'borrower' })
  expect(wallet.calls.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2)
  const { positions: left } = await client.getPositions(borrower.address)
  expect(left.map((one) => one.positionId)).toEqual([other.positionId])

  if (!settlement || !withdrawal) throw new TypeError('not confirmed')
  const { interestRatePool, loanToken: token } = devnetAddresses
  const paid = (await balanceOf(borrower.address)) - before
  const toMaker = 50_000_000_000n - paid + 500_000_000n
  expect(settledPayout(settlement.logs, { interestRatePool, positionId })).toMatchObject({ toBorrower: paid, toMaker })
  expect(settledPayout(settlement.logs, { interestRatePool, positionId: other.positionId })).toBeNull()
  expect(settledPayout(settlement.logs, { interestRatePool: token, positionId })).toBeNull()
  const account = borrower.address
  expect(withdrawnAmount(withdrawal.logs, { interestRatePool, account, token })).toBe(paid)
  expect(withdrawnAmount(withdrawal.logs, { interestRatePool, account: token, token })).toBeNull()
  expect(withdrawnAmount(settlement.logs, { interestRatePool, account, token })).toBeNull()

  const payment = renderHook(() => usePayment({ position }), { wagmi: wallet.wagmi, client })
  hooks.push(payment)
  const { data: read } = await payment.until((result) => result.data !== undefined)
  expect(read).toMatchObject({
    toBorrower: paid,
    toMaker,
    settledBy: getAddress(account),
    withdrawal: { amount: paid, transactionHash: withdrawal.hash },
  })
  expect(read?.settledAt).toBeGreaterThanOrEqual(expiry)
  // This transaction did not settle the position. A withdrawal before a settlement must not be attributed to the
  // settled position.
  const lie = position?.settlement && {
    ...position,
    settlement: { ...position.settlement, transactionHash: withdrawal.hash },
  }
  const wrong = renderHook(() => usePayment({ position: lie }), { wagmi: wallet.wagmi, client })
  hooks.push(wrong)
  expect((await wrong.until((result) => result.data !== undefined)).data).toBeNull()
  const { positionId: otherId } = other
  const call = settleParameters({ positionId: otherId })
  const hash = await stack.devnet.walletClient(stack.devnet.deployer).writeContract(call)
  await stack.devnet.publicClient.waitForTransactionReceipt({ hash })
  const settled = { interestRatePool, positionId: otherId, transactionHash: hash, account, token }
  expect(await readPayment(stack.devnet.publicClient, settled)).toMatchObject({
    settledBy: getAddress(stack.devnet.deployer.address),
    withdrawal: null,
  })
}, 90_000)
