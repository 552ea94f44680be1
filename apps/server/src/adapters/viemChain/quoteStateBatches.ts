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
}

/**
 * Puts reads that are asked for at the same time together: when two hundred backers answer at once, the node gets a
 * handful of requests instead of four hundred. A batch that the node refuses is read again piece by piece, since one
 * quote (an ERC-1271 maker that burns all gas) must not make the others unreadable.
 */
export function createQuoteStateBatches(
  read: ReadStates,
  limits: BatchLimits = { quotes: 100, running: 4 },
): ReadStates {
  type Request = {
    quotes: readonly SignedQuote[]
    resolve: (states: QuoteStates) => void
    reject: (error: unknown) => void
  }
  const waiting: Request[] = []
  let running = 0
  let scheduled = false

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
    scheduled = false
    while (waiting.length > 0 && running < limits.running) {
      running += 1
      void runBatch(takeBatch()).finally(() => {
        running -= 1
        pump()
      })
    }
  }

  return (quotes) =>
    new Promise((resolve, reject) => {
      waiting.push({ quotes, resolve, reject })
      if (scheduled) return
      scheduled = true
      setImmediate(pump)
    })
}
