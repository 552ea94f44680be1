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
  'answered late': 10,
  'lost before the statements': 4,
  'lost between statements and commit': 4,
  'lost after the commit': 6,
  'lost after half of it': 4,
  refused: 4,
  'committed, and not known to be': 4,
  'not committed, and not known not to be': 4,
}

/** A store whose writer is killed, or does not know what has become of a commit, again and again. */
export type ForgetfulStore = {
  store: Store
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

  const draw = (): WriteFate => {
    let left = random(100)
    for (const fate of writeFates) {
      left -= shares[fate] ?? 0
      if (left < 0 && fate in shares) return fate
    }
    return 'answered'
  }

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
    let opened = false
    clock.after(0, () => {
      if (gone) return
      opened = true
      events.opened()
      next()
    })
    const lose = () => {
      gone = true
      events.lost(new TypeError('The thread was killed.'))
    }
    const finish = (answers: WriteAnswer[] | null, isLate = true) => {
      const end = () => {
        busy = false
        if (answers === null) lose()
        else events.answered(answers)
        next()
      }
      if (isLate) clock.after(0, end)
      else end()
    }
    const perform = (fate: WriteFate, requests: readonly WriteRequest[]) => {
      const all = (error: Error) => requests.map(() => ({ error }))
      switch (fate) {
        case 'answered':
          return finish(commit(requests), false)
        case 'answered late':
          return finish(commit(requests))
        case 'lost before the statements':
          return finish(null, false)
        case 'lost between statements and commit':
          rollBack(requests)
          return finish(null, false)
        case 'lost after the commit':
          commit(requests)
          return finish(null)
        case 'lost after half of it':
          commit(requests.slice(0, Math.ceil(requests.length / 2)))
          return finish(null)
        case 'refused':
          return finish(all(new StorageUnavailableError('The disk is full.')), false)
        case 'committed, and not known to be':
          commit(requests)
          return finish(all(new OutcomeUnknownError('The disk has failed.')))
        case 'not committed, and not known not to be':
          rollBack(requests)
          return finish(all(new OutcomeUnknownError('The disk has failed.')))
      }
    }
    const next = () => {
      const requests = waiting[0]
      if (!opened || busy || gone || !requests) return
      waiting.shift()
      busy = true
      const fate = draw()
      onFate(fate)
      if (fate === 'answered') perform(fate, requests)
      else clock.after(0, () => perform(fate, requests))
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
    async close() {
      await store.close()
      database.close()
    },
  }
}
