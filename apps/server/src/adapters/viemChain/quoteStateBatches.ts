// Why: docs/decisions/0020-batched-chain-reads.md
import type { QuoteStateQuery, QuoteStates } from '@firmquote/core/chain'
import { createSlicedTask, yieldToEventLoop } from '../../scheduling/eventLoop.ts'
import { rpcFailureKind } from './rpcFailure.ts'

/** Reads the states of quotes. `waitedMs` is how long the first one has waited for its batch. */
export type ReadStates = (quotes: readonly QuoteStateQuery[], waitedMs?: number) => Promise<QuoteStates>

/** Limits on batches. */
export type BatchLimits = {
  /** Maximum number of quotes per request. */
  quotes: number
  /** Maximum number of requests in flight. */
  running: number
  /** Milliseconds between a batch's first quote and the request, or longer if too many requests are in flight. */
  gatherMs: number
}

/**
 * The delay is short compared with the node's response time, and long compared with the time between simultaneous
 * quotes' arrivals.
 */
const defaultLimits: BatchLimits = { quotes: 200, running: 4, gatherMs: 4 }

/** Maximum number of answers per event-loop slice, which takes a few milliseconds. */
const slice = 32

/**
 * Creates batches of state reads. Reads made at about the same time share a request at one block: when 100 backers respond simultaneously, the node
 * receives two requests instead of 200, and the request rate is bounded. A refused batch is split, so that one quote
 * does not make the others fail. An ERC-1271 maker that burns all gas could otherwise make a whole batch fail.
 */
export function createQuoteStateBatches(read: ReadStates, limits: BatchLimits = defaultLimits): ReadStates {
  type Request = {
    quotes: readonly QuoteStateQuery[]
    at: number
    resolve: (states: QuoteStates) => void
    reject: (error: unknown) => void
  }
  let waiting: Request[] = []
  let size = 0
  let running = 0
  /** Whether the oldest waiting quote has waited for `gatherMs`. */
  let due = false
  let gathering = false

  const runBatch = async (batch: readonly Request[]) => {
    try {
      const waitedMs = performance.now() - (batch[0]?.at ?? 0)
      const { block, states } = await read(
        batch.flatMap(({ quotes }) => quotes),
        waitedMs,
      )
      let start = 0
      for (const [index, { quotes, resolve }] of batch.entries()) {
        // Yields between verdicts, so that timers such as an auction's close fire on time.
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
  // In a busy process, the timer may fire before earlier messages have been handled.
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
      waiting.push({ quotes, at: performance.now(), resolve, reject })
      size += quotes.length
      if (size >= limits.quotes) send()
      else if (!due) gather()
    })
}
