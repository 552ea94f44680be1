// This file has over 400 lines because all hook tests share one devnet and one service.

import '../test/dom.ts'
import { join } from 'node:path'
import { borrowers, type DevnetAccount, devnetAddresses } from '@firmquote/devnet'
import {
  type AccountPositions,
  type BaseError,
  cancelQuoteParameters,
  deserializeSignedQuote,
  hashQuote,
  ServiceClient,
  type SignedQuote,
} from '@firmquote/sdk'
import { type DaemonProcess, startDaemon } from '@firmquote/test-support/startDaemon'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, bytesToHex, erc20Abi, type Hex, parseAbi, zeroAddress } from 'viem'
import { createWallet, type TestWallet } from '../test/createWallet.ts'
import { type RenderedHook, renderHook } from '../test/renderHook.ts'
import {
  isUnknownAuction,
  NotReadyError,
  queryKeys,
  serverNow,
  useAuction,
  useBlock,
  useChain,
  useExecutability,
  usePositions,
  useProveTaker,
  useQuote,
  useQuoteStates,
  useQuotes,
  useRateHistory,
  useServerNow,
  useStartAuction,
  useTake,
  useTransaction,
} from './index.ts'

let stack: Stack
let daemon: DaemonProcess
let client: ServiceClient
const mounted: RenderedHook<unknown>[] = []

beforeAll(async () => {
  stack = await startStack({ AUCTION_DURATION_MS: '1500' })
  client = new ServiceClient({ orderbookUrl: stack.url })
  daemon = startDaemon(stack, { account: stack.devnet.backers[0], folder: join(stack.folder, 'maker'), spreadBps: 20 })
  await daemon.says(/^ready /m)
}, 60_000)

afterAll(async () => {
  for (const hook of mounted) hook.unmount()
  daemon?.child.kill('SIGTERM')
  await daemon?.ended
  await stack?.stop()
}, 30_000)

function mount<Result>(useHook: () => Result, wallet: TestWallet): RenderedHook<Result> {
  const hook = renderHook(useHook, { wagmi: wallet.wagmi, client })
  mounted.push(hook)
  return hook
}

async function walletOf(address: Address, more: { atomic?: 'ready' } = {}): Promise<TestWallet> {
  const wallet = createWallet({ rpcUrl: stack.devnet.rpcUrl, address, ...more })
  await wallet.connect()
  return wallet
}

/** Funds an anvil account that the devnet does not fund. */
async function newcomer(address: Address, more: { atomic?: 'ready' } = {}): Promise<TestWallet> {
  const hash = await stack.devnet.walletClient(stack.devnet.deployer).writeContract({
    address: devnetAddresses.loanToken,
    abi: parseAbi(['function mint(address to, uint256 amount)']),
    functionName: 'mint',
    args: [address, 10_000_000_000n],
  })
  await stack.devnet.publicClient.waitForTransactionReceipt({ hash })
  return walletOf(address, more)
}

const token = { address: devnetAddresses.loanToken, abi: erc20Abi } as const
const allowanceOf = (owner: Address) =>
  stack.devnet.publicClient.readContract({
    ...token,
    functionName: 'allowance',
    args: [owner, devnetAddresses.quoteMarket],
  })

function requestOf() {
  const [pool] = stack.devnet.pools
  const [series] = pool.series
  if (!series) throw new TypeError('the devnet has no series')
  return { poolId: pool.poolId, seriesKey: series.seriesKey, notional: 50_000_000_000n }
}

/** Runs an auction and returns its best quote and request. */
async function auctionFor(taker: Address) {
  const auction = await client.requestQuotes({ ...requestOf(), taker })
  const [best] = auction.quotes
  if (!best) throw new TypeError('no quotes received')
  return { auction, signed: best.quote }
}

/** Publishes a maker's quote that anyone can take. Returns its hash. */
async function publish(): Promise<Hex> {
  const { notional } = requestOf()
  const { signer, quote } = await signQuote(stack.devnet.backers[1], { notional, vrtAmount: notional / 100n })
  const { hash } = await signer.submitQuoteMarketQuote(quote)
  return hash
}

/** Signs a maker's quote that anyone can take. */
async function signQuote(maker: DevnetAccount, { notional, vrtAmount }: { notional: bigint; vrtAmount: bigint }) {
  const signer = new ServiceClient({ orderbookUrl: stack.url })
  signer.setPrivateKey(maker.privateKey)
  const { seriesKey, poolId } = requestOf()
  const quote = await signer.signQuoteMarketQuote({
    ...{ maker: maker.address, taker: zeroAddress, poolId, seriesKey, notional, vrtAmount },
    nonce: 0n,
    deadline: BigInt(Math.floor(Date.now() / 1000) + 3_600),
    salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
  })
  return { signer, quote, signed: deserializeSignedQuote(quote) }
}

describe('the service', () => {
  test('default: useStartAuction opens an auction, and useAuction follows it to its close', async () => {
    const wallet = await walletOf(borrowers[0].address)
    const request = requestOf()
    const hook = mount(() => {
      const start = useStartAuction()
      const rfqId = start.data?.rfqId
      const count = useAuction({ rfqId, query: { select: ({ quotes }) => quotes.length } })
      return { start, auction: useAuction({ rfqId }), count }
    }, wallet)
    const idle = await hook.until(() => true)
    expect([idle.start.isPending, idle.auction.data, idle.auction.fetchStatus]).toEqual([false, undefined, 'idle'])
    idle.start.mutate(request)
    const { auction } = await hook.until((result) => result.auction.data?.status === 'closed')
    expect(auction.data).toMatchObject({ ...request, backers: 1 })
    expect(auction.data?.quotes).toHaveLength(1)
    const { count } = hook.current()
    expect([count.data satisfies number | undefined, count.error satisfies BaseError | null]).toEqual([1, null])
    // The quote arrived before the close, so the stream delivered it.
    expect(hook.results.some(({ auction: { data } }) => data?.status === 'open' && data.quotes.length === 1)).toBe(true)
    expect(hook.cache.getQueryCache().findAll({ queryKey: queryKeys.auction })).not.toEqual([])
    expect(
      hook.cache
        .getQueryCache()
        .findAll()
        .every(({ queryKey }) => queryKey[0] === 'firmquote' || queryKey[0] === 'connectorClient'),
    ).toBe(true)
  })

  test('error: useAuction reports an unknown auction', async () => {
    const hook = mount(() => useAuction({ rfqId: 'f'.repeat(32) }), await walletOf(borrowers[0].address))
    const { error } = await hook.until((result) => result.error !== null)
    expect(error && isUnknownAuction(error)).toBe(true)
  })

  test('default: useQuotes finds published quotes, and useQuote reads one with its status', async () => {
    const hash = await publish()
    const { poolId } = requestOf()
    const hook = mount(
      () => ({ all: useQuotes({ poolId, minNotional: 50_000_000_000n }), one: useQuote({ hash }) }),
      await walletOf(borrowers[0].address),
    )
    const { all, one } = await hook.until((result) => !result.all.isPending && !result.one.isPending)
    expect(all.data?.quotes.map((quote) => quote.hash)).toContain(hash)
    expect(one.data).toMatchObject({ hash, status: 'active' })
  })

  test('default: usePositions returns the account’s debts, and is disabled without an account', async () => {
    const wallet = await walletOf(borrowers[1].address)
    const hook = mount(
      () => ({ own: usePositions({ address: wallet.address }), none: usePositions({ address: undefined }) }),
      wallet,
    )
    const { own, none } = await hook.until((result) => result.own.data !== undefined)
    expect(own.data?.address).toBe(wallet.address)
    expect(own.data?.debts[0]?.debt).toBeGreaterThan(0n)
    expect([none.data, none.fetchStatus]).toEqual([undefined, 'idle'])
  })

  test('default: `query` selects from the data, and disables a hook', async () => {
    const wallet = await walletOf(borrowers[1].address)
    const hook = mount(() => {
      const query = { select: (account: AccountPositions) => account.debts.length }
      const debts = usePositions({ address: wallet.address, query })
      return { debts, off: usePositions({ address: borrowers[2].address, query: { enabled: false } }) }
    }, wallet)
    const { debts, off } = await hook.until((result) => result.debts.isSuccess)
    expect(debts.data satisfies number | undefined).toBeGreaterThan(0)
    expect([off.data, off.fetchStatus]).toEqual([undefined, 'idle'])
  })

  test('default: useRateHistory returns the pool’s floating rate, and is disabled without a pool', async () => {
    const { poolId } = requestOf()
    const hook = mount(
      () => ({ known: useRateHistory({ poolId }), none: useRateHistory({ poolId: undefined }) }),
      await walletOf(borrowers[0].address),
    )
    const { known, none } = await hook.until((result) => result.known.data !== undefined)
    expect(known.data).toMatchObject({ poolId, step: 86_400 })
    expect([none.data, none.fetchStatus]).toEqual([undefined, 'idle'])
    expect(hook.cache.getQueryCache().findAll({ queryKey: queryKeys.history })).toHaveLength(2)
  })

  test('default: useServerNow ticks by the server’s clock, which the provider keeps', async () => {
    const hook = mount(() => useServerNow({ intervalMs: 10 }), await walletOf(borrowers[0].address))
    const first = await hook.until(() => true)
    await hook.until((now) => now > first)
    const { serverTime } = await client.getHealth()
    expect(Math.abs((serverTime ?? 0) - serverNow())).toBeLessThan(5_000)
  })
})

describe('the chain', () => {
  test('default: useChain and useBlock work through the connected wallet', async () => {
    const wallet = createWallet({ rpcUrl: stack.devnet.rpcUrl, address: borrowers[0].address })
    const hook = mount(() => ({ chain: useChain(), block: useBlock() }), wallet)
    expect((await hook.until(() => true)).chain).toEqual({ state: 'none' })
    await wallet.connect()
    const { chain, block } = await hook.until((result) => result.block.data !== undefined)
    expect(chain).toMatchObject({ state: 'ready', client: { account: { address: wallet.address } } })
    expect(block.data?.number).toBeGreaterThan(0n)
  })

  test('default: useQuoteStates and useExecutability read an auction’s quotes for the account', async () => {
    const wallet = await walletOf(borrowers[0].address)
    const { auction, signed } = await auctionFor(wallet.address)
    const hook = mount(
      () => ({
        states: useQuoteStates({ quotes: auction.quotes }),
        checks: useExecutability({ quote: signed, request: auction }),
        failed: useExecutability({
          ...{ quote: signed, request: auction },
          query: { select: ({ checks }) => checks.filter(({ ok }) => !ok).length },
        }),
      }),
      wallet,
    )
    const { states, checks, failed } = await hook.until(
      (result) => result.states.source === 'chain' && !result.checks.isPending,
    )
    expect([checks.data?.executable, failed.data]).toEqual([true, 0])
    expect(states.source === 'chain' && states.states.get(auction.quotes[0]?.hash ?? '0x')?.status).toBe('open')

    // Checks against different limits are cached separately.
    const dear = mount(
      () => useExecutability({ quote: signed, request: { ...auction, maxVrtAmount: signed.vrtAmount - 1n } }),
      wallet,
    )
    const { data } = await dear.until((result) => !result.isPending)
    expect(data?.checks.filter(({ ok }) => !ok)).toMatchObject([{ name: 'terms' }])
  })

  test('error: useTransaction sends nothing without a wallet, and reports a user rejection', async () => {
    const call = { to: borrowers[2].address, data: '0x', value: 0n } as const
    const nobody = createWallet({ rpcUrl: stack.devnet.rpcUrl, address: borrowers[0].address })
    const without = mount(() => useTransaction({ key: 'test.without' }), nobody)
    await expect((await without.until(() => true)).mutateAsync(call)).rejects.toThrow(NotReadyError)
    expect(without.current().transaction).toEqual({ state: 'idle' })

    const wallet = await walletOf(borrowers[0].address)
    const hook = mount(() => ({ sending: useTransaction({ key: 'test.refused' }), chain: useChain() }), wallet)
    const { sending } = await hook.until(({ chain }) => chain.state === 'ready')
    wallet.rejectNext()
    await expect(sending.mutateAsync(call)).rejects.toThrow()
    const refused = await hook.until((result) => result.sending.error !== null)
    expect(refused.sending).toMatchObject({ status: 'error', transaction: { state: 'failed', sentAs: null } })
    refused.sending.reset()
    const reset = (await hook.until((result) => result.sending.status === 'idle')).sending
    expect([reset.transaction, reset.error]).toEqual([{ state: 'idle' }, null])
    refused.sending.mutate(call)
    const done = await hook.until((result) => result.sending.transaction.state === 'confirmed')
    expect([done.sending.error, done.sending.isPending, done.sending.status]).toEqual([null, false, 'success'])
  })
})

test('behavior: after giving up on a wallet, a new request is allowed, and the first transaction sent is tracked', async () => {
  const wallet = await walletOf(borrowers[0].address)
  const hook = mount(() => ({ sending: useTransaction({ key: 'test.hangs' }), chain: useChain() }), wallet)
  const { sending } = await hook.until(({ chain }) => chain.state === 'ready')
  const call = { to: borrowers[2].address, data: '0x', value: 0n } as const
  const [answerFirst, first] = [wallet.hangNext(), sending.mutateAsync(call)]
  const asking = await hook.until((result) => result.sending.transaction.state === 'asking')
  asking.sending.reset()
  expect([asking.sending.status, hook.current().sending.transaction.state]).toEqual(['pending', 'asking'])
  sending.giveUp()
  await hook.until((result) => result.sending.transaction.state === 'idle')

  const [answerSecond, second] = [wallet.hangNext(), sending.mutateAsync(call)]
  await hook.until((result) => result.sending.transaction.state === 'asking')
  answerFirst()
  await first
  const { transaction } = (await hook.until((result) => result.sending.transaction.state === 'confirmed')).sending
  await second
  // Both requests were sent. The second response does not change the tracked state.
  wallet.rejectNext()
  answerSecond()
  expect(hook.current().sending.transaction).toEqual(transaction)
  expect(wallet.calls.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2)
})

describe('useTake', () => {
  test('default: approves exactly the cost, authorizes, takes, and is restored', async () => {
    const wallet = await newcomer('0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f')
    const { auction, signed } = await auctionFor(wallet.address)
    const parameters = { quotes: [signed], request: auction, limit: { maxApr: 30 } }
    const hook = mount(
      () => ({ take: useTake(parameters), positions: usePositions({ address: wallet.address }) }),
      wallet,
    )
    const first = await hook.until((result) => result.take.state.step === 'approve' && result.take.isReady)
    await first.take.mutateAsync()
    const { take } = await hook.until((result) => result.take.state.step === 'taken')
    const [fill] = take.taken
    expect(take.taken).toMatchObject([{ notional: signed.notional, cost: signed.vrtAmount }])
    expect([take.isReady, take.error]).toEqual([false, null])
    await expect(take.mutateAsync()).rejects.toThrow(NotReadyError)
    const steps = hook.results.map((result) => result.take.state.step)
    expect(steps.filter((step, index) => step !== steps[index - 1] && step !== 'wait')).toEqual([
      'approve',
      'permit',
      'take',
      'onItsWay',
      'taken',
    ])
    // The take refetched the positions.
    const { positions } = await hook.until((result) => (result.positions.data?.positions.length ?? 0) > 0)
    expect(positions.data?.positions[0]?.positionId).toBe(fill?.positionId)

    // The positions are kept, so that nothing is taken twice.
    take.reset()
    const reset = (await hook.until((result) => result.take.status === 'idle')).take
    expect([take.status, reset.state.step, reset.taken]).toEqual(['success', 'taken', take.taken])
    expect(reset.transaction).toEqual({ state: 'idle' })

    hook.unmount()
    const again = mount(() => useTake(parameters), wallet)
    expect((await again.until(({ state }) => state.step === 'taken')).state).toMatchObject({ taken: [fill] })
    expect(wallet.calls.filter((method) => method === 'eth_sendTransaction')).toHaveLength(3)
  }, 60_000)

  test('behavior: one press sends all steps, and none after a user rejection', async () => {
    const wallet = await newcomer('0x14dC79964da2C08b23698B3D3cc7Ca32193d9955')
    const { auction, signed } = await auctionFor(wallet.address)
    const hook = mount(() => useTake({ quotes: [signed], request: auction, limit: { maxApr: 30 } }), wallet)
    const sent = () => wallet.calls.filter((method) => method === 'eth_sendTransaction').length
    const [answerFirst, answerSecond] = [wallet.hangNext(), wallet.hangNext()]
    answerFirst()
    const ready = await hook.until(({ state, isReady }) => state.step === 'approve' && isReady)
    expect([ready.state.step === 'approve' && ready.state.calls.length, ready.isPending]).toEqual([3, false])
    ready.mutate()
    await hook.until(({ state, transaction }) => state.step === 'permit' && transaction.state === 'asking')
    expect(await allowanceOf(wallet.address)).toBe(signed.vrtAmount)
    // The pending request stays visible while reads change.
    const drawn = hook.results.length
    wallet.setReadable(false)
    await hook.until(({ state }) => state.step === 'unknown')
    wallet.setReadable(true)
    await hook.until(({ state }) => state.step === 'permit')
    expect(new Set(hook.results.slice(drawn).map(({ transaction }) => transaction.state))).toEqual(new Set(['asking']))
    wallet.rejectNext()
    answerSecond()
    const refused = await hook.until(({ error, isPending }) => error !== null && !isPending)
    expect(refused.state.step).toBe('permit')
    const { number: block = 0n } = refused.executability.data?.block ?? {}
    // Mine a block by giving the account more funds.
    await newcomer(wallet.address)
    await hook.until(({ executability: { data } }) => (data?.block.number ?? 0n) > block)
    expect(sent()).toBe(2)

    hook.current().mutate()
    const { state } = await hook.until((result) => result.state.step === 'taken')
    expect(state).toMatchObject({ taken: [{ notional: signed.notional, cost: signed.vrtAmount }] })
    expect([sent(), hook.current().isPending]).toEqual([4, false])
  }, 60_000)

  test('behavior: an atomic batch needs one confirmation, and can be retried after a rejection', async () => {
    const wallet = await newcomer('0xa0Ee7A142d267C1f36714E4a8F75612F20a79720', { atomic: 'ready' })
    const { auction, signed } = await auctionFor(wallet.address)
    const hook = mount(
      () => useTake({ quotes: [signed], request: auction, limit: { maxVrtAmount: signed.vrtAmount } }),
      wallet,
    )
    const first = await hook.until(({ state, isReady }) => state.step === 'takeTogether' && isReady)
    wallet.rejectNext()
    await expect(first.mutateAsync()).rejects.toThrow()
    const refused = await hook.until(({ error, isReady }) => error !== null && isReady)
    expect([refused.state.step, refused.status]).toEqual(['takeTogether', 'error'])
    refused.reset()
    const reset = await hook.until(({ status }) => status === 'idle')
    expect([reset.state.step, reset.error]).toEqual(['takeTogether', null])
    reset.mutate()
    const { state } = await hook.until((result) => result.state.step === 'taken')
    expect(state).toMatchObject({ taken: [{ notional: signed.notional, cost: signed.vrtAmount }] })
    expect(wallet.calls).not.toContain('eth_sendTransaction')
    expect(await allowanceOf(wallet.address)).toBe(0n)
  }, 60_000)

  test('error: the node names another token than the service: no allowance is asked for', async () => {
    const wallet = await newcomer('0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec')
    const { auction, signed } = await auctionFor(wallet.address)
    const parameters = { quotes: [signed], request: auction, limit: { maxVrtAmount: signed.vrtAmount } }
    const hook = mount(() => useTake({ ...parameters, loanToken: devnetAddresses.multicall3 }), wallet)
    const ready = await hook.until(({ state, isReady }) => state.step === 'approve' && isReady)
    await ready.mutateAsync()
    expect(wallet.calls).not.toContain('eth_sendTransaction')
  }, 60_000)

  test('behavior: one press takes several quotes, and the next best instead of one that is gone', async () => {
    const wallet = await newcomer('0xBcd4042DE499D14e55001CcbB24a551F3b954096')
    const [, maker] = stack.devnet.backers
    const sizes = [20n, 30n, 30n, 30n].map((thousands) => thousands * 1_000_000_000n)
    const costs = [20n, 40n, 50n, 400n].map((tokens) => tokens * 1_000_000n)
    const signed = await Promise.all(
      sizes.map((notional, index) => signQuote(maker, { notional, vrtAmount: costs[index] ?? 0n })),
    )
    const [first, gone, next, dear] = signed.map((one) => one.signed) as [
      SignedQuote,
      SignedQuote,
      SignedQuote,
      SignedQuote,
    ]
    const request = { ...requestOf(), notional: 50_000_000_000n }
    const parameters = { quotes: [first, gone], others: [dear, next], request, limit: { maxVrtAmount: 100_000_000n } }
    const hook = mount(() => useTake(parameters), wallet)
    const { state, mutateAsync } = await hook.until(({ state, isReady }) => state.step === 'approve' && isReady)
    expect(state).toMatchObject({ amount: 60_000_000n, calls: Array(4).fill(expect.anything()) })
    const cancel = cancelQuoteParameters(gone)
    const hash = await stack.devnet
      .walletClient(maker)
      .writeContract({ ...cancel, address: devnetAddresses.quoteMarket })
    await stack.devnet.publicClient.waitForTransactionReceipt({ hash })
    await mutateAsync()
    const end = await hook.until((result) => result.state.step === 'taken')
    expect(end.taken.map(({ notional, cost }) => [notional, cost])).toEqual([
      [first.notional, first.vrtAmount],
      [next.notional, next.vrtAmount],
    ])
    expect(await allowanceOf(wallet.address)).toBe(0n)
    // The second part's allowance is a new one.
    expect(wallet.calls.filter((method) => method === 'eth_sendTransaction')).toHaveLength(5)
  }, 60_000)

  test('behavior: nothing is sent above the limit, or for a partial quote without part: true', async () => {
    const wallet = await walletOf(borrowers[0].address)
    const { auction, signed } = await auctionFor(wallet.address)
    const twice = { ...auction, notional: 2n * auction.notional }
    const limit = { maxVrtAmount: 2n * signed.vrtAmount }
    const hook = mount(
      () => ({
        dear: useTake({ quotes: [signed], request: auction, limit: { maxVrtAmount: signed.vrtAmount - 1n } }),
        part: useTake({ quotes: [signed], request: twice, limit }),
        agreed: useTake({ quotes: [signed], request: twice, limit, part: true }),
        share: useTake({
          quotes: [signed],
          request: twice,
          limit: { maxVrtAmount: limit.maxVrtAmount - 2n },
          part: true,
        }),
      }),
      wallet,
    )
    const result = await hook.until((all) =>
      Object.values(all).every(({ state }) => state.step !== 'connect' && state.step !== 'wait'),
    )
    expect(Object.entries(result).map(([name, { state, isReady }]) => [name, state.step, isReady])).toEqual([
      ['dear', 'dead', false],
      ['part', 'dead', false],
      ['agreed', 'take', true],
      ['share', 'dead', false],
    ])
    await expect(result.dear.mutateAsync()).rejects.toThrow(NotReadyError)
    expect(wallet.calls).not.toContain('eth_sendTransaction')
    expect(hashQuote(signed, { chainId: 8453, quoteMarket: devnetAddresses.quoteMarket })).toBe(auction.quotes[0]?.hash)
  })
})

describe('useProveTaker', () => {
  test('error: nothing is signed without a wallet', async () => {
    const nobody = createWallet({ rpcUrl: stack.devnet.rpcUrl, address: borrowers[0].address })
    const hook = mount(() => useProveTaker(), nobody)
    await expect((await hook.until(() => true)).mutateAsync()).rejects.toThrow(NotReadyError)
    expect(hook.current().provenUntil).toBeNull()
  })

  test('default: proves the account for a day, and auctions include the proof', async () => {
    const wallet = await walletOf(borrowers[2].address)
    const hook = mount(() => ({ prove: useProveTaker(), chain: useChain() }), wallet)
    const { prove } = await hook.until(({ chain }) => chain.state === 'ready')
    await prove.mutateAsync()
    const { provenUntil } = (await hook.until((result) => result.prove.provenUntil !== null)).prove
    expect(Math.abs((provenUntil ?? 0) - Date.now() / 1000 - 86_400)).toBeLessThan(120)
    // A dapp might persist the cache, so it must not contain the signature.
    expect(
      JSON.stringify(
        hook.cache
          .getMutationCache()
          .getAll()
          .map(({ state }) => state),
      ),
    ).not.toContain('0x')

    expect(await mount(() => useProveTaker({ shareRecord: true }), wallet).until(() => true)).toMatchObject({
      provenUntil: null,
    })

    const starting = mount(() => useStartAuction(), wallet)
    const opened = await (await starting.until(() => true)).mutateAsync({
      ...requestOf(),
      taker: wallet.address,
    })
    expect(opened.taker).toBe(wallet.address)
  })
})
