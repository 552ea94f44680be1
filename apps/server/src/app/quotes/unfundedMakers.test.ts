import type { SignedQuote } from '@firmquote/core'
import type { QuoteStateQuery } from '@firmquote/core/chain'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { beforeEach, expect, test } from '@jest/globals'
import { type Address, type Hex, numberToHex, zeroHash } from 'viem'
import type { Chain, Pool } from '../../ports/chain.ts'
import { createUnfundedMakers, type UnfundedMakers } from './unfundedMakers.ts'

const addressOf = (n: number) => numberToHex(n, { size: 20 })
const [one, two] = [addressOf(0xa), addressOf(0xb)]
const poolOf = (n: number, loanToken: Address): Pool => ({
  ...{ poolId: numberToHex(n, { size: 32 }), loanToken, adapter: addressOf(1), market: zeroHash },
})
const pools = [poolOf(1, one), poolOf(2, two)]

/** What the chain and the store return: funds by maker, the same in every token unless `funds2` is set. */
let funds: Map<Address, bigint>
let funds2: Map<Address, bigint>
let fills: { maker: Address; poolId: Hex; notional: bigint; cap: bigint }[]
let withOpenQuotes: (maker: Address) => boolean
/** The makers of each read. */
let reads: Address[][]
let makers: UnfundedMakers

beforeEach(() => {
  ;[funds, funds2, fills, reads] = [new Map(), new Map(), [], []]
  withOpenQuotes = () => true
  const chain: Pick<Chain, 'readFunds'> = {
    readFunds: async ({ makers }) => {
      reads.push([...makers])
      if (funds.has(addressOf(0xdead))) throw new TypeError('The node is away.')
      const amounts = (known: Map<Address, bigint>) => new Map(makers.map((maker) => [maker, known.get(maker) ?? 0n]))
      return {
        block: blockOf(1),
        funds: new Map([
          [one, amounts(funds)],
          [two, amounts(new Map([...funds, ...funds2]))],
        ]),
      }
    },
  }
  const store = {
    listPools: async () => pools,
    listLargestFills: async (asked: readonly Address[]) => fills.filter(({ maker }) => asked.includes(maker)),
    listCommitments: async (asked: readonly Address[]) =>
      asked.filter(withOpenQuotes).map((maker) => ({ maker, poolId: zeroHash, notional: 1n })),
  }
  makers = createUnfundedMakers({ chain, store, clock: createFakeClock() } as unknown as Parameters<
    typeof createUnfundedMakers
  >[0])
})

const blockOf = (n: number) => ({ number: BigInt(n), hash: numberToHex(n, { size: 32 }), timestamp: 0n })
const quoteOf = (maker: Address, notional: bigint, { preview = false, pool = 0 } = {}): QuoteStateQuery => {
  const quote = { maker, notional, poolId: pools[pool]?.poolId } as SignedQuote
  return { quote, hash: zeroHash, signer: preview ? null : maker, preview }
}

test('default: a maker is listed while its funds are below its quote, and found again once they are not', async () => {
  const [poor, rich] = [addressOf(1), addressOf(2)]
  funds = new Map([
    [poor, 99n],
    [rich, 100n],
  ])
  expect(await makers.check([quoteOf(poor, 100n), quoteOf(rich, 100n)], blockOf(1))).toBe(true)
  expect(makers.unfunded([one], 100n)).toEqual([poor])
  expect(makers.unfunded([one], 99n)).toEqual([])
  // Once per block.
  expect(await makers.check([quoteOf(poor, 100n)], blockOf(1))).toBe(false)
  expect(reads).toEqual([[poor, rich]])
  funds.set(poor, 100n)
  expect(await makers.check([], blockOf(2))).toBe(false)
  expect(reads).toEqual([[poor, rich], [poor]])
  expect(makers.count()).toBe(0)
})

test('behavior: the same makers are the same list, until one changes', async () => {
  const [poor, other] = [addressOf(1), addressOf(2)]
  await makers.check([quoteOf(poor, 100n)], blockOf(1))
  const list = makers.unfunded([one], 100n)
  expect(makers.unfunded([one], 5n)).toBe(list)
  expect(makers.uncounted({ loanToken: one, notional: 7n })).toBe(list)
  await makers.check([quoteOf(other, 100n)], blockOf(1))
  expect(makers.unfunded([one], 100n)).toEqual([poor, other])
})

test('behavior: only the funds in the tokens of the list matter', async () => {
  const maker = addressOf(1)
  funds2.set(maker, 100n)
  await makers.check([quoteOf(maker, 100n)], blockOf(1))
  expect(makers.unfunded([one], 100n)).toEqual([maker])
  expect(makers.unfunded([two], 100n)).toEqual([])
  expect(makers.unfunded([one, two], 100n)).toEqual([])
})

test('behavior: a contract maker counts up to ten times its largest fill in the token, and is not unfunded', async () => {
  const contract = addressOf(1)
  funds.set(contract, 10_000n)
  fills = [{ maker: contract, poolId: pools[0]?.poolId ?? zeroHash, notional: 10n, cap: 1n }]
  await makers.check([quoteOf(contract, 101n, { preview: true })], blockOf(1))
  const mayCount = (loanToken: Address, notional: bigint) => makers.mayCount(contract, { loanToken, notional })
  expect([mayCount(one, 101n), mayCount(one, 100n), mayCount(two, 1n)]).toEqual([false, true, false])
  expect(makers.mayCount(addressOf(9), { loanToken: one, notional: 101n })).toBe(true)
  const uncounted = (loanToken: Address, notional: bigint) => makers.uncounted({ loanToken, notional })
  expect([uncounted(one, 101n), uncounted(one, 100n), uncounted(two, 1n)]).toEqual([[contract], [], [contract]])
  expect(makers.unfunded([one], 10_000n)).toEqual([])
})

test('behavior: at most 500 makers are read per block, of which at most 250 are listed ones, in turn', async () => {
  const all = Array.from({ length: 600 }, (_, n) => quoteOf(addressOf(n + 1), 1n))
  expect(await makers.check(all, blockOf(1))).toBe(true)
  expect(await makers.check(all, blockOf(1))).toBe(false)
  expect(reads.map(({ length }) => length)).toEqual([500])
  await makers.check(all, blockOf(2))
  expect(reads[1]).toEqual([...all.slice(0, 250), ...all.slice(250, 500)].map(({ quote }) => quote.maker))
  for (const number of [3, 4]) await makers.check([], blockOf(number))
  expect(reads.slice(2).map(({ length }) => length)).toEqual([250, 250])
  // The makers read least recently come first.
  expect(new Set(reads.slice(2).flat()).size).toBe(500)
})

test('behavior: makers without open quotes are removed', async () => {
  const [gone, kept] = [addressOf(1), addressOf(2)]
  await makers.check([quoteOf(gone, 1n), quoteOf(kept, 1n)], blockOf(1))
  withOpenQuotes = (maker) => maker === kept
  await makers.check([], blockOf(2))
  expect(makers.unfunded([one], 1n)).toEqual([kept])
  expect(reads[1]).toEqual([kept])
})

test('behavior: a failed read changes nothing and is repeated', async () => {
  const maker = addressOf(1)
  funds.set(addressOf(0xdead), 0n)
  await expect(makers.check([quoteOf(maker, 1n)], blockOf(1))).rejects.toThrow('away')
  expect(makers.count()).toBe(0)
  funds.clear()
  expect(await makers.check([quoteOf(maker, 1n)], blockOf(1))).toBe(true)
})

test('behavior: states that were read anyway add makers, and unknown states do not', async () => {
  const [known, unknown, funded] = [addressOf(1), addressOf(2), addressOf(3)]
  const state = (amount: bigint) =>
    ({ loanToken: one, balance: amount, allowance: 100n }) as unknown as Parameters<UnfundedMakers['note']>[1][number]
  const quotes = [known, unknown, funded].map((maker) => quoteOf(maker, 50n).quote)
  makers.note(quotes, [state(49n), null, state(50n)])
  expect(makers.unfunded([one], 50n)).toEqual([known])
})
