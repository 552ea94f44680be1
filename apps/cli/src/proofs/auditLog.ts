import { closeEntry, decodeRecord, keyEntry, openEntry, ProofError, type VerifiedCheckpoint } from '@firmquote/verify'

// Pure rules of a monitor: what a log's entries may say, and when an auction is overdue.

/** Seconds after an auction's end by which the log must have its close. */
const promiseSeconds = 60
/**
 * Seconds by which an opening may be older than the witnesses' last look at the log without it. A cosignature may be 20 s
 * younger than its checkpoint, by the clock that dates openings.
 */
const backdatingSeconds = 60

/** An auction that the log opened and has not closed. `closesAt` is in Unix milliseconds. */
export type OpenAuction = { index: number; closesAt: number; isReported: boolean }

/**
 * A monitor's record of a log's entries: how many it has read, the auctions without a close, by their public id, the
 * newest time that an entry states, in Unix milliseconds, and when witnesses last saw that the log had no more entries
 * than these, in Unix seconds. Its size depends on the open auctions alone.
 */
export type Audit = { position: number; newestAt: number; witnessedAt: number; open: Map<string, OpenAuction> }

/** A finding about the log, in one sentence. `index` is the position of the entry, or of the auction's opening. */
export type Finding = { code: 'RULE' | 'UNCLOSED' | 'BACKDATED'; text: string; publicRfqId?: string; index: number }

/** Creates the audit of an empty log. */
export function createAudit(): Audit {
  return { position: 0, newestAt: 0, witnessedAt: 0, open: new Map() }
}

/** Reads the log's next entry. Changes the audit. */
export function auditEntry(audit: Audit, bytes: Uint8Array): Finding | null {
  const index = audit.position
  audit.position += 1
  try {
    const { mistake, publicRfqId, at } = readEntry(audit, bytes, index)
    const auction = publicRfqId === undefined ? {} : { publicRfqId }
    if (mistake !== null) return { code: 'RULE', text: `Entry ${index} ${mistake}`, index, ...auction }
    if (at === undefined || at >= (audit.witnessedAt - backdatingSeconds) * 1_000) return null
    const text = `Entry ${index} is dated ${Math.floor(at / 1_000)}, but witnesses saw the log without it at ${audit.witnessedAt} (Unix seconds).`
    return { code: 'BACKDATED', text, index, ...auction }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return { code: 'RULE', text: `Entry ${index} is malformed: ${error.message}`, index }
  }
}

/** What is wrong with an entry, its auction, and the time at which it says that it opened the auction, in Unix milliseconds. */
type ReadEntry = { mistake: string | null; publicRfqId?: string; at?: number }

function readEntry(audit: Audit, bytes: Uint8Array, index: number): ReadEntry {
  const pass = (stated: bigint) => {
    const at = toNumber(stated)
    audit.newestAt = Math.max(audit.newestAt, at)
    return at
  }
  if (index === 0 && bytes[0] !== keyEntry.kind) return { mistake: 'is not a key, but the first must be.' }
  switch (bytes[0]) {
    case keyEntry.kind:
      pass(decodeRecord(keyEntry.kind, keyEntry.layout, bytes).at)
      return { mistake: null }
    case openEntry.kind: {
      const { publicRfqId: hex, openedAt, closesAt } = decodeRecord(openEntry.kind, openEntry.layout, bytes)
      const publicRfqId = hex.slice(2)
      const at = pass(openedAt)
      if (audit.open.has(publicRfqId)) return { mistake: `opens the auction ${publicRfqId} again.`, publicRfqId }
      audit.open.set(publicRfqId, { index, closesAt: toNumber(closesAt), isReported: false })
      const mistake = closesAt < openedAt ? `ends the auction ${publicRfqId} before its opening.` : null
      return { mistake, publicRfqId, at }
    }
    case closeEntry.kind: {
      const { publicRfqId: hex, closedAt } = decodeRecord(closeEntry.kind, closeEntry.layout, bytes)
      const publicRfqId = hex.slice(2)
      pass(closedAt)
      // A close after an outage is dated at the auction's end, however late it is written. UNCLOSED finds late ones.
      const mistake = audit.open.delete(publicRfqId) ? null : `closes the auction ${publicRfqId}, which is not open.`
      return { mistake, publicRfqId }
    }
    default:
      // Later versions of the service may append entries of other kinds.
      return { mistake: null }
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
 * @param time when the checkpoint existed, which has exactly the entries that the audit has read.
 */
export function findUnclosed(audit: Audit, { seconds, source }: CheckpointTime): Finding[] {
  if (source === 'witnesses') audit.witnessedAt = Math.max(audit.witnessedAt, seconds)
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
