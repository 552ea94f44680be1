import { createTreeReader, encodeEntries, formatKey, verifyCheckpoint } from '@firmquote/verify'
import { createAudit } from '../../../apps/cli/src/proofs/auditLog.ts'
import { createLogMonitor, type MonitorDeps } from '../../../apps/cli/src/proofs/logMonitor.ts'
import type { ProofService } from '../../../apps/server/src/app/proofs/proofService.ts'
import { StorageUnavailableError } from '../../../apps/server/src/ports/errors.ts'
import type { Instance } from './instanceState.ts'
import { epoch } from './life.ts'
import type { ProofRules } from './proofRules.ts'
import type { Random } from './random.ts'
import { isOutage } from './remote.ts'
import { logKey, witnessKey } from './simKeys.ts'
import type { Timeline } from './timeline.ts'

/** Alarms that an outage of an honest service may raise. */
const permitted = new Set<string>(['STALE', 'COSIGNATURES'])

/** Milliseconds between two looks at the log. */
const lookMs = { least: 500, most: 4_000 }

/** Runs the real `firmquote monitor` on the log, with one witness in its policy. Stops with the timeline. */
export function startSimMonitor({
  timeline,
  random,
  instance,
  rules,
}: {
  timeline: Timeline
  random: Random
  instance: Instance
  rules: ProofRules
}): { position(): number } {
  /** Asks the running process, and rejects when it ends or if it does not answer. */
  const ask = <T>(request: (proofs: ProofService) => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const { process } = instance
      const lost = () => reject(new StorageUnavailableError('The service did not answer.'))
      if (!process?.service.proofs || instance.readySince === null) return lost()
      process.onEnd.add(lost)
      request(process.service.proofs)
        .then(resolve, reject)
        .finally(() => process.onEnd.delete(lost))
    })
  const treeOf = (head: Parameters<typeof createTreeReader>[0]) =>
    createTreeReader(head, ({ level, index, width }) =>
      ask(async ({ store }) => {
        if (level === 'entries') return encodeEntries(await store.listEntries(1, index * 256, index * 256 + width))
        return ((await store.findTile(1, level, index)) ?? new Uint8Array()).subarray(0, width * 32)
      }),
    )
  const reader: MonitorDeps['reader'] = {
    key: async () => logKey,
    async checkpoint() {
      const note = await ask(async ({ log }) => log.newest()?.note)
      if (note === undefined) throw new StorageUnavailableError('There is no checkpoint yet.')
      return verifyCheckpoint(note, { log: logKey, witnesses: [witnessKey] })
    },
    entries: (from, to, head) => treeOf(head).entries(from, to),
    inclusionPath: (index, head) => treeOf(head).inclusionPath(index, head.size),
    consistencyPath: (from, head) => treeOf(head).consistencyPath(from, head.size),
    root: (size, head) => treeOf(head).root(size),
  }
  const state = { url: '', key: formatKey(logKey), note: null, witnessed: null, audit: createAudit() }
  const monitor = createLogMonitor({
    ...{ reader, state, policy: { witnesses: [witnessKey], quorum: 1 } },
    now: () => epoch + timeline.now(),
    save: async () => {},
    saveProof: async (_, name) => name,
    alarm: ({ code, text }) => permitted.has(code) || rules.alarmed(code, text),
    report: () => {},
  })
  const look = async () => {
    try {
      await monitor.pass()
    } catch (error) {
      if (!isOutage(error)) throw error
    }
    timeline.at(timeline.now() + random.between(lookMs.least, lookMs.most), look)
  }
  timeline.at(lookMs.least, look)
  return { position: () => state.audit.position }
}
