// Why: docs/decisions/0033-rates-at-a-size.md
import type { BlockRef, QuoteState, SignedQuote } from '@firmquote/core'
import type { QuoteStateQuery } from '@firmquote/core/chain'
import { LRUCache } from 'lru-cache'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { largestProven } from '../../domain/fills.ts'
import { fundsOf } from '../../domain/openNotional.ts'
import type { Pool } from '../../ports/chain.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** Maximum number of makers whose funds are read per block, and how many of them may be known to be unfunded. */
const readsPerBlock = 500
const rereadsPerBlock = 250
/** Capacity of the list. When the list is full, the makers read least recently are removed and must be found again. */
const maxMakers = 10_000
/** Number of lists of makers that are remembered. */
const maxLists = 100

/**
 * Makers whose quotes cannot count as of recent reads, because the maker cannot fund them or no fill of its contract
 * proves them. Rates and lists sorted by rate skip these makers, so that quotes without funds, however many, hide no
 * others.
 */
export type UnfundedMakers = {
  /**
   * Listed makers that cannot fund a quote of at least `least` (raw units) in any of the tokens. Returns the same array
   * while the makers are the same, so that a store may remember its encoding.
   */
  unfunded(tokens: readonly Address[], least: bigint): readonly Address[]
  /**
   * Listed makers whose quotes of this notional (raw units) cannot count: they cannot fund it, or their fills do not
   * prove it ({@link provesFor}). Returns the same array while the makers are the same.
   */
  uncounted(quote: { loanToken: Address; notional: bigint }): readonly Address[]
  /** Whether a maker, given in lower case, is not among the {@link uncounted} ones. */
  mayCount(maker: string, quote: { loanToken: Address; notional: bigint }): boolean
  /** Adds the makers of quotes whose states show that they lack funds. Ignores unknown states. */
  note(quotes: readonly SignedQuote[], states: readonly (QuoteState | null)[]): void
  /**
   * Reads how much the given quotes' makers can fund, each maker at most once per block, up to the limit. The first
   * call for a block also rereads some of the listed makers, so that makers with new funds return. If a read fails, the
   * list stays unchanged.
   *
   * @returns whether it added a maker.
   * @throws {ChainUnavailableError} if the chain cannot be read.
   */
  check(quotes: readonly QuoteStateQuery[], block: BlockRef): Promise<boolean>
  /** The number of listed makers. */
  count(): number
}

/** Amounts in raw units, by loan token. */
type Amounts = ReadonlyMap<Address, bigint>

type Entry = {
  maker: Address
  /** Whether the maker's quotes count only up to a multiple of its fills. */
  isContract: boolean
  /** Notional of the smallest quote found. */
  wanted: Amounts
  funds: Amounts
  /** Notional of the largest quote that counts. */
  countable: Amounts
}

/** Creates one instance's list. */
export function createUnfundedMakers({
  chain,
  clock,
  store,
  provenMakers,
}: Pick<ServiceDeps, 'chain' | 'clock' | 'store' | 'provenMakers'>): UnfundedMakers {
  /** By lower-case address. The first entries are the least recently read. */
  const entries = new LRUCache<string, Entry>({ max: maxMakers })
  /** Answers since the last change. */
  const lists = new LRUCache<string, readonly Address[]>({ max: maxLists })
  let latest: readonly Address[] = []
  let current: { blockHash: Hex | null; makers: Set<string> } = { blockHash: null, makers: new Set() }
  let reading: Promise<unknown> = Promise.resolve()

  /** Lists a maker with its new amounts, or removes it if its smallest quote counts. Returns whether it is listed. */
  const update = (entry: Entry): boolean => {
    const isListed = [...entry.wanted].some(([token, notional]) => (entry.countable.get(token) ?? 0n) < notional)
    if (isListed) set(entry)
    else remove(entry.maker)
    return isListed
  }

  const set = (entry: Entry) => {
    entries.set(keyOf(entry.maker), entry)
    lists.clear()
  }

  const remove = (maker: Address) => {
    if (entries.delete(keyOf(maker))) lists.clear()
  }

  /** The listed makers that match, remembered by a name of the condition. */
  const listed = (name: string, matches: (entry: Entry) => boolean): readonly Address[] => {
    const known = lists.get(name)
    if (known) return known
    const found = [...entries.values()].filter(matches).map(({ maker }) => maker)
    found.sort()
    const same = found.length === latest.length && found.every((maker, index) => maker === latest[index])
    if (!same) latest = found
    lists.set(name, latest)
    return latest
  }

  const read = async (makers: readonly Pick<Entry, 'maker' | 'isContract'>[]) => {
    const pools = await store.listPools()
    const contracts = makers.filter(({ isContract }) => isContract).map(({ maker }) => maker)
    const tokens = [...new Set(pools.map(({ loanToken }) => loanToken))]
    const [{ funds }, fills] = await Promise.all([
      chain.readFunds({ makers: makers.map(({ maker }) => maker), tokens }),
      store.listLargestFills(contracts, 0n),
    ])
    const provenBy = (maker: Address, token: Address) =>
      fills
        .filter((fill) => isAddressEqual(fill.maker, maker) && tokenOf(pools, fill.poolId) === token)
        .reduce((most, { notional }) => larger(most, largestProven(notional)), 0n)
    return ({ maker, isContract }: Pick<Entry, 'maker' | 'isContract'>): Pick<Entry, 'funds' | 'countable'> => {
      const amounts = tokens.map((token) => ({ token, amount: funds.get(token)?.get(maker) ?? 0n }))
      const counted = ({ token, amount }: (typeof amounts)[number]) =>
        isContract ? smaller(amount, provenBy(maker, token)) : amount
      return {
        funds: new Map(amounts.map(({ token, amount }) => [token, amount])),
        countable: new Map(amounts.map((item) => [item.token, counted(item)])),
      }
    }
  }

  /** Listed makers that were read least recently and still have open quotes. Removes those without any. */
  const chooseRereads = async (): Promise<Entry[]> => {
    const keys = [...entries.rkeys()].slice(0, rereadsPerBlock)
    const oldest = keys.flatMap((key) => entries.peek(key) ?? [])
    if (oldest.length === 0) return []
    const commitments = await store.listCommitments(
      oldest.map(({ maker }) => maker),
      chainNow(clock),
    )
    const open = new Set(commitments.map(({ maker }) => keyOf(maker)))
    for (const { maker } of oldest) if (!open.has(keyOf(maker))) remove(maker)
    return oldest.filter(({ maker }) => open.has(keyOf(maker)))
  }

  const check: UnfundedMakers['check'] = async (quotes, block) => {
    const isNewBlock = current.blockHash !== block.hash
    if (isNewBlock) current = { blockHash: block.hash, makers: new Set() }
    const { makers: alreadyRead } = current
    const rereads = isNewBlock ? await chooseRereads() : []
    for (const { maker } of rereads) alreadyRead.add(keyOf(maker))
    const pools = await store.listPools()
    const found = new Map<string, Entry>()
    for (const { quote, preview } of quotes) {
      const key = keyOf(quote.maker)
      const token = tokenOf(pools, quote.poolId)
      const known = found.get(key)
      if (token === undefined || alreadyRead.has(key)) continue
      if (!known && alreadyRead.size + found.size >= readsPerBlock) break
      const isContract = preview && !provenMakers?.has(key)
      const wanted = lowered(known?.wanted, token, quote.notional)
      found.set(key, { maker: quote.maker, isContract, wanted, funds: new Map(), countable: new Map() })
    }
    if (rereads.length + found.size === 0) return false
    const amountsOf = await read([...rereads, ...found.values()])
    for (const entry of rereads) update({ ...entry, ...amountsOf(entry) })
    const added = [...found.values()].filter((entry) => update({ ...entry, ...amountsOf(entry) }))
    for (const key of found.keys()) alreadyRead.add(key)
    return added.length > 0
  }

  return {
    unfunded: (tokens, least) =>
      listed(`${least} ${tokens}`, ({ funds }) => tokens.every((token) => (funds.get(token) ?? least) < least)),

    uncounted: ({ loanToken, notional }) =>
      listed(
        `countable ${notional} ${loanToken}`,
        ({ countable }) => (countable.get(loanToken) ?? notional) < notional,
      ),

    mayCount: (maker, { loanToken, notional }) =>
      (entries.peek(maker)?.countable.get(loanToken) ?? notional) >= notional,

    note(quotes, states) {
      for (const [index, { maker, notional }] of quotes.entries()) {
        const state = states[index]
        if (!state?.loanToken || fundsOf(state) >= notional) continue
        const { loanToken } = state
        const known = entries.peek(keyOf(maker))
        set({
          maker,
          isContract: known?.isContract ?? false,
          wanted: lowered(known?.wanted, loanToken, notional),
          funds: new Map(known?.funds).set(loanToken, fundsOf(state)),
          countable: new Map(known?.countable).set(loanToken, fundsOf(state)),
        })
      }
    },

    count: () => entries.size,

    check(quotes, block) {
      // Concurrent calls would read the same makers twice.
      const result = reading.then(() => check(quotes, block))
      reading = result.catch(() => {})
      return result
    },
  }
}

const keyOf = (maker: Address) => maker.toLowerCase()

function tokenOf(pools: readonly Pool[], poolId: Hex): Address | undefined {
  return pools.find((pool) => pool.poolId === poolId)?.loanToken
}

/** The amounts, with one token's amount lowered to a new one. */
function lowered(amounts: Amounts | undefined, token: Address, amount: bigint): Amounts {
  return new Map(amounts).set(token, smaller(amounts?.get(token) ?? amount, amount))
}

function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}
