import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeJson } from '@firmquote/core/utils'
import { createLogReader, type LogSource, readLogs } from '@firmquote/sdk/proofs'
import { formatKey, ProofError, type VerifyPolicy, verifyProof } from '@firmquote/verify'
import type { Context } from '../context.ts'
import { MonitorAlarmError, UsageError } from '../errors.ts'
import { printable } from '../format/printable.ts'
import { createAudit } from '../proofs/auditLog.ts'
import { loadInput } from '../proofs/loadInput.ts'
import { type Alarm, createLogMonitor, type Progress } from '../proofs/logMonitor.ts'
import { formatState, loadState, type MonitorState, writeDurably } from '../proofs/monitorState.ts'
import { parsePolicy } from '../proofs/parsePolicy.ts'
import { parseTimeout } from '../proofs/parseTimeout.ts'

const pollMs = 2_000

/** Options of `firmquote monitor`. */
export type MonitorOptions = {
  policy?: string
  state: string
  proofs?: string
  timeout: string
  once?: boolean
  json?: boolean
}

/**
 * Follows a service's log from the last state, and raises alarms on standard error.
 *
 * @param given URL of the service, or of one of its logs.
 * @throws {MonitorAlarmError} if the log has forked, or with `--once` after any alarm.
 */
export async function monitor(context: Context, given: string, options: MonitorOptions): Promise<void> {
  const { signal } = context
  const timeoutMs = parseTimeout(options.timeout)
  const source = { signal, timeoutMs }
  const policy = options.policy === undefined ? {} : parsePolicy(await loadInput(context, options.policy, 'The policy'))
  const state = await startState(context, source, await findLog(given, source), policy, options.state)
  const { witnesses = [], quorum = 0 } = policy
  const reader = createLogReader({ url: state.url, key: state.key, witnesses, ...source })
  const proofs = await prepareFolder(options)
  let alarms = 0
  const logMonitor = createLogMonitor({
    ...{ reader, state, policy: { witnesses, quorum }, now: Date.now },
    save: (changed) => context.finish(writeDurably(options.state, formatState(changed))),
    saveProof: (proof, name) => context.finish(saveProof(join(proofs, `${name}.json`), proof)),
    alarm(alarm) {
      alarms += 1
      context.note(options.json ? encodeJson({ alarm }) : renderAlarm(alarm))
    },
    report: (progress) => context.write(`${options.json ? encodeJson(progress) : renderProgress(progress)}\n`),
  })
  const started = performance.now()
  for (;;) {
    const { isForked, isCosigned, failure } = await logMonitor.pass()
    if (isForked) throw new MonitorAlarmError(alarms)
    if (options.once && failure) throw failure
    if (options.once && (isCosigned || performance.now() - started >= timeoutMs)) break
    await sleep(options.once ? 1_000 : pollMs, undefined, { signal })
  }
  logMonitor.reportCosignatures()
  if (alarms > 0) throw new MonitorAlarmError(alarms)
}

/** Returns the URL of the log, and its key as the service lists it. */
async function findLog(given: string, source: LogSource): Promise<{ url: string; key: string | null }> {
  const url = given.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  if (/\/log\/\d+$/.test(url)) return { url, key: null }
  const [newest] = (await readLogs(url, source)).slice(-1)
  if (!newest) throw new UsageError('The service has no log.')
  return newest
}

async function startState(
  context: Context,
  source: LogSource,
  { url, key: listed }: { url: string; key: string | null },
  policy: VerifyPolicy,
  file: string,
): Promise<MonitorState> {
  const known = await loadState(file)
  const trusted = policy.log && formatKey(policy.log)
  if (!policy.witnesses) context.note("No policy names a witness, so times are the log's own.")
  if (known) {
    if (known.url !== url) throw new UsageError(`The state file is of ${known.url}. Name another one with --state.`)
    if (trusted !== undefined && trusted !== known.key)
      throw new UsageError('The state file has another log key than the policy. Name another one with --state.')
    return known
  }
  const key = trusted ?? listed ?? formatKey(await createLogReader({ url, ...source }).key())
  if (trusted === undefined) context.note(`No policy names the log's key, so the service's is kept: ${key}`)
  return { url, key, note: null, witnessed: null, audit: createAudit() }
}

/** Creates the folder of proofs, so that a wrong path is noticed before there is a proof. */
async function prepareFolder({ proofs, state }: MonitorOptions): Promise<string> {
  if (proofs === undefined) return dirname(state)
  await mkdir(proofs, { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`The folder of proofs cannot be created (${cause.code ?? 'unknown'}).`)
  })
  return proofs
}

async function saveProof(file: string, proof: string): Promise<string> {
  const verdict = await verifyProof(proof)
  if (!verdict.isValid) throw new ProofError(`The proof is wrong: ${verdict.reason}`)
  await writeDurably(file, proof)
  return file
}

function renderAlarm(alarm: Alarm): string {
  const file = 'file' in alarm ? ` Proof: ${alarm.file}` : ''
  return `ALARM ${alarm.code}: ${printable(alarm.text)}${file}`
}

function renderProgress({ type, data }: Progress): string {
  if (type === 'entries') return `read ${data.position} of ${data.size} entries`
  const { size, root, open, witnesses, time } = data
  const seen = witnesses.length === 0 ? '' : `, cosigned by ${witnesses.map(({ name }) => printable(name)).join(', ')}`
  const at = time === null ? '' : `, at ${new Date(time.seconds * 1_000).toISOString()}`
  return `checkpoint of ${size} entries, root ${root}, ${open} auctions open${seen}${at}`
}
