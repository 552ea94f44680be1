import { ClientError, InvalidResponseError } from '@firmquote/sdk'
import { type LogReader, proveBackdated, proveOverdue } from '@firmquote/sdk/proofs'
import {
  formatNote,
  formatProof,
  ProofError,
  type ProofFile,
  parseKey,
  proveFork,
  type VerifiedCheckpoint,
  type VerifyPolicy,
  verifyCheckpoint,
} from '@firmquote/verify'
import { bytesToHex } from 'viem'
import { auditEntry, type CheckpointTime, type Finding, findUnclosed, mergeByOf, timeOf } from './auditLog.ts'
import type { MonitorState } from './monitorState.ts'

/** Entries that are read together. */
const entriesAtOnce = 4_096
/** Entries after which the state is saved. */
const entriesPerSave = 65_536
/** Witnesses cosign within 10 s. */
const cosigningMs = 60_000
/** Seconds after which an auction without a close makes a log stale. */
const staleSeconds = 60
/** Number of findings whose proofs are saved. A log without any close would fill the disk. */
const maxProofs = 100

/** Something that an operator of a monitor must look at. `file` is a proof that was saved. */
export type Alarm =
  | (Finding & { file?: string })
  | { code: 'FORK'; text: string; file: string }
  | { code: 'COSIGNATURES' | 'STALE' | 'INVALID' | 'UNREACHABLE'; text: string }

/** How far a monitor is. `time` is null if too few witnesses cosigned. */
export type Progress =
  | { type: 'entries'; data: { position: number; size: number } }
  | {
      type: 'checkpoint'
      data: {
        size: number
        root: string
        open: number
        witnesses: readonly { name: string; time: number }[]
        time: CheckpointTime | null
      }
    }

/** Dependencies of a monitor. `policy.witnesses` are the witnesses that it trusts. */
export type MonitorDeps = {
  reader: LogReader
  state: MonitorState
  policy: Pick<VerifyPolicy, 'witnesses' | 'quorum'>
  /** The wall clock, in Unix milliseconds. It decides no breach, only how stale a log is. */
  now(): number
  save(state: MonitorState): Promise<void>
  /** Saves a proof, and returns the file's path. @throws {ProofError} if it proves nothing. */
  saveProof(proof: string, name: string): Promise<string>
  alarm(alarm: Alarm): void
  report(progress: Progress): void
}

/** Follows a log from a state. */
export type LogMonitor = {
  /**
   * Reads the newest checkpoint and all new entries. `isForked` ends the monitor's work. `failure` is set if reading
   * the log failed.
   */
  pass(): Promise<{ isForked: boolean; isCosigned: boolean; failure: ClientError | null }>
  /** Raises the alarm for missing cosignatures, if the newest checkpoint lacks some. */
  reportCosignatures(): void
}

/** Creates a monitor. It raises each alarm once, and again after the condition has ended. */
export function createLogMonitor(deps: MonitorDeps): LogMonitor {
  const { reader, state, policy, now, alarm } = deps
  const { witnesses = [], quorum = 0 } = policy
  const { audit } = state
  const log = parseKey(state.key)
  const raised = new Set<Alarm['code']>()
  let last: VerifiedCheckpoint | null = null
  let newest: VerifiedCheckpoint | null = null
  let shownSize: number | null = null
  let lacksSince: number | null = null
  let seen: VerifiedCheckpoint | null = null
  let proofs = 0

  const set = (code: 'COSIGNATURES' | 'STALE' | 'INVALID' | 'UNREACHABLE', text: string | null) => {
    if (text === null) raised.delete(code)
    else if (!raised.has(code)) {
      raised.add(code)
      alarm({ code, text })
    }
  }
  /** Compares a checkpoint with the last one. @returns whether the log has forked. */
  async function findFork(checkpoint: VerifiedCheckpoint): Promise<boolean> {
    if (last === null) return false
    const larger = checkpoint.size >= last.size ? checkpoint : last
    const notes = [formatNote(last.note), formatNote(checkpoint.note)] as const
    const sizes = [last.size, checkpoint.size] as const
    const proof = await proveFork(notes, { log, source: reader }).catch((cause: unknown) => {
      const isRefused = cause instanceof ProofError || cause instanceof InvalidResponseError
      if (larger === checkpoint || !isRefused) throw cause
      throw new ProofError(
        `The log has signed ${sizes[0]} entries, but now shows ${sizes[1]}, and no proof that these are the first ones.`,
      )
    })
    if (proof === null) return false
    const file = await deps.saveProof(formatProof(proof), `fork-${sizes[0]}-${sizes[1]}`)
    alarm({ code: 'FORK', text: `The log signed two histories, of ${sizes[0]} and ${sizes[1]} entries.`, file })
    return true
  }

  /** Raises the alarm for a finding, with the proof if the log still serves what it needs. */
  async function raise(finding: Finding, prove?: () => Promise<ProofFile | null>): Promise<void> {
    if (!prove) return alarm(finding)
    const without = (why: string) => alarm({ ...finding, text: `${finding.text} No proof was saved: ${why}` })
    if (proofs >= maxProofs) return without(`there are ${maxProofs} of this run.`)
    let file: string
    try {
      const proof = await prove()
      if (proof === null) return without('the log has too many later entries.')
      file = await deps.saveProof(formatProof(proof), `${proof.type}-${finding.index}`)
    } catch (error) {
      if (error instanceof ProofError) return without(error.message)
      if (error instanceof ClientError && error.code !== 'ABORTED') return without(error.shortMessage)
      throw error
    }
    proofs += 1
    alarm({ ...finding, file })
  }

  async function readEntries(head: VerifiedCheckpoint): Promise<void> {
    let saved = audit.position
    while (audit.position < head.size) {
      const to = Math.min(audit.position + entriesAtOnce, head.size)
      for (const entry of await reader.entries(audit.position, to, head)) {
        const finding = auditEntry(audit, entry)
        if (finding) await raise(finding, finding.code === 'BACKDATED' ? proofOfDate(finding, head) : undefined)
      }
      if (audit.position - saved < entriesPerSave && audit.position < head.size) continue
      saved = audit.position
      await deps.save(state)
      deps.report({ type: 'entries', data: { position: saved, size: head.size } })
    }
  }

  function proofOfDate({ index }: Finding, head: VerifiedCheckpoint) {
    const checkpoint = seen
    return checkpoint ? () => proveBackdated(reader, index, { checkpoint, witnesses }, head) : undefined
  }

  async function judge(head: VerifiedCheckpoint): Promise<void> {
    const time = timeOf(head, { witnesses: witnesses.length, quorum }, audit)
    const { witnessedAt } = audit
    const findings = time === null ? [] : findUnclosed(audit, time)
    const isProvable = time?.source === 'witnesses'
    for (const finding of findings) {
      const prove = () => proveOverdue(reader, finding.index, { checkpoint: head, witnesses })
      await raise(finding, isProvable ? prove : undefined)
    }
    if (audit.witnessedAt !== witnessedAt) {
      seen = head
      state.witnessed = formatNote(head.note)
    }
    if (findings.length > 0 || audit.witnessedAt !== witnessedAt) await deps.save(state)
    const seconds = now() / 1_000
    const due = [...audit.open.values()].filter((one) => !one.isReported && mergeByOf(one) + staleSeconds < seconds)
    const stale = `The log is stale: by this machine's clock, ${due.length} auctions are due, but no newer checkpoint has or lacks their close.`
    set('STALE', due.length > 0 ? stale : null)
    lacksSince = isCosigned(head) ? null : (lacksSince ?? now())
    if (lacksSince === null) set('COSIGNATURES', null)
    else if (now() - lacksSince >= cosigningMs) reportCosignatures()
    if (head.size === shownSize && findings.length === 0) return
    shownSize = head.size
    deps.report({
      type: 'checkpoint',
      data: { size: head.size, root: bytesToHex(head.root), open: audit.open.size, witnesses: head.witnesses, time },
    })
  }

  const isCosigned = (head: VerifiedCheckpoint) => head.witnesses.length >= quorum

  function reportCosignatures(): void {
    if (newest === null || isCosigned(newest)) return
    const names = newest.witnesses.map(({ name }) => name)
    const missing = witnesses.filter(({ name }) => !names.includes(name)).map(({ name }) => name)
    const text = `${names.length} of your witnesses cosigned the newest checkpoint, but ${quorum} must have. Missing: ${missing.join(', ')}.`
    set('COSIGNATURES', text)
  }

  async function follow(): Promise<boolean> {
    if (state.note !== null) last ??= await verifyCheckpoint(state.note, { log, witnesses })
    if (state.witnessed !== null && seen === null) {
      seen = await verifyCheckpoint(state.witnessed, { log, witnesses })
      const time = timeOf(seen, { witnesses: witnesses.length, quorum }, audit)
      audit.witnessedAt = time?.source === 'witnesses' ? time.seconds : 0
    }
    const checkpoint = await reader.checkpoint()
    if (await findFork(checkpoint)) return true
    // A cache may serve an older checkpoint of the same history.
    const isOlder = last !== null && checkpoint.size < last.size
    const head = isOlder && last !== null ? last : checkpoint
    const isNew = head.size !== last?.size
    // The note of a known size may gain cosignatures.
    state.note = formatNote(head.note)
    last = head
    if (isNew) await deps.save(state)
    await readEntries(head)
    newest = head
    await judge(head)
    return false
  }

  return {
    async pass() {
      try {
        const isForked = await follow()
        set('UNREACHABLE', null)
        set('INVALID', null)
        return { isForked, isCosigned: newest !== null && isCosigned(newest), failure: null }
      } catch (error) {
        if (error instanceof ProofError) set('INVALID', error.message)
        else if (error instanceof ClientError && error.code !== 'ABORTED') set('UNREACHABLE', error.shortMessage)
        else throw error
        return { isForked: false, isCosigned: true, failure: error instanceof ClientError ? error : null }
      }
    },
    reportCosignatures,
  }
}
