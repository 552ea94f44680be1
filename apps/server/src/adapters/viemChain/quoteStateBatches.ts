// Why: docs/decisions/0020-batched-chain-reads.md
import type { QuoteStateQuery, QuoteStates } from '@firmquote/core/chain'
import { createSlicedTask, yieldToEventLoop } from '../../scheduling/slicedTask.ts'
import { rpcFailureKind } from './rpcFailure.ts'

/** Reads the states of quotes. */
export type ReadStates = (quotes: readonly QuoteStateQuery[]) => Promise<QuoteStates>

/** How requests are put together. */
export type BatchLimits = {
  /** Most quotes in one request. */
  quotes: number
  /** Most requests under way. */
  running: number
  /** A batch leaves so many milliseconds after the first that it holds came, or when one comes back if all are under way. */
  gatherMs: number
}

/** Little beside a node's answer, and much beside the arrival of what is sent at the same time. */
const defaultLimits: BatchLimits = { quotes: 200, running: 4, gatherMs: 4 }

/** How many are answered before the event loop turns: some milliseconds' worth. */
const slice = 32

/**
 * Puts reads that are asked for at the same time together, so that they share one reading of one block: when a hundred
 * backers answer at once, the node gets two requests instead of two hundred, and however fast they come it is asked
 * only so many times a second. A batch that the node refuses is read again piece by piece, since one quote (an ERC-1271
 * maker that burns all gas) must not make the others unreadable.
 */
export function createQuoteStateBatches(read: ReadStates, limits: BatchLimits = defaultLimits): ReadStates {
  type Request = {
    quotes: readonly QuoteStateQuery[]
    resolve: (states: QuoteStates) => void
    reject: (error: unknown) => void
  }
  let waiting: Request[] = []
  let size = 0
  let running = 0
  /** Whether what is waiting has waited for others long enough. */
  let due = false
  let gathering = false

  const runBatch = async (batch: readonly Request[]) => {
    try {
      const { block, states } = await read(batch.flatMap(({ quotes }) => quotes))
      let start = 0
      for (const [index, { quotes, resolve }] of batch.entries()) {
        // Timers get their turn between the verdicts: the close of an auction does not wait for all of them.
        if (index % slice === slice - 1) await yieldToEventLoop()
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
    while (running < limits.running && waiting.length > 0 && (due || size >= limits.quotes)) {
      running += 1
      void runBatch(takeBatch()).finally(() => {
        running -= 1
        send()
      })
    }
    if (waiting.length === 0) due = false
  }
  // In a busy process the timer may be due before messages that arrived earlier have been handled.
  const gathered = createSlicedTask(() => {
    gathering = false
    due = true
    send()
  })
  const gather = () => {
    if (gathering) return
    gathering = true
    setTimeout(gathered.schedule, limits.gatherMs)
  }

  return (quotes) =>
    new Promise((resolve, reject) => {
      waiting.push({ quotes, resolve, reject })
      size += quotes.length
      if (size >= limits.quotes) send()
      else if (!due) gather()
    })
}
