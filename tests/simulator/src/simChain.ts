// The simulated chain and the nodes that read it. The chain and the nodes are in one file, because both handle every
// kind of block.

import {
  type BlockRef,
  ChainUnavailableError,
  interestRatePoolAbi,
  type QuoteState,
  quoteMarketAbi,
  type SignedQuote,
} from '@firmquote/core'
import type { QuoteStateQuery } from '@firmquote/core/chain'
import { type Abi, type AbiEvent, type Address, type Hex, keccak256, numberToHex, padHex, toEventSelector } from 'viem'
import type {
  BlockHeader,
  Chain,
  ChainEvent,
  ChainFact,
  LogKeys,
  Pool,
  Series,
} from '../../../apps/server/src/ports/chain.ts'
import type { HasDefect } from './defects.ts'
import { epoch, type Life } from './life.ts'
import type { Random } from './random.ts'
import { simDigest, simRecover } from './simSignatures.ts'
import type { Trace } from './trace.ts'

/** Number of recent blocks that an instance remembers. Older blocks are final. */
export const reorgWindow = 8
const finalityDepth = 14
/** Blocks after which a debt counts. A proof reads all of them. */
export const debtAgeBlocks = 4

/** Contracts and accounts on every simulated chain. */
export const chainId = 8453
export const quoteMarket: Address = '0x1000000000000000000000000000000000000001'
export const interestRatePool: Address = '0x2000000000000000000000000000000000000002'
const loanToken: Address = '0x3000000000000000000000000000000000000003'
/** The borrower who takes every quote. */
export const borrower: Address = '0x5000000000000000000000000000000000000005'

/** The pool that every auction uses. */
export const pool: Pool = {
  poolId: `0x${'a1'.repeat(32)}`,
  loanToken,
  adapter: '0x4000000000000000000000000000000000000004',
  market: `0x${'b2'.repeat(32)}`,
}

/** The pool's series. The short series matures within a history. */
export const seriesOf = (name: 'long' | 'short'): Series => ({
  poolId: pool.poolId,
  seriesKey: `0x${(name === 'long' ? 'c3' : 'd4').repeat(32)}`,
  expiry: epoch / 1000 + (name === 'long' ? 30 * 86_400 : 45),
  cap: 10n ** 12n,
})

/** An account's action on the chain. Amounts are in raw units. */
export type Transaction =
  | { do: 'fund'; maker: Address; balance: bigint; allowance: bigint }
  | { do: 'cancel'; quote: SignedQuote }
  | { do: 'raiseNonce'; maker: Address }
  | { do: 'take'; quotes: readonly SignedQuote[] }
  /** A contract that is not watched logs an event. */
  | { do: 'other' }

/** The on-chain state that quotes depend on, as of a single block. */
type ChainState = {
  nonces: ReadonlyMap<Address, bigint>
  ended: ReadonlyMap<Hex, 'filled' | 'cancelled'>
  balances: ReadonlyMap<Address, bigint>
  allowances: ReadonlyMap<Address, bigint>
  outstanding: ReadonlyMap<Hex, bigint>
  series: ReadonlyMap<Hex, Series>
  positions: number
}

type Block = BlockHeader & {
  transactions: readonly Transaction[]
  events: readonly ChainEvent[]
  logs: readonly LogKeys[]
  state: ChainState
}

/** The canonical branch, or the branch abandoned at the last reorganisation. */
type Branch = 'kept' | 'left'

/** The chain itself, as opposed to a node's view of it. */
export type SimChain = ReturnType<typeof createSimChain>

/** Creates a chain with the contracts, the pool and its series. */
export function createSimChain(random: Random, trace: Trace) {
  const known = new Map<Hex, Block>()
  let canonical: Block[] = []
  /** The most recently abandoned branch. */
  let left: Block[] | null = null
  /** Number of the last block common to both branches. */
  let forkedAt = Number.POSITIVE_INFINITY
  let finalized = 0
  let waiting: Transaction[] = []
  /** Each account's debts with their first blocks, oldest first. */
  const debts = new Map<Address, { from: bigint; debt: bigint }[]>()

  const append = (transactions: readonly Transaction[], facts: readonly ChainFact[], at: number) => {
    const parent = canonical.at(-1)
    const number = BigInt(canonical.length)
    const hash: Hex = `0x${Buffer.from(random.bytes(32)).toString('hex')}`
    // Two blocks created at the same time still need distinct timestamps.
    const seconds = BigInt(Math.floor((epoch + at) / 1000))
    const timestamp = parent && parent.timestamp >= seconds ? parent.timestamp + 1n : seconds
    let state = parent?.state ?? emptyState
    /** The block's facts, each paired with its transaction or null. */
    const found: { fact: ChainFact; transaction: Transaction | null }[] = facts.map((fact) => ({
      fact,
      transaction: null,
    }))
    const logs: LogKeys[] = []
    for (const fact of facts) if (fact.type === 'seriesCreated') state = withSeries(state, fact)
    for (const transaction of transactions) {
      if (transaction.do === 'fund') logs.push(otherLog)
      if (transaction.do === 'other') logs.push(...misleadingLogs)
      const step = apply(state, transaction, timestamp)
      state = step.state
      found.push(...step.facts.map((fact) => ({ fact, transaction })))
    }
    logs.push(...found.map(({ fact }) => logOf(fact)))
    const transactionHashes = new Map<Transaction, Hex>()
    const events = found.map(({ fact, transaction }, logIndex): ChainEvent => {
      const drawn: Hex = `0x${Buffer.from(random.bytes(32)).toString('hex')}`
      const transactionHash = (transaction && transactionHashes.get(transaction)) ?? drawn
      if (transaction) transactionHashes.set(transaction, transactionHash)
      return { blockNumber: number, blockHash: hash, logIndex, transactionHash, fact }
    })
    const block: Block = {
      ...{ number, hash, timestamp, transactions, events, logs, state, logsBloom: bloomOf(logs) },
      parentHash: parent?.hash ?? `0x${'00'.repeat(32)}`,
    }
    known.set(hash, block)
    canonical.push(block)
    trace.note('block', `${number} ${hash.slice(2, 10)} ${found.length}`)
  }

  const growLeft = (at: number) => {
    if (!left) return
    const kept = canonical
    canonical = left
    append([], [], at)
    canonical = kept
  }
  const branchOf = (branch: Branch) => (branch === 'left' ? left : null) ?? canonical

  const firstAt = -2_000 * (debtAgeBlocks + 4)
  append([], [], firstAt)
  append(
    [],
    [
      { type: 'poolCreated', ...pool },
      { type: 'seriesCreated', ...seriesOf('long') },
      { type: 'seriesCreated', ...seriesOf('short') },
    ],
    firstAt + 2_000,
  )
  // The first debts are old enough.
  for (let at = firstAt + 4_000; at < 0; at += 2_000) append([], [], at)

  const headBlock = (): Block => {
    const block = canonical.at(-1)
    if (!block) throw new RangeError('The chain has no block.')
    return block
  }

  return {
    head: (): BlockRef => headBlock(),
    send: (transaction: Transaction) => void waiting.push(transaction),
    /** Sets an account's debt in the pool, in raw units, from a block on. It is the same on all branches. */
    owe: (account: Address, debt: bigint, from = 0n) =>
      void debts.set(account, [...(debts.get(account) ?? []), { from, debt }]),
    debtAt: (account: Address, number: bigint) =>
      debts.get(account)?.findLast(({ from }) => from <= number)?.debt ?? 0n,
    /** Mines a block at this time, in virtual milliseconds, with all pending transactions. */
    mine(at: number) {
      const transactions = waiting
      waiting = []
      append(transactions, [], at)
      growLeft(at)
      finalized = Math.max(finalized, canonical.length - 1 - finalityDepth)
    },
    /**
     * Replaces the latest `depth` blocks with `depth` + 1 new ones. Most transactions of the replaced blocks are mined
     * again, but some are delayed and some are lost. The abandoned branch continues with empty blocks.
     */
    reorganise(depth: number, at: number) {
      const dropped = Math.min(depth, canonical.length - 2, canonical.length - 1 - finalized)
      forkedAt = canonical.length - 1 - dropped
      const undone = canonical.slice(canonical.length - dropped).flatMap(({ transactions }) => transactions)
      left = canonical
      canonical = canonical.slice(0, canonical.length - dropped)
      trace.note(dropped > reorgWindow ? 'reorganised beyond the window' : 'reorganised', String(dropped))
      for (let more = dropped; more >= 0; more -= 1) {
        const now: Transaction[] = []
        // The last new block includes the remaining transactions, except for the lost ones.
        for (const transaction of undone.splice(0)) {
          if (random.chance(0.1)) continue
          if (more === 0 || random.chance(0.5)) now.push(transaction)
          else undone.push(transaction)
        }
        append(now, [], at)
      }
    },
    /** The latest finalized block, as reported by nodes that follow a branch. */
    finalized: (branch: Branch = 'kept') =>
      canonical[Math.min(finalized, branch === 'left' ? forkedAt : finalized)] ?? headBlock(),
    /**
     * Returns why the contract would reject a quote at a block, or null. Also returns a reason if the block is unknown.
     */
    refusalAt: (hash: Hex, quote: SignedQuote) => {
      const block = known.get(hash)
      return block ? refusalOf(block.state, quote, block.timestamp) : 'no such block'
    },
    /** Returns the quotes ended and the nonces as of a block. */
    endingsAt: (hash: Hex): Pick<ChainState, 'ended' | 'nonces'> => known.get(hash)?.state ?? emptyState,
    /** An account's funds at the latest block. */
    fundsOf(maker: Address) {
      const { state, timestamp } = headBlock()
      return {
        balance: state.balances.get(maker) ?? 0n,
        allowance: state.allowances.get(maker) ?? 0n,
        nonce: state.nonces.get(maker) ?? 0n,
        timestamp,
        ended: new Set(state.ended.keys()),
      }
    },
    /** The block `depth` below the latest, on the canonical or the abandoned branch. */
    blockBehind(depth: number, branch: Branch = 'kept') {
      const blocks = branchOf(branch)
      return blocks[Math.max(1, blocks.length - 1 - depth)] ?? headBlock()
    },
    blockAt: (number: bigint, branch: Branch = 'kept') => branchOf(branch)[Number(number)],
    blockOf: (hash: Hex) => known.get(hash),
  }
}

/** A node's current faults. */
export type NodeFaults = {
  /** Number of blocks by which the node lags. */
  behind: number
  /** Number of blocks by which the state lags the node's latest block. */
  olderState: number
  /** Probability that the node omits a block's events. */
  omit: number
  /** Probability that the node answers with an error. */
  refuse: number
  /** Probability that the node does not answer before the timeout. */
  silent: number
  /** Whether the node is connected to a different chain. */
  otherChain: boolean
  /** The branch that the node follows. */
  branch: Branch
}

/** A node without faults. */
export const soundNode: NodeFaults = {
  ...{ behind: 0, olderState: 0, omit: 0, refuse: 0, silent: 0, otherChain: false, branch: 'kept' },
}

/** Timeout for a node's answer, in milliseconds. */
const nodeTimeoutMs = 2_000

/** Creates one life's view of the chain through its node. */
export function createSimNode({
  chain,
  life,
  random,
  trace,
  faults,
  has,
  onState,
}: {
  chain: SimChain
  life: Life
  random: Random
  trace: Trace
  faults: () => NodeFaults
  has: HasDefect
  /** Called for each quote whose state a node returns, when the answer arrives. */
  onState: (hash: Hex, block: BlockRef) => void
}): Chain {
  const answer = <T>(method: string, read: () => T, arrives: (value: T) => void = () => {}): Promise<T> =>
    new Promise((resolve, reject) => {
      const { refuse, silent } = faults()
      const fail = (kind: string, delay: number) => {
        trace.note(kind, `${life.instance} ${method}`)
        life.after(delay, () => reject(new ChainUnavailableError('The node did not answer.')))
      }
      if (random.chance(silent)) return fail('node silent', nodeTimeoutMs)
      if (random.chance(refuse)) return fail('node refused', random.between(1, 30))
      const [there, back] = [random.between(1, 12), random.between(1, 12)]
      life.after(there, () => {
        try {
          const value = read()
          life.after(back, () => {
            arrives(value)
            resolve(value)
          })
        } catch (error) {
          life.after(back, () => reject(error))
        }
      })
    })

  const headerOf = ({ number, hash, parentHash, timestamp, logsBloom }: Block): BlockHeader => ({
    number,
    hash,
    parentHash,
    timestamp,
    logsBloom: has('bloom filter empty') ? emptyBloom : logsBloom,
  })
  const blockAt = (number: bigint) => chain.blockAt(number, faults().branch)
  const blockBehind = (depth: number) => chain.blockBehind(depth, faults().branch)
  const head = () => blockBehind(faults().behind)
  const stateBlock = () => {
    const { behind, olderState } = faults()
    if (olderState > 0) trace.note('old state', String(life.instance))
    return blockBehind(behind + olderState)
  }
  const isThere = (block: Block | undefined): block is Block => block !== undefined && block.number <= head().number

  const stateOf = (block: Block, { quote, hash, signer, preview }: QuoteStateQuery): QuoteState => {
    const { number, timestamp, state } = block
    const series = state.series.get(quote.seriesKey)
    const outstanding = state.outstanding.get(quote.seriesKey) ?? 0n
    const isBelieved = has('every quote executable')
    const refusal = preview && !isBelieved ? refusalOf(state, quote, timestamp) : null
    return {
      block: { number, hash: block.hash, timestamp },
      hash,
      makerNonce: state.nonces.get(quote.maker) ?? 0n,
      status: isBelieved ? 'open' : (state.ended.get(simDigest(quote)) ?? 'open'),
      loanToken: quote.poolId === pool.poolId ? loanToken : null,
      series: series ? { poolId: series.poolId, expiry: series.expiry, cap: series.cap, outstanding } : null,
      capacity: series ? series.cap - outstanding : 0n,
      balance: isBelieved ? quote.notional : (state.balances.get(quote.maker) ?? 0n),
      allowance: isBelieved ? quote.notional : (state.allowances.get(quote.maker) ?? 0n),
      recovered: signer,
      preview: preview ? { executable: refusal === null, reason: refusal ?? '', borrowerCost: quote.vrtAmount } : null,
    }
  }

  const readStates = (queries: readonly QuoteStateQuery[]) => {
    const isOld = has('old state taken as new')
    const block = isOld ? blockBehind(2) : stateBlock()
    const { number, hash, timestamp } = isOld ? { ...block, number: block.number + 2n } : block
    return { block: { number, hash, timestamp }, states: queries.map((query) => stateOf(block, query)) }
  }

  const reportStates =
    (queries: readonly QuoteStateQuery[]) =>
    ({ block }: { block: BlockRef }) => {
      const { number, hash, timestamp } = chain.blockOf(block.hash) ?? block
      for (const query of queries) onState(query.hash, { number, hash, timestamp })
    }

  const node: Chain = {
    pin: () => node,
    readHead: () => answer('readHead', () => headerOf(head())),
    readFinalized: () => answer('readFinalized', () => headerOf(chain.finalized(faults().branch))),
    readBlocks: (numbers) =>
      answer('readBlocks', () =>
        numbers.map((number) => {
          const block = blockAt(number)
          if (!isThere(block)) throw new ChainUnavailableError('The node does not have this block.')
          return headerOf(block)
        }),
      ),
    readChainId: () => answer('readChainId', () => (faults().otherChain ? chainId + 1 : chainId)),
    readEvents: ({ from, to }) =>
      answer('readEvents', () => {
        const newest = head().number
        let through = to
        if (newest < to) through = newest
        const events: ChainEvent[] = []
        for (let number = from; number <= through; number += 1n) {
          const found = blockAt(number)?.events ?? []
          if (found.length > 0 && random.chance(faults().omit)) trace.note('events omitted', String(number))
          else events.push(...found)
        }
        return { through, events }
      }),
    readBlockLogs: (hash) =>
      answer('readBlockLogs', () => {
        const block = chain.blockOf(hash)
        if (!isThere(block)) throw new ChainUnavailableError('The node does not have this block.')
        if (random.chance(faults().omit)) {
          trace.note('logs omitted', String(block.number))
          // In a block's logs, the events come last.
          const isEvent = block.logs.length === block.events.length
          return { logs: block.logs.slice(1), events: block.events.slice(isEvent ? 1 : 0) }
        }
        return { logs: [...block.logs], events: [...block.events] }
      }),
    readGenesisHash: () => answer('readGenesisHash', () => chain.blockAt(0n)?.hash ?? '0x'),
    readQuoteStates: (queries) => answer('readQuoteStates', () => readStates(queries), reportStates(queries)),
    readKnownQuotes: (queries) => answer('readKnownQuotes', () => readStates(queries), reportStates(queries)),
    readCapacities: (keys) =>
      answer('readCapacities', () => {
        const { number, hash, timestamp, state } = stateBlock()
        const left = (key: Hex) => (state.series.get(key)?.cap ?? 0n) - (state.outstanding.get(key) ?? 0n)
        return { block: { number, hash, timestamp }, capacities: new Map(keys.map((key) => [key, left(key)])) }
      }),
    readSignatures: async (signatures) => signatures.map(() => null),
    async readFunds({ makers, tokens }) {
      const { number, hash, timestamp, state } = stateBlock()
      const fundsOf = (maker: Address) => {
        const [balance, allowance] = [state.balances.get(maker) ?? 0n, state.allowances.get(maker) ?? 0n]
        return balance < allowance ? balance : allowance
      }
      const funds = new Map(makers.map((maker) => [maker, fundsOf(maker)]))
      return { block: { number, hash, timestamp }, funds: new Map(tokens.map((token) => [token, funds])) }
    },
    readMarkets: () => Promise.reject(new ChainUnavailableError('The simulation does not support reading markets.')),
    readAccount: () => Promise.reject(new ChainUnavailableError('The simulation does not support reading positions.')),
    readRates: () => Promise.reject(new ChainUnavailableError('The simulation does not support reading past rates.')),
    readDebt: ({ account, block: { number, parentHash } }) =>
      answer('readDebt', () => {
        const block = blockAt(number)
        if (!isThere(block) || (parentHash !== undefined && block.parentHash !== parentHash)) {
          throw new ChainUnavailableError('The node does not have this block.')
        }
        const read = has('older debts not read') ? head().number : number
        return { debt: chain.debtAt(account, read), index: 1n }
      }),
    readTakerSignature: async () => has('any proof accepted'),
  }
  return node
}

const emptyState: ChainState = {
  ...{ nonces: new Map(), ended: new Map(), balances: new Map(), allowances: new Map(), outstanding: new Map() },
  ...{ series: new Map(), positions: 0 },
}

function withSeries(state: ChainState, { poolId, seriesKey, expiry, cap }: Series): ChainState {
  return { ...state, series: new Map(state.series).set(seriesKey, { poolId, seriesKey, expiry, cap }) }
}

function apply(
  state: ChainState,
  transaction: Transaction,
  timestamp: bigint,
): { state: ChainState; facts: ChainFact[] } {
  switch (transaction.do) {
    case 'other':
      return { state, facts: [] }
    case 'fund': {
      const { maker, balance, allowance } = transaction
      return {
        state: {
          ...state,
          balances: new Map(state.balances).set(maker, balance),
          allowances: new Map(state.allowances).set(maker, allowance),
        },
        facts: [],
      }
    }
    case 'raiseNonce': {
      const { maker } = transaction
      const nonce = (state.nonces.get(maker) ?? 0n) + 1n
      return {
        state: { ...state, nonces: new Map(state.nonces).set(maker, nonce) },
        facts: [{ type: 'nonceRaised', maker, nonce }],
      }
    }
    case 'cancel': {
      const hash = simDigest(transaction.quote)
      if (state.ended.has(hash)) return { state, facts: [] }
      return {
        state: { ...state, ended: new Map(state.ended).set(hash, 'cancelled') },
        facts: [{ type: 'quoteEnded', hash, status: 'cancelled' }],
      }
    }
    case 'take': {
      let taken = state
      const facts = transaction.quotes.flatMap((quote): ChainFact[] => {
        if (refusalOf(taken, quote, timestamp) !== null) return []
        const hash = simDigest(quote)
        const { maker, poolId, seriesKey, notional, vrtAmount: cost } = quote
        const less = (amounts: ReadonlyMap<Address, bigint>) =>
          new Map(amounts).set(maker, (amounts.get(maker) ?? 0n) - notional)
        taken = {
          ...taken,
          ended: new Map(taken.ended).set(hash, 'filled'),
          balances: less(taken.balances),
          allowances: less(taken.allowances),
          outstanding: new Map(taken.outstanding).set(seriesKey, (taken.outstanding.get(seriesKey) ?? 0n) + notional),
          positions: taken.positions + 1,
        }
        const position = { positionId: BigInt(taken.positions), maker, borrower, poolId, seriesKey, notional, cost }
        return [
          { type: 'positionOpened', ...position, index: 1n },
          { type: 'quoteEnded', hash, status: 'filled' },
        ]
      })
      return { state: taken, facts }
    }
  }
}

/** Checks a quote as the contract would. */
function refusalOf(state: ChainState, quote: SignedQuote, timestamp: bigint): string | null {
  const series = state.series.get(quote.seriesKey)
  const status = state.ended.get(simDigest(quote))
  if (timestamp > quote.deadline) return 'DEADLINE_PASSED'
  if ((state.nonces.get(quote.maker) ?? 0n) !== quote.nonce) return 'NONCE'
  if (status !== undefined) return status
  if (quote.poolId !== pool.poolId || series === undefined) return 'NO_SERIES'
  if (timestamp >= BigInt(series.expiry)) return 'SERIES_EXPIRED'
  if (quote.notional > series.cap - (state.outstanding.get(quote.seriesKey) ?? 0n)) return 'CAPACITY'
  if (simRecover(simDigest(quote), quote.signature).signer !== quote.maker) return 'SIGNATURE'
  if ((state.balances.get(quote.maker) ?? 0n) < quote.notional) return 'INSUFFICIENT_BALANCE'
  if ((state.allowances.get(quote.maker) ?? 0n) < quote.notional) return 'INSUFFICIENT_ALLOWANCE'
  return quote.notional === 0n ? 'NOTIONAL_ZERO' : null
}

const topics = new Map<string, Hex>(
  [...quoteMarketAbi, ...interestRatePoolAbi]
    .filter((item) => item.type === 'event')
    .map((event) => [event.name, toEventSelector(event as AbiEvent satisfies Abi[number])]),
)
const otherLog: LogKeys = { address: loanToken, topics: [`0x${'e5'.repeat(32)}`] }

/** Logs that match a watched event in a Bloom filter but belong to another event. */
const misleadingLogs: LogKeys[] = [
  { address: quoteMarket, topics: otherLog.topics },
  { address: loanToken, topics: [topics.get('NonceRaised') ?? '0x'] },
]

const logNames = {
  nonceRaised: [quoteMarket, 'NonceRaised'],
  poolCreated: [interestRatePool, 'PoolCreated'],
  seriesCreated: [interestRatePool, 'SeriesCreated'],
  positionOpened: [interestRatePool, 'PositionOpened'],
  positionSettled: [interestRatePool, 'PositionSettled'],
} as const

function logOf(fact: ChainFact): LogKeys {
  const [address, name] =
    fact.type === 'quoteEnded'
      ? ([quoteMarket, fact.status === 'filled' ? 'QuoteFilled' : 'QuoteCancelled'] as const)
      : logNames[fact.type]
  const about = fact.type === 'quoteEnded' ? fact.hash : fact.type === 'nonceRaised' ? padHex(fact.maker) : pool.poolId
  // Position ids are unique, so one position's log in a block's filter cannot match the query for another position.
  const own = 'positionId' in fact ? [numberToHex(fact.positionId, { size: 32 })] : []
  return { address, topics: [topics.get(name) ?? '0x', about, ...own] }
}

const bits = new Map<Hex, readonly (readonly [byte: number, mask: number])[]>()

/** The Bloom filter of a block's logs, as the Yellow Paper defines it. */
function bloomOf(logs: readonly LogKeys[]): Hex {
  if (logs.length === 0) return emptyBloom
  const bloom = new Uint8Array(256)
  for (const { address, topics: own } of logs) {
    for (const value of [address.toLowerCase() as Hex, ...own]) {
      const known = bits.get(value) ?? bloomBits(value)
      // The cache is limited, since quote hashes occur only once and need not be cached.
      if (bits.size < 100) bits.set(value, known)
      for (const [byte, mask] of known) bloom[byte] = (bloom[byte] ?? 0) | mask
    }
  }
  return `0x${Buffer.from(bloom).toString('hex')}`
}

const emptyBloom: Hex = `0x${'00'.repeat(256)}`

function bloomBits(value: Hex): [number, number][] {
  const digest = keccak256(value, 'bytes')
  return [0, 2, 4].map((start) => {
    const bit = (((digest[start] ?? 0) << 8) | (digest[start + 1] ?? 0)) & 2047
    return [255 - (bit >> 3), 1 << (bit & 7)]
  })
}
