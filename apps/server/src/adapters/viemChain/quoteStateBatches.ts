import type { AskedQuote, QuoteStates } from '@firmquote/core/chain'
import { rpcFailureKind } from './rpcFailure.ts'

/** Reads the states of quotes. */
export type ReadStates = (quotes: readonly AskedQuote[]) => Promise<QuoteStates>

/** How requests are put together. */
export type BatchLimits = {
  /** Most quotes in one request. */
  quotes: number
  /** Most requests under way. */
  running: number
  /** While nothing is under way, a batch waits so many milliseconds for more after the last that came, */
  quietMs: number
  /** and, whatever is under way, never longer than this after the first. */
  longestMs: number
}

/** Little beside a node's answer, and much beside the arrival of what is sent at the same time. */
const defaultLimits: BatchLimits = { quotes: 200, running: 4, quietMs: 2, longestMs: 8 }

/** How many are answered before the event loop turns: some milliseconds' worth. */
const slice = 32

/**
 * Puts reads that are asked for at the same time together, so that they share one reading of one block: when a hundred
 * backers answer at once, the node gets two requests instead of two hundred. What comes while a reading is under way
 * leaves together when that one is back: a node that is near is asked more often, one that is far gets larger batches. A
 * batch that the node refuses is read again piece by piece, since one quote (an ERC-1271 maker that burns all gas) must
 * not make the others unreadable.
 */
export function createQuoteStateBatches(read: ReadStates, limits: BatchLimits = defaultLimits): ReadStates {
  type Request = {
    quotes: readonly AskedQuote[]
    resolve: (states: QuoteStates) => void
    reject: (error: unknown) => void
  }
  let waiting: Request[] = []
  let size = 0
  let running = 0

  const runBatch = async (batch: readonly Request[]) => {
    try {
      const { block, states } = await read(batch.flatMap(({ quotes }) => quotes))
      let start = 0
      for (const [index, { quotes, resolve }] of batch.entries()) {
        // Timers get their turn between the verdicts: the close of an auction does not wait for all of them.
        if (index % slice === slice - 1) await new Promise((turn) => setImmediate(turn))
        resolve({ block, states: states.slice(start, start + quotes.length) })
        start += quotes.length
      }
    } catch (error) {
      if (batch.length > 1 && rpcFailureKind(error) === 'refused') {
        await Promise.all(batch.map((request) => runBatch([request])))
      } else {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  const takeBatch = (): Request[] => {
    let count = 0
    let taken = 0
    for (const { quotes } of waiting) {
      if (count > 0 && taken + quotes.length > limits.quotes) break
      count += 1
      taken += quotes.length
    }
    const batch = waiting.slice(0, count)
    waiting = waiting.slice(count)
    size -= taken
    return batch
  }

  const send = () => {
    while (waiting.length > 0 && running < limits.running) {
      running += 1
      void runBatch(takeBatch()).finally(() => {
        running -= 1
        if (running === 0 || size >= limits.quotes) gathering.end()
      })
    }
  }
  const gathering = createGathering(limits, { onEnd: send, isBusy: () => running > 0 })

  return (quotes) =>
    new Promise((resolve, reject) => {
      waiting.push({ quotes, resolve, reject })
      size += quotes.length
      if (size >= limits.quotes) gathering.end()
      else gathering.arrived()
    })
}

/** Waits until nothing more comes, or for too long. */
function createGathering(
  { quietMs, longestMs }: BatchLimits,
  { onEnd, isBusy }: { onEnd: () => void; isBusy: () => boolean },
) {
  let quiet: NodeJS.Timeout | undefined
  let longest: NodeJS.Timeout | undefined
  let arrivals = 0

  const end = () => {
    clearTimeout(quiet)
    clearTimeout(longest)
    quiet = undefined
    longest = undefined
    onEnd()
  }
  const onQuiet = () => {
    // In a busy process the timer may fall due before what has long arrived has been looked at.
    const before = arrivals
    setImmediate(() => {
      if (quiet && arrivals === before && !isBusy()) end()
    })
  }
  return {
    end,
    arrived() {
      arrivals += 1
      longest ??= setTimeout(end, longestMs)
      if (isBusy()) return
      if (quiet) quiet.refresh()
      else quiet = setTimeout(onQuiet, quietMs)
    },
  }
}
