import { createLogReader, createWitness, createWitnessLink, type WitnessAlarm } from '@firmquote/sdk/proofs'
import { formatKey, parseKey } from '@firmquote/verify'
import type { Alert } from '../../domain/alerts.ts'
import type { LogWitness } from '../../ports/logWitness.ts'
import { openWitnessFiles } from './openWitnessFiles.ts'

/** Options of {@link openLogWitness}. */
export type LogWitnessOptions = {
  /** Folder of the witness's key and state. */
  folder: string
  /** Name in signatures. Default: a name that follows from the key. */
  name?: string | undefined
  /** The log's key. Default: the first one that the service names. */
  logKey?: string | undefined
  log: {
    warn(facts: object, message: string): void
    error(facts: object, message: string): void
  }
}

/**
 * Opens this maker's witness.
 *
 * @throws {ConfigurationError} if another daemon uses its folder, or if its files cannot be used safely.
 */
export async function openLogWitness({ folder, name, logKey, log }: LogWitnessOptions): Promise<LogWitness> {
  const files = await openWitnessFiles(folder, name)
  const alerts: Alert[] = []
  let cosignatures = 0

  const raise = async ({ code, origin, message, proof }: WitnessAlarm) => {
    alerts.push({ code, token: null, message })
    const facts = { code, origin }
    try {
      const file = proof === null ? {} : { file: await files.saveProof(origin, proof) }
      log.error({ ...facts, ...file }, message)
    } catch (err) {
      log.error({ ...facts, err, proof }, `${message} Failed to save the proof.`)
    }
  }
  const witness = createWitness({ ...files, onAlarm: (alarm) => void raise(alarm) })

  return {
    key: formatKey(files.key),
    connect: ({ readLogSettings, urlOf, send }) =>
      createWitnessLink({
        async open() {
          const settings = await readLogSettings()
          if (settings === null) return null
          const isPinned = logKey !== undefined && parseKey(logKey).name === settings.origin
          const trusted = isPinned ? logKey : settings.key
          return witness.open({ key: trusted, reader: createLogReader({ url: urlOf(settings), key: trusted }) })
        },
        send,
        onError: (err) => log.warn({ err }, 'failed to cosign the log; will retry'),
        onCosigned: () => {
          cosignatures += 1
        },
      }),
    alerts: () => alerts,
    cosignatures: () => cosignatures,
    close: files.close,
  }
}
