import type { SignedQuote } from '@firmquote/core'
import type { QuoteStates } from '@firmquote/core/chain'
import { rpcFailureKind } from './rpcFailure.ts'

/** Reads the states of quotes. */
export type ReadStates = (quotes: readonly SignedQuote[]) => Promise<QuoteStates>

/** How requests are put together. */
export type BatchLimits = {
  /** Most quotes in one request. */
  quotes: number
  /** Most requests under way. */
  running: number
  /** A batch waits so many milliseconds for more after the last that came, */
  quietMs: number
  /** but never longer than this after the first. */
  longestMs: number
}

/** A few milliseconds are little beside a node's answer and much beside the arrival of what is sent at the same time. */
const defaultLimits: BatchLimits = { quotes: 200, running: 4, quietMs: 8, longestMs: 150 }

/**
 * Puts reads that are asked for at the same time together, so that they share one reading of one block: when a hundred
 * backers answer at once, the node gets two requests instead of two hundred. A batch that the node refuses is read again piece by piece, since one
 * quote (an ERC-1271 maker that burns all gas) must not make the others unreadable.
 */
export function createQuoteStateBatches(read: ReadStates, limits: BatchLimits = defaultLimits): ReadStates {
  type Request = {
    quotes: readonly SignedQuote[]
    resolve: (states: QuoteStates) => void
    reject: (error: unknown) => void
  }
  const waiting: Request[] = []
  let running = 0

  const runBatch = async (batch: readonly Request[]) => {
    try {
      const { block, states } = await read(batch.flatMap(({ quotes }) => quotes))
      let start = 0
      for (const { quotes, resolve } of batch) {
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
    const batch: Request[] = []
    let size = 0
    while (waiting[0] && (batch.length === 0 || size + waiting[0].quotes.length <= limits.quotes)) {
      const [request] = waiting.splice(0, 1)
      if (!request) break
      batch.push(request)
      size += request.quotes.length
    }
    return batch
  }

  const pump = () => {
    while (waiting.length > 0 && running < limits.running) {
      running += 1
      void runBatch(takeBatch()).finally(() => {
        running -= 1
        pump()
      })
    }
  }
  const gathering = createGathering(limits, pump)

  return (quotes) =>
    new Promise((resolve, reject) => {
      waiting.push({ quotes, resolve, reject })
      const size = waiting.reduce((sum, request) => sum + request.quotes.length, 0)
      if (size >= limits.quotes) gathering.end()
      else gathering.arrived()
    })
}

/** Waits until nothing more comes, or for too long. */
function createGathering({ quietMs, longestMs }: BatchLimits, onEnd: () => void) {
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
      if (quiet && arrivals === before) end()
    })
  }
  return {
    end,
    arrived() {
      arrivals += 1
      longest ??= setTimeout(end, longestMs)
      clearTimeout(quiet)
      quiet = setTimeout(onQuiet, quietMs)
    },
  }
}
