import type { Clock } from '@firmquote/core'
import { openDatabase } from '../src/adapters/sqliteStore/openDatabase.ts'
import { serveWrites, type WriteAnswer, type WriteRequest } from '../src/adapters/sqliteStore/serveWrites.ts'
import { createSqliteStore } from '../src/adapters/sqliteStore/sqliteStore.ts'
import { createWriteOperations } from '../src/adapters/sqliteStore/writeOperations.ts'
import { createWriter, type WriterChannel, type WriterChannelEvents } from '../src/adapters/sqliteStore/writer.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../src/ports/errors.ts'
import type { Store } from '../src/ports/store.ts'
import type { RandomInteger } from './randomQuotes.ts'

/** What may become of a batch of writes. */
export const writeFates = [
  'answered',
  'answered late',
  'lost before the statements',
  'lost between statements and commit',
  'lost after the commit',
  'lost after half of it',
  'refused',
  'committed, and not known to be',
  'not committed, and not known not to be',
] as const
export type WriteFate = (typeof writeFates)[number]

/** How many of a hundred batches have each fate; the rest are answered. */
const shares: Partial<Record<WriteFate, number>> = {
  'answered late': 30,
  'lost before the statements': 2,
  'lost between statements and commit': 2,
  'lost after the commit': 6,
  'lost after half of it': 2,
  refused: 2,
  'committed, and not known to be': 4,
  'not committed, and not known not to be': 2,
}
/** The longest time, in milliseconds, between a batch and its commit, its commit and its answer, a loss and the next connection. */
const longestMs = 400
/** One connection in so many takes this long, in milliseconds: longer than anyone is told to wait. */
const outage = { every: 6, leastMs: 4_000, mostMs: 16_000 }

/** A store whose writer is killed, or does not know what has become of a commit, again and again. */
export type ForgetfulStore = {
  store: Store
  /** Nothing is lost from now on. */
  heal(): void
  close(): Promise<void>
}

/**
 * Opens the real SQLite store in a file, with the real writer; only the channel between it and the connection that writes is
 * another: it loses answers where a thread that is killed does, at any place between the first statement and the answer.
 *
 * @param onFate is told what has become of each batch.
 */
export async function openForgetfulStore(
  file: string,
  { clock, random, onFate }: { clock: Clock; random: RandomInteger; onFate: (fate: WriteFate) => void },
): Promise<ForgetfulStore> {
  const settings = { file, cacheMiB: 16, retention: { milliseconds: 1e12, auctionQuotes: 1e9 }, pruneEvery: 1e9 }
  const store = await createSqliteStore({ file, writesHere: true, clock })
  const database = await openDatabase(settings)
  const operations = createWriteOperations(settings, database.run)
  let healed = false

  const draw = (): WriteFate => {
    let left = random(100)
    for (const fate of writeFates) {
      left -= shares[fate] ?? 0
      if (left < 0 && fate in shares) return fate
    }
    return 'answered'
  }
  const soon = () => (random(2) === 0 ? random(5) : random(longestMs))

  const commit = (requests: readonly WriteRequest[]): WriteAnswer[] => {
    let answers: WriteAnswer[] = []
    serveWrites(database, operations, (given) => {
      answers = given
    })(requests)
    return answers
  }
  const rollBack = (requests: readonly WriteRequest[]) => {
    try {
      database.transact(() => {
        for (const [name, argument] of requests) (operations[name] as (argument: unknown) => unknown)(argument)
        throw new RangeError('killed')
      })
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }

  const open = (events: WriterChannelEvents): WriterChannel => {
    const waiting: (readonly WriteRequest[])[] = []
    let busy = false
    let gone = false
    const isOutage = !healed && random(outage.every) === 0
    const openingMs = isOutage ? outage.leastMs + random(outage.mostMs - outage.leastMs) : soon()
    let opened = false
    clock.after(openingMs, () => {
      if (gone) return
      opened = true
      events.opened()
      next()
    })
    const lose = () => {
      gone = true
      events.lost(new TypeError('The thread was killed.'))
    }
    const finish = (answers: WriteAnswer[] | null, delayMs: number) => {
      const end = () => {
        busy = false
        if (answers === null) lose()
        else events.answered(answers)
        next()
      }
      if (delayMs > 0) clock.after(delayMs, end)
      else end()
    }
    const perform = (fate: WriteFate, requests: readonly WriteRequest[]) => {
      const all = (error: Error) => requests.map(() => ({ error }))
      switch (fate) {
        case 'answered':
          return finish(commit(requests), 0)
        case 'answered late':
          return finish(commit(requests), soon())
        case 'lost before the statements':
          return finish(null, 0)
        case 'lost between statements and commit':
          rollBack(requests)
          return finish(null, 0)
        case 'lost after the commit':
          commit(requests)
          return finish(null, soon())
        case 'lost after half of it':
          commit(requests.slice(0, Math.ceil(requests.length / 2)))
          return finish(null, soon())
        case 'refused':
          return finish(all(new StorageUnavailableError('The disk is full.')), 0)
        case 'committed, and not known to be':
          commit(requests)
          return finish(all(new OutcomeUnknownError('The disk has failed.')), soon())
        case 'not committed, and not known not to be':
          rollBack(requests)
          return finish(all(new OutcomeUnknownError('The disk has failed.')), soon())
      }
    }
    const next = () => {
      const requests = waiting[0]
      if (!opened || busy || gone || !requests) return
      waiting.shift()
      busy = true
      const fate = healed ? 'answered' : draw()
      onFate(fate)
      const delayMs = fate === 'answered' ? 0 : soon()
      if (delayMs > 0) clock.after(delayMs, () => perform(fate, requests))
      else perform(fate, requests)
    }
    return {
      send(requests) {
        waiting.push(requests)
        // Never within the call: the writer has not noted the batch yet.
        queueMicrotask(next)
      },
      close: async () => {},
    }
  }

  const writer = createWriter(open, { clock, onLost: () => true })
  return {
    store: {
      ...store,
      openAuction: (auction) => writer.write('openAuction', auction),
      acceptQuote: (quote, at) => writer.write('acceptQuote', { quote, at }),
      closeAuction: (close) => writer.write('closeAuction', close),
      probe: () => writer.write('probe', null),
    },
    heal() {
      healed = true
    },
    async close() {
      await store.close()
      database.close()
    },
  }
}
