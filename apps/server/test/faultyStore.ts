import { OutcomeUnknownError, StorageUnavailableError } from '../src/ports/errors.ts'
import type { Store } from '../src/ports/store.ts'

/** How a write ends: nothing is stored; the caller does not learn whether it is; or it waits until the test lets it go on. */
export type Fault = 'none' | 'fails' | 'unknown, not stored' | 'unknown, stored' | 'hangs'

type Write = 'openAuction' | 'acceptQuote' | 'closeAuction' | 'insertQuote' | 'probe'
const writes = ['openAuction', 'acceptQuote', 'closeAuction', 'insertQuote', 'probe'] as const satisfies Write[]

/** The faults that a test plays, by operation. */
export type StoreFaults = Record<Write | 'reads', Fault> & {
  /** How often each operation was asked for. */
  readonly asked: Record<Write, number>
  /** Resolves when an operation has been asked for so often. */
  untilAsked(name: Write, times: number): Promise<void>
  /** Lets go on what hangs, which then does what it was asked for. */
  release(): void
}

/** Creates faults, none at first, and what wraps a store with them. */
export function createStoreFaults(): { faults: StoreFaults; withFaults: (store: Store) => Store } {
  const waiting: (() => void)[] = []
  const watching = new Set<() => void>()
  const faults: StoreFaults = {
    ...{ openAuction: 'none', acceptQuote: 'none', closeAuction: 'none', insertQuote: 'none', probe: 'none' },
    reads: 'none',
    asked: { openAuction: 0, acceptQuote: 0, closeAuction: 0, insertQuote: 0, probe: 0 },
    untilAsked: (name, times) =>
      new Promise((resolve) => {
        const look = () => {
          if (faults.asked[name] < times) return
          watching.delete(look)
          resolve()
        }
        watching.add(look)
        look()
      }),
    release() {
      for (const go of waiting.splice(0)) go()
    },
  }
  const play = async <T>(name: Write, write: () => Promise<T>): Promise<T> => {
    faults.asked[name] += 1
    for (const look of [...watching]) look()
    switch (faults[name]) {
      case 'none':
        return write()
      case 'fails':
        throw new StorageUnavailableError('The disk is full.')
      case 'unknown, stored':
        await write()
        throw new OutcomeUnknownError('The writer has ended.')
      case 'unknown, not stored':
        throw new OutcomeUnknownError('The writer has ended.')
      case 'hangs':
        await new Promise<void>((resolve) => waiting.push(resolve))
        return write()
    }
  }
  const read = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (faults.reads !== 'none') throw new StorageUnavailableError('The database did not answer.')
    return ask()
  }
  const withFaults = (store: Store): Store => ({
    ...store,
    ...(Object.fromEntries(
      writes.map((name) => {
        const write = store[name] as (...given: unknown[]) => Promise<unknown>
        return [name, (...given: unknown[]) => play(name, () => write(...given))]
      }),
    ) as Pick<Store, Write>),
    findAuction: (id) => read(() => store.findAuction(id)),
    findAuctionEntry: (...given) => read(() => store.findAuctionEntry(...given)),
    listOpenAuctions: () => read(() => store.listOpenAuctions()),
    countTaker: (query) => read(() => store.countTaker(query)),
  })
  return { faults, withFaults }
}
