import { ChainUnavailableError, type SignedQuote } from '@firmquote/core'
import { type Hex, numberToHex } from 'viem'
import type { BlockHeader, Chain, ChainEvent, ChainFact } from '../src/ports/chain.ts'
import { makerOf, now } from './storedQuotes.ts'

/** A contract call. Calls that would revert have no effect. */
export type MadeUpCall = { do: 'take' | 'cancel'; hash: Hex; quote: SignedQuote }

/** The calls of one transaction. */
export type MadeUpTransaction = readonly MadeUpCall[]

type Block = BlockHeader & { transactions: MadeUpTransaction[]; events: ChainEvent[]; state: State }
type State = { ended: ReadonlyMap<Hex, ChainEvent>; positions: number }

const emptyBloom: Hex = `0x${'00'.repeat(256)}`

/** The taker of all quotes. */
const madeUpTaker = makerOf(900)

/**
 * Creates an in-memory chain that a test can reorganize. The chain follows the quote market's rules for fills and
 * cancellations.
 */
export function createMadeUpChain(random: (below: number) => number) {
  let canonical: Block[] = []
  let hashes = 0
  let failing = false

  const apply = (state: State, call: MadeUpCall): { state: State; facts: ChainFact[] } => {
    const { hash, quote } = call
    const { maker, poolId, seriesKey, notional, vrtAmount: cost } = quote
    if (state.ended.has(hash)) return { state, facts: [] }
    if (call.do === 'cancel') return { state, facts: [{ type: 'quoteEnded', hash, status: 'cancelled' }] }
    const positionId = BigInt(state.positions + 1)
    const position = { positionId, maker, borrower: madeUpTaker, poolId, seriesKey, notional, cost, index: 1n }
    return {
      state: { ...state, positions: state.positions + 1 },
      facts: [
        { type: 'positionOpened', ...position },
        { type: 'quoteEnded', hash, status: 'filled' },
      ],
    }
  }

  const append = (transactions: readonly MadeUpTransaction[]) => {
    const parent = canonical.at(-1)
    hashes += 1
    const [number, hash] = [BigInt(canonical.length), numberToHex(hashes, { size: 32 })]
    const timestamp = now + number * 2n
    let state: State = parent?.state ?? { ended: new Map(), positions: 0 }
    const events: ChainEvent[] = []
    for (const [index, transaction] of transactions.entries()) {
      const transactionHash = numberToHex(hashes * 1_000 + index, { size: 32 })
      for (const call of transaction) {
        if (call.do === 'take' && call.quote.deadline < timestamp) continue
        const step = apply(state, call)
        state = step.state
        for (const fact of step.facts) {
          const event = { blockNumber: number, blockHash: hash, logIndex: events.length, transactionHash, fact }
          events.push(event)
          if (fact.type === 'quoteEnded') state = { ...state, ended: new Map(state.ended).set(fact.hash, event) }
        }
      }
    }
    const parentHash = parent?.hash ?? numberToHex(0, { size: 32 })
    canonical.push({
      ...{ number, hash, parentHash, timestamp, logsBloom: emptyBloom },
      ...{ transactions: [...transactions], events, state },
    })
  }
  append([])

  const head = () => canonical.at(-1) as Block
  const answer = async <T>(read: () => T): Promise<T> => {
    if (failing && random(2) === 0) throw new ChainUnavailableError('The node did not answer.')
    return read()
  }
  const header = ({ number, hash, parentHash, timestamp, logsBloom }: Block): BlockHeader => ({
    ...{ number, hash, parentHash, timestamp, logsBloom },
  })
  const finalityDepth = 70

  /** Supports only reading blocks, their events and the chain ID. */
  const chain = {
    pin: () => chain,
    readHead: () => answer(() => header(head())),
    readFinalized: () =>
      answer(() => (canonical.length > finalityDepth ? header(canonical.at(-1 - finalityDepth) as Block) : null)),
    readBlocks: (numbers: readonly bigint[]) =>
      answer(() =>
        numbers.map((number) => {
          const block = canonical[Number(number)]
          if (!block || block.number > head().number) throw new ChainUnavailableError('There is no such block.')
          return header(block)
        }),
      ),
    readChainId: () => answer(() => 8453),
    readEvents: ({ from, to }: { from: bigint; to: bigint }) =>
      answer(() => ({
        through: to,
        events: canonical.slice(Number(from), Number(to) + 1).flatMap(({ events }) => events),
      })),
    readGenesisHash: () => answer(() => (canonical[0] as Block).hash),
  } as Partial<Chain> as Chain

  return {
    chain,
    mine: (transactions: readonly MadeUpTransaction[] = []) => append(transactions),
    /**
     * Reverts the newest blocks and mines one more block than it reverted. Repeats some of the reverted calls in random
     * blocks.
     */
    reorganise(depth: number) {
      const kept = Math.max(1, canonical.length - depth)
      const undone = canonical.slice(kept).flatMap(({ transactions }) => transactions)
      const blocks = canonical.length - kept + 1
      canonical = canonical.slice(0, kept)
      const again = undone.filter(() => random(3) > 0)
      for (let left = blocks; left > 0; left -= 1) {
        append(again.splice(0, left === 1 ? again.length : random(1 + Math.ceil((2 * again.length) / left))))
      }
    },
    /** Makes half of all subsequent requests fail, or stops the failures. */
    fail(yes: boolean) {
      failing = yes
    },
    height: () => canonical.length - 1,
    hashAt: (height: number) => canonical[height]?.hash,
    /** Returns a quote's status at a block height. */
    statusOf({ hash }: { hash: Hex }, height: number) {
      const end = (canonical[height] as Block).state.ended.get(hash)?.fact
      return end?.type === 'quoteEnded' ? end.status : 'active'
    },
  }
}
