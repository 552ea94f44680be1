import { closeEntry, decodeRecord, keyEntry, openEntry, ProofError, type VerifiedCheckpoint } from '@firmquote/verify'

// Pure rules of a monitor: what a log's entries may say, and when an auction is overdue.

/** Seconds after an auction's end by which the log must have its close. */
const promiseSeconds = 60

/** An auction that the log opened and has not closed. `closesAt` is in Unix milliseconds. */
export type OpenAuction = { index: number; closesAt: number; isReported: boolean }

/**
 * A monitor's record of a log's entries: how many it has read, the auctions without a close, by their public id, and the
 * newest time that an entry states, in Unix milliseconds. Its size depends on the open auctions alone.
 */
export type Audit = { position: number; newestAt: number; open: Map<string, OpenAuction> }

/** A finding about the log, in one sentence. */
export type Finding = { code: 'RULE' | 'UNCLOSED'; text: string; publicRfqId?: string; index?: number }

/** Creates the audit of an empty log. */
export function createAudit(): Audit {
  return { position: 0, newestAt: 0, open: new Map() }
}

/** Reads the log's next entry. Changes the audit. */
export function auditEntry(audit: Audit, bytes: Uint8Array): Finding | null {
  const index = audit.position
  audit.position += 1
  try {
    const [mistake, publicRfqId] = readEntry(audit, bytes, index)
    if (mistake === null) return null
    return { code: 'RULE', text: `Entry ${index} ${mistake}`, index, ...(publicRfqId && { publicRfqId }) }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return { code: 'RULE', text: `Entry ${index} is malformed: ${error.message}`, index }
  }
}

/** Returns what is wrong with an entry, or null, and the auction. */
function readEntry(audit: Audit, bytes: Uint8Array, index: number): [mistake: string | null, publicRfqId?: string] {
  const pass = (at: bigint) => {
    audit.newestAt = Math.max(audit.newestAt, toNumber(at))
  }
  if (index === 0 && bytes[0] !== keyEntry.kind) return ['is not a key, but the first must be.']
  switch (bytes[0]) {
    case keyEntry.kind: {
      pass(decodeRecord(keyEntry.kind, keyEntry.layout, bytes).at)
      return [null]
    }
    case openEntry.kind: {
      const opened = decodeRecord(openEntry.kind, openEntry.layout, bytes)
      const id = opened.publicRfqId.slice(2)
      pass(opened.openedAt)
      if (audit.open.has(id)) return [`opens the auction ${id} again.`, id]
      audit.open.set(id, { index, closesAt: toNumber(opened.closesAt), isReported: false })
      return opened.closesAt < opened.openedAt ? [`ends the auction ${id} before its opening.`, id] : [null]
    }
    case closeEntry.kind: {
      const closed = decodeRecord(closeEntry.kind, closeEntry.layout, bytes)
      const id = closed.publicRfqId.slice(2)
      pass(closed.closedAt)
      return audit.open.delete(id) ? [null] : [`closes the auction ${id}, which is not open.`, id]
    }
    default:
      // Later versions of the service may append entries of other kinds.
      return [null]
  }
}

/** An entry may state any time. */
function toNumber(milliseconds: bigint): number {
  return Math.min(Number(milliseconds), Number.MAX_SAFE_INTEGER)
}

/** The Unix second by which the log must have an auction's close. */
export function mergeByOf({ closesAt }: Pick<OpenAuction, 'closesAt'>): number {
  return Math.ceil(closesAt / 1_000) + promiseSeconds
}

/** When a checkpoint existed, in Unix seconds, and who says so. */
export type CheckpointTime = { seconds: number; source: 'witnesses' | 'entries' }

/**
 * Returns when a checkpoint existed: at the latest time that `quorum` witnesses confirm, but at least one. Without
 * witnesses in the policy, the log's newest entry states it. Null if too few witnesses cosigned.
 */
export function timeOf(
  { witnesses }: Pick<VerifiedCheckpoint, 'witnesses'>,
  policy: { witnesses: number; quorum: number },
  { newestAt }: Pick<Audit, 'newestAt'>,
): CheckpointTime | null {
  if (policy.witnesses === 0) return { seconds: Math.floor(newestAt / 1_000), source: 'entries' }
  const seconds = witnesses.map(({ time }) => time).sort((a, b) => b - a)[Math.max(1, policy.quorum) - 1]
  return seconds === undefined ? null : { seconds, source: 'witnesses' }
}

/**
 * Finds the auctions that a checkpoint should have closed, each once. Changes the audit.
 *
 * @param time when the checkpoint existed, which has all entries that the audit has read.
 */
export function findUnclosed(audit: Audit, { seconds, source }: CheckpointTime): Finding[] {
  const findings: Finding[] = []
  for (const [publicRfqId, auction] of audit.open) {
    const mergeBy = mergeByOf(auction)
    if (auction.isReported || mergeBy > seconds) continue
    auction.isReported = true
    const shown =
      source === 'witnesses'
        ? `Witnesses cosigned the log at ${seconds}`
        : `No witness is named, and the log's newest entry is of ${seconds}`
    findings.push({
      ...{ code: 'UNCLOSED', publicRfqId, index: auction.index },
      text: `The log does not close the auction ${publicRfqId} by ${mergeBy} (Unix seconds). ${shown}.`,
    })
  }
  return findings
}
