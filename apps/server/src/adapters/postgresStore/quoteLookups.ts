import type { Hex } from 'viem'
import type { QuoteRecord } from '../../ports/store.ts'
import { createSlicedTask } from '../../scheduling/eventLoop.ts'
import { findQuotes } from '../sqlStore/quotes/quoteRows.ts'
import type { Script } from '../sqlStore/sql/script.ts'

const maxBatch = 128

/**
 * Creates a function that looks up a quote. Every publication starts with a lookup, and a separate query would cost
 * more than reading the row. Lookups made in the same tick therefore share a query.
 */
export function createQuoteLookups(
  ask: <Result>(script: Script<Result>) => Promise<Result>,
): (hash: Hex) => Promise<QuoteRecord | null> {
  type Waiting = { hash: Hex; resolve(record: QuoteRecord | null): void; reject(error: unknown): void }
  let waiting: Waiting[] = []

  const lookUp = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const records = await ask(findQuotes(group.map(({ hash }) => hash)))
      for (const { hash, resolve } of group) resolve(records.get(hash) ?? null)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
  const lookingUp = createSlicedTask(() => {
    for (; waiting.length > 0; waiting = waiting.slice(maxBatch)) void lookUp(waiting.slice(0, maxBatch))
  })

  return (hash) =>
    new Promise((resolve, reject) => {
      waiting.push({ hash: hash.toLowerCase() as Hex, resolve, reject })
      lookingUp.schedule()
    })
}
