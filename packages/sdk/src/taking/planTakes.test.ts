// Tests the limits of plans. takeBest.test.ts covers choosing and taking.

import { quoteMarketAbi, type SignedQuote } from '@firmquote/core'
import { expect, test } from '@jest/globals'
import {
  createPublicClient,
  custom,
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  http,
  multicall3Abi,
  numberToHex,
  type PublicClient,
  stringToHex,
} from 'viem'
import { devnet, now, quoteOf, request, tokens, useTestDevnet, whole } from '../../test/testDevnet.ts'
import { approveParameters } from '../executability/takeQuote.ts'
import type { PlanTakesParameters } from './checkPlanParameters.ts'
import { planTakes } from './planTakes.ts'

useTestDevnet()

const plan = (quotes: readonly SignedQuote[], change: Partial<PlanTakesParameters> = {}) =>
  planTakes(
    quotes?.map((quote) => ({ quote })),
    {
      request: request(),
      limit: { maxVrtAmount: tokens(2_000) },
      borrower: devnet.borrowers[0].address,
      publicClient: devnet.publicClient,
      ...change,
    },
  )

const taken = ({ takes }: Awaited<ReturnType<typeof plan>>) => takes.map(({ signed }) => signed)

/** A devnet client whose transport can change responses. */
function through(change: (answer: unknown, call: { method: string; params: unknown }) => unknown): PublicClient {
  const { chain } = devnet.publicClient
  const transport = http(devnet.rpcUrl)({ chain })
  const request = async (call: { method: string; params: unknown }) =>
    change(await transport.request(call as never), call)
  return createPublicClient({ chain, transport: custom({ request }, { retryCount: 0 }) })
}

test('default: an empty plan for no quotes', async () => {
  expect(await plan([])).toMatchObject({ takes: [], notional: 0n, cost: 0n, missing: [], loanToken: null, refused: [] })
})

test('behavior: counts a duplicate quote once', async () => {
  const [first, second] = devnet.backers
  const half = await quoteOf(first, whole / 2n, tokens(100))
  const other = await quoteOf(second, whole / 2n, tokens(900))
  expect(taken(await plan([half, half, other, half]))).toEqual([half, other])
})

test('behavior: notional that is already fixed reduces the room and the limit exactly', async () => {
  const [first, second] = devnet.backers
  const quotes = [
    await quoteOf(first, whole / 4n, tokens(500)),
    await quoteOf(second, whole / 4n, tokens(500)),
    await quoteOf(first, whole / 2n + 1n, 0n),
  ]
  const half = await plan(quotes, { fixed: whole / 2n })
  expect(half).toMatchObject({ notional: whole / 2n, cost: tokens(1_000), maxVrtAmount: tokens(2_000) })
  expect(half.refused).toMatchObject([{ signed: quotes[2], rejection: { code: 'NOTIONAL_TOO_LARGE' } }])
  expect((await plan(quotes, { fixed: whole / 2n, maxTakes: 1 })).takes).toHaveLength(1)
  expect((await plan(quotes, { maxTakes: 0 })).takes).toEqual([])
  for (const fixed of [whole, whole + 1n]) expect((await plan(quotes, { fixed })).takes).toEqual([])
})

test('behavior: a fractional share of the limit excludes no quote within it', async () => {
  const [first] = devnet.backers
  // A third of the notional may cost a third of 100 units: 33.3.
  const odd = { ...request(), notional: 300n }
  const fits = await quoteOf(first, 100n, 33n)
  const dear = await quoteOf(first, 100n, 34n)
  const result = await plan([dear, fits], { request: odd, limit: { maxVrtAmount: 100n }, fixed: 200n })
  expect(taken(result)).toEqual([fits])
  expect(result.refused).toMatchObject([{ signed: dear, rejection: { limit: 33n } }])
})

test("behavior: a maker's allowance bounds it like its balance", async () => {
  const [first, second] = devnet.backers
  const cheap = [await quoteOf(first, whole / 2n, tokens(100)), await quoteOf(first, whole / 2n, tokens(200))]
  const dear = await quoteOf(second, whole / 2n, tokens(900))
  for (const [amount, cost] of [
    [whole, tokens(300)],
    [whole - 1n, tokens(1_000)],
  ] as const) {
    const call = approveParameters({ loanToken: devnet.contracts.loanToken, amount })
    await devnet.publicClient.waitForTransactionReceipt({ hash: await devnet.walletClient(first).writeContract(call) })
    expect((await plan([...cheap, dear])).cost).toBe(cost)
  }
})

test('behavior: judges deadlines by the later of clock and block', async () => {
  const [first] = devnet.backers
  const quotes = [await quoteOf(first, whole, tokens(100))]
  const at = async (clock: bigint) => (await plan(quotes, { now: Number(clock) })).takes.length
  expect([await at(now + 570n), await at(now + 571n), await at(0n)]).toEqual([1, 0, 1])
  await devnet.testClient.setNextBlockTimestamp({ timestamp: now + 571n })
  await devnet.testClient.mine({ blocks: 1 })
  expect(await at(now)).toBe(0)
})

test('behavior: judges more quotes than one read covers, and the best rates if there are too many', async () => {
  const [first, second] = devnet.backers
  const good = await quoteOf(first, whole, tokens(100))
  const dear = Array.from({ length: 120 }, (_, index) => quoteOf(second, whole, tokens(3_000) + BigInt(index)))
  const some = await plan([...(await Promise.all(dear)), good])
  expect(taken(some)).toEqual([good])
  expect(some.refused.map(({ signed }) => signed.vrtAmount)).toEqual(
    dear.map((_, index) => tokens(3_000) + BigInt(index)),
  )

  // Forged quotes, whose signatures recover no key. 1,000 better quotes leave no room for this one.
  const forged = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...good,
      salt: numberToHex(10_000 + index, { size: 32 }),
      vrtAmount: 1n,
      signature: '0x12' as Hex,
    }))
  expect(taken(await plan([good, ...forged(999)]))).toEqual([good])
  expect(taken(await plan([good, ...forged(1_000)]))).toEqual([])
})

test('behavior: queries the sixteen possible contract makers with the best rates', async () => {
  const [first] = devnet.backers
  const honest = await quoteOf(first, whole, tokens(900))
  const forged = await Promise.all(
    Array.from({ length: 17 }, (_, index) => {
      const maker = numberToHex(0xabc000 + index, { size: 20 })
      return quoteOf(first, whole, BigInt(index), { maker })
    }),
  )
  const { loanToken, quoteMarket } = devnet.contracts
  const sent: Hex[] = []
  for (const quote of forged) {
    // The makers are funded, so that only their consent is missing.
    await devnet.testClient.impersonateAccount({ address: quote.maker })
    await devnet.testClient.setBalance({ address: quote.maker, value: 10n ** 18n })
    const wallet = devnet.walletClient(first)
    const token = { address: loanToken, abi: erc20Abi, functionName: 'transfer', args: [quote.maker, whole] } as const
    const account = { address: quote.maker, type: 'json-rpc' } as const
    const approval = approveParameters({ loanToken, quoteMarketAddress: quoteMarket, amount: whole })
    sent.push(await wallet.writeContract(token), await wallet.writeContract({ ...approval, account }))
  }
  await Promise.all(sent.map((hash) => devnet.publicClient.waitForTransactionReceipt({ hash })))
  const result = await plan([honest, ...forged])
  expect(taken(result)).toEqual([honest])
  const reasons = result.refused.map(({ rejection, reason }) => rejection?.code ?? reason)
  expect(reasons.slice(0, 16)).toEqual(Array.from({ length: 16 }, () => 'BAD_SIGNATURE'))
  expect(reasons.slice(16)).toEqual(['Too many makers are contracts, which are queried one by one.'])
})

test('behavior: replaces a quote that the market rejects with the next best', async () => {
  const [first, second, third] = devnet.backers
  const quotes = [
    await quoteOf(first, whole, tokens(100)),
    await quoteOf(second, whole, tokens(200)),
    await quoteOf(third, whole, tokens(900)),
  ]
  const refused = new Set<string>([first.address, second.address])
  const publicClient = through((answer, { method, params }) => refusePreviews(answer, { method, params }, refused))
  const result = await plan(quotes, { publicClient })
  expect(taken(result)).toEqual([quotes[2]])
  expect(result).toMatchObject({ cost: tokens(900), optimal: true })
  expect(result.refused).toMatchObject([
    { signed: quotes[0], rejection: { code: 'NOT_EXECUTABLE', reason: 'PAUSED' } },
    { signed: quotes[1], rejection: { code: 'NOT_EXECUTABLE', reason: 'PAUSED' } },
  ])
})

test('behavior: takes nothing after eight rejected choices, and does not claim to be optimal', async () => {
  const [first] = devnet.backers
  const quotes = await Promise.all(Array.from({ length: 9 }, (_, index) => quoteOf(first, whole, tokens(100 + index))))
  const publicClient = through((answer, call) => refusePreviews(answer, call, new Set([first.address])))
  const result = await plan(quotes, { publicClient })
  expect(result).toMatchObject({ takes: [], optimal: false })
  expect(result.refused).toHaveLength(8)
  const eight = await plan(quotes.slice(0, 7), { publicClient })
  expect(eight).toMatchObject({ takes: [], optimal: true })
})

test.each([
  ['a signature that is no hex', (quote: SignedQuote) => [{ ...quote, signature: 'zz' }], 'signature'],
  ['no list', () => null, 'quotes'],
])('error: %s', async (_what, given, path) => {
  const quote = await quoteOf(devnet.backers[0], whole, 0n)
  await expect(plan(given(quote) as never)).rejects.toMatchObject({ code: 'INVALID_INPUT', path })
})

/** Replaces the market's verdict on some makers' quotes with a rejection, in multicall results. */
function refusePreviews(
  answer: unknown,
  { method, params }: { method: string; params: unknown },
  makers: ReadonlySet<string>,
): unknown {
  if (method !== 'eth_call') return answer
  const [{ data }] = params as [{ data: Hex }]
  if (!data.startsWith('0x82ad56cb')) return answer
  const calls = decodeFunctionData({ abi: multicall3Abi, data }).args[0] as readonly { callData: Hex }[]
  const aggregate3 = { abi: multicall3Abi, functionName: 'aggregate3' } as const
  const results = decodeFunctionResult({ ...aggregate3, data: answer as Hex })
  const result = results.map((own, index) => {
    const { callData = '0x' as const } = calls[index] ?? {}
    if (!callData.startsWith('0xc0ca98d1')) return own
    const [{ maker }] = decodeFunctionData({ abi: quoteMarketAbi, data: callData }).args as unknown as [SignedQuote]
    const verdict = [false, stringToHex('PAUSED', { size: 32 }), 0n, 0n] as const
    const preview = { abi: quoteMarketAbi, functionName: 'previewTakeQuote', result: verdict } as const
    return makers.has(maker) ? { ...own, returnData: encodeFunctionResult(preview) } : own
  })
  return encodeFunctionResult({ ...aggregate3, result })
}
