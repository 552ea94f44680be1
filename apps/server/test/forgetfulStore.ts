import type { Clock } from '@firmquote/core/utils'
import { openDatabase } from '../src/adapters/sqliteStore/openDatabase.ts'
import { createSqliteStore } from '../src/adapters/sqliteStore/sqliteStore.ts'
import { createWriter, type WriterChannel, type WriterChannelEvents } from '../src/adapters/sqliteStore/writer.ts'
import {
  createWriteOperations,
  serveWrites,
  type WriteAnswer,
  type WriteRequest,
} from '../src/adapters/sqliteStore/writes.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../src/ports/errors.ts'
import type { Store } from '../src/ports/store.ts'
import type { RandomInteger } from './randomQuotes.ts'

/**
 * Possible fates of a batch of writes: the frequency in percent, the part that is committed (`undone` if statements are
 * rolled back), and the answer, immediate or delayed.
 */
const fates = {
  'answered late': { share: 10, done: 'all', heard: 'answer', late: true },
  'lost before the statements': { share: 4, done: 'none', heard: 'loss', late: false },
  'lost between statements and commit': { share: 4, done: 'undone', heard: 'loss', late: false },
  'lost after the commit': { share: 6, done: 'all', heard: 'loss', late: true },
  'lost after half of it': { share: 4, done: 'half', heard: 'loss', late: true },
  refused: { share: 4, done: 'none', heard: 'refusal', late: false },
  'committed, and not known to be': { share: 4, done: 'all', heard: 'doubt', late: true },
  'not committed, and not known not to be': { share: 4, done: 'undone', heard: 'doubt', late: true },
  answered: { share: 60, done: 'all', heard: 'answer', late: false },
} as const
export type WriteFate = keyof typeof fates
export const writeFates = Object.keys(fates) as WriteFate[]

/**
 * Opens the real SQLite store on a file, with the real writer. It replaces only the channel between the store and the
 * writer. As when a thread is killed, the answer may be lost at any point after the first statement.
 *
 * @param onFate called with the fate of each batch.
 */
export async function openForgetfulStore(
  file: string,
  { clock, random, onFate }: { clock: Clock; random: RandomInteger; onFate: (fate: WriteFate) => void },
): Promise<{ store: Store; close(): Promise<void> }> {
  const settings = { file, cacheMiB: 16, retention: { milliseconds: 1e12, auctionQuotes: 1e9 }, pruneEvery: 1e9 }
  const store = await createSqliteStore({ file, writesHere: true, clock })
  const database = await openDatabase(settings)
  const operations = createWriteOperations(settings, database.run)

  const draw = (): WriteFate => {
    let left = random(100)
    for (const fate of writeFates) {
      left -= fates[fate].share
      if (left < 0) return fate
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

  const refusal = new StorageUnavailableError('The disk is full.')
  const doubt = new OutcomeUnknownError('The disk has failed.')
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
    const perform = (fate: WriteFate, requests: readonly WriteRequest[]) => {
      const { done, heard, late } = fates[fate]
      const count = { all: requests.length, half: Math.ceil(requests.length / 2), none: 0, undone: 0 }[done]
      const answers = count > 0 ? commit(requests.slice(0, count)) : []
      if (done === 'undone') rollBack(requests)
      const hear = () => {
        busy = false
        gone = heard === 'loss'
        if (heard === 'answer') events.answered(answers)
        else if (heard === 'loss') events.lost(new TypeError('The thread was killed.'))
        else events.answered(requests.map(() => ({ error: heard === 'refusal' ? refusal : doubt })))
        next()
      }
      if (late) clock.after(0, hear)
      else hear()
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
        // Batches are never processed synchronously, because the writer has not recorded them yet.
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
