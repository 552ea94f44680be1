// Why: docs/decisions/0037-status-log-per-maker.md
import { type Clock, encodeJson } from '@firmquote/core/utils'
import type { Address } from 'viem'
import type { Bus } from '../../ports/bus.ts'
import type { Store } from '../../ports/store.ts'
import { yieldToEventLoop } from '../../scheduling/eventLoop.ts'
import type { BackerSession } from '../auctions/broadcasts.ts'
import { describeFailure } from '../failure.ts'
import type { Log, ServiceDeps } from '../serviceDeps.ts'

/** A session that receives its maker's status updates. */
export type StatusSession = BackerSession & {
  /** Resolves once the send buffer is below its high-water mark or the session has ended. */
  taken(): Promise<void>
}

/** Delivers quote status updates to makers' sessions. */
export type QuoteStatuses = {
  /**
   * A maker's latest `seq`; 0 if there is none.
   *
   * @throws {StorageUnavailableError}
   */
  newest(maker: Address): Promise<number>
  /** Adds a session, which receives each of its maker's updates after `after`. */
  join(
    session: StatusSession,
    after: number,
  ): {
    /**
     * Replays the retained updates after `seq`, then sends `resumed`, or `error` if they cannot be read. Newer updates
     * follow in order. Returns false if an earlier replay is still running.
     */
    resume(asked: { id?: string; seq: number }): boolean
    leave(): void
  }
  /** Sends new updates to this instance's sessions. Never rejects. */
  deliver(): Promise<void>
  /**
   * Notifies every instance, including this one, of new updates. Without this hint, instances would send the updates
   * only at their next poll.
   */
  deliverEverywhere(): void
  /** Starts polling for new updates once a second. */
  start(): void
  stop(): void
}

/** Milliseconds between polls, which find updates whose hint was lost. */
const pollIntervalMs = 1_000
/** The hint's subject. The hint carries no data: the updates are in the store. */
const subject = 'quote_status'
/** Number of updates read and sent per slice. */
const pageLength = 64

/**
 * Creates the delivery of updates from the store to the sessions. Each session has a cursor into its maker's updates
 * and reads on from it whenever any instance adds updates; `resume` moves the cursor back. No update is skipped, and a
 * failed read is repeated.
 *
 * @param leads whether this instance counts the updates in metrics; every instance sees all of them.
 */
export function createQuoteStatuses(
  {
    store,
    bus,
    clock,
    log,
    observe,
  }: {
    store: Pick<Store, 'listStatuses' | 'listPendingUpdates'>
    bus: Pick<Bus, 'publish' | 'subscribe'>
    clock: Pick<Clock, 'after'>
    log: Log
    observe?: Pick<NonNullable<ServiceDeps['observe']>, 'statusTold'> | undefined
  },
  leads: () => boolean = () => true,
): QuoteStatuses {
  type Reader = {
    session: StatusSession
    /** The last `seq` sent. */
    after: number
    reading: boolean
    /** Whether there may be updates after those being read. */
    behind: boolean
    asked: { id?: string; seq: number; begun: boolean } | null
    left: boolean
  }
  /** By lower-case address. */
  const readers = new Map<string, Set<Reader>>()
  /** The position of the last update matched to its maker; null before the first poll. */
  let cursor: number | null = null
  let polling: Promise<void> | null = null
  let pollAgain = false
  let cancelPoll = () => {}
  let stopped = false

  const sendAll = async (reader: Reader): Promise<void> => {
    const { session } = reader
    while (!reader.left) {
      const { asked } = reader
      if (asked && !asked.begun) {
        asked.begun = true
        reader.after = Math.min(reader.after, asked.seq)
      }
      const page = await store.listStatuses(session.address, { after: reader.after, limit: pageLength })
      if (reader.left) return
      for (const status of page.statuses) session.send(encodeJson({ type: 'quote_status', ...status }))
      reader.after = page.statuses.at(-1)?.seq ?? reader.after
      if (page.statuses.length === pageLength) {
        await session.taken()
        await yieldToEventLoop()
      } else if (asked) {
        const { id } = asked
        reader.asked = null
        const { newest: seq, oldest } = page
        session.send(encodeJson({ type: 'resumed', ...(id !== undefined && { id }), seq, oldest }))
      } else if (!reader.asked) return
    }
  }

  const read = async (reader: Reader): Promise<void> => {
    reader.behind = true
    if (reader.reading) return
    reader.reading = true
    try {
      while (reader.behind && !reader.left) {
        reader.behind = false
        await sendAll(reader)
      }
    } catch (err) {
      reader.behind = true
      log.warn({ err }, 'failed to read status updates for a maker')
      const { asked } = reader
      reader.asked = null
      if (asked) {
        const { id } = asked
        reader.session.send(encodeJson({ type: 'error', ...(id !== undefined && { id }), ...describeFailure(err) }))
      }
    } finally {
      reader.reading = false
    }
  }

  const poll = async (): Promise<void> => {
    const isFirst = cursor === null
    for (;;) {
      const { last, told } = await store.listPendingUpdates(cursor)
      cursor = last
      if (told.length === 0) break
      for (const { maker, status, final } of told) {
        if (leads()) observe?.statusTold?.({ status, final })
        // The readers are marked before the next page is read, so that the next poll serves them even after a failure.
        for (const reader of readers.get(maker.toLowerCase()) ?? []) reader.behind = true
      }
    }
    for (const own of readers.values()) {
      for (const reader of own) if (isFirst || reader.behind) void read(reader)
    }
  }

  const deliver = async (): Promise<void> => {
    pollAgain = true
    polling ??= (async () => {
      try {
        while (pollAgain) {
          pollAgain = false
          await poll()
        }
      } catch (err) {
        // The last cycle of the sync may end after the store is closed.
        if (!stopped) log.warn({ err }, 'failed to read pending status updates')
      } finally {
        polling = null
      }
    })()
    await polling
  }

  bus.subscribe(subject, () => void deliver())

  const schedulePoll = () => {
    cancelPoll = clock.after(pollIntervalMs, () => {
      schedulePoll()
      // Only one poll runs at a time, so that hanging polls cannot pile up.
      if (!polling) void deliver()
    })
  }

  return {
    newest: async (maker) => (await store.listStatuses(maker, { after: Number.MAX_SAFE_INTEGER, limit: 1 })).newest,

    join(session, after) {
      const address = session.address.toLowerCase()
      const own = readers.get(address) ?? new Set()
      const reader: Reader = { session, after, reading: false, behind: false, asked: null, left: false }
      readers.set(address, own.add(reader))
      // Updates may have been added since `after` was read.
      void read(reader)
      return {
        resume(asked) {
          if (reader.asked) return false
          reader.asked = { ...asked, begun: false }
          void read(reader)
          return true
        },
        leave() {
          reader.left = true
          own.delete(reader)
          if (own.size === 0 && readers.get(address) === own) readers.delete(address)
        },
      }
    },

    deliver,
    deliverEverywhere: () => bus.publish(subject, '{}'),
    start: schedulePoll,
    stop() {
      stopped = true
      cancelPoll()
    },
  }
}
