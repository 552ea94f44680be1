import type { Clock } from '@firmquote/core/utils'
import { checkpointText, formatKey, formatNote, keyIdOf, keyTypes, type NoteKey } from '@firmquote/verify'
import { mustHold } from '../../domain/receipts.ts'
import type { StoredLog } from '../../ports/store.ts'
import type { Log, ProofDeps } from '../serviceDeps.ts'

/** A signed checkpoint. */
export type PublishedCheckpoint = {
  size: number
  root: Uint8Array
  /** When the tree head was committed, in Unix milliseconds. */
  at: number
  /** The text that is signed. */
  text: string
  /** The signed note. */
  note: string
  /** The keys of the note's signatures, in their order, as `formatKey` formats them. */
  keys: readonly string[]
}

/** Publishes the checkpoints of a log. */
export type ProofLog = {
  readonly id: number
  readonly origin: string
  /** The log's path on this service. */
  readonly url: string
  readonly key: NoteKey
  /** The newest checkpoint; null until the first one. */
  newest(): PublishedCheckpoint | null
  /**
   * Whether checkpoints wait until overdue auctions are closed, or until the store can be read. Then no witness may sign
   * the newest one again.
   */
  isHeld(): boolean
  /** Number of entries that no checkpoint has yet, as of the last check. */
  waiting(): number
  /** Publishes all entries, then publishes new ones every second. Never rejects. */
  start(): Promise<void>
  /** Stops after the checkpoint in progress. */
  stop(): Promise<void>
  /** Publishes a checkpoint of all entries if there are new ones. Never rejects. */
  publish(): Promise<void>
}

/** Milliseconds between checkpoints. */
const intervalMs = 1_000
/** Milliseconds after which the service's time is stored again, so that a restart does not turn it back. */
const seenEveryMs = 10_000

/**
 * Creates the sequencer of a log. The store commits each tree head before it is signed, and a head always has the same
 * signature. A crash at any point therefore publishes the same checkpoints or none, but never a fork.
 */
export function createProofLog(
  { store, keys, log: { id, origin } }: ProofDeps,
  { clock, log, onPublished }: { clock: Pick<Clock, 'now' | 'after'>; log: Log; onPublished?(): void },
): ProofLog {
  const key: NoteKey = { name: origin, type: keyTypes.log, publicKey: keys.publicKey }
  const [keyId, keyText] = [keyIdOf(key), formatKey(key)]
  let newest: PublishedCheckpoint | null = null
  let waiting = 0
  let held = true
  let fault: 'damaged' | 'failed' | 'overdue' | null = null
  let publishing: Promise<void> = Promise.resolve()
  let stopped = false
  let cancel = () => {}

  /** Commits a head with all entries. Null if the stored tree is damaged. */
  const commitAll = async (): Promise<StoredLog | null> => {
    const now = Math.floor(clock.now())
    let found = await store.findLog()
    while (found && (found.entries > found.head.size || Math.abs(now - found.seenAt) >= seenEveryMs))
      found = await store.advanceLog(now)
    return found
  }

  const sign = ({ size, root, at }: StoredLog['head']): PublishedCheckpoint => {
    const text = checkpointText({ origin, size, root })
    const signature = { name: origin, keyId, signature: keys.signText(text) }
    return { size, root, at, text, note: formatNote({ text, signatures: [signature] }), keys: [keyText] }
  }

  const publishAll = async () => {
    try {
      // Read first: the entries of all auctions that have been closed by now are part of the commit.
      const oldestEnd = await store.findOldestEnd()
      const isHeld = mustHold(oldestEnd, clock.now())
      const found = isHeld ? await store.findLog() : await commitAll()
      // A head that moved back, or changed, is not the one that was committed.
      if (!found || found.head.size < (newest?.size ?? 0) || isChanged(found.head, newest)) {
        if (fault !== 'damaged') log.error({ origin }, 'the stored log is damaged; checkpoints stop')
        fault = 'damaged'
        held = true
        return
      }
      held = isHeld
      waiting = found.entries - found.head.size
      if (found.head.size > (newest?.size ?? 0)) {
        newest = sign(found.head)
        if (!isHeld) onPublished?.()
      }
      if (isHeld && fault !== 'overdue') log.warn({ origin }, 'checkpoints wait for the close of overdue auctions')
      if (!isHeld && fault !== null) log.info({ origin }, 'checkpoints continue')
      fault = isHeld ? 'overdue' : null
    } catch (err) {
      if (fault !== 'failed') log.warn({ err, origin }, 'failed to write a checkpoint; will retry')
      fault ??= 'failed'
      held = true
      const found = await store.findLog().catch(() => null)
      if (found) waiting = found.entries - (newest?.size ?? 0)
    }
  }

  const publish = () => {
    publishing = publishing.then(publishAll)
    return publishing
  }
  const schedule = () => {
    if (stopped) return
    cancel = clock.after(intervalMs, () => void publish().finally(schedule))
  }

  return {
    ...{ id, origin, url: `/log/${id}`, key, publish },
    newest: () => newest,
    isHeld: () => held,
    waiting: () => waiting,
    async start() {
      await publish()
      schedule()
    },
    stop() {
      stopped = true
      cancel()
      return publishing
    },
  }
}

function isChanged({ size, root }: StoredLog['head'], newest: PublishedCheckpoint | null): boolean {
  return newest?.size === size && !Buffer.from(root).equals(newest.root)
}
