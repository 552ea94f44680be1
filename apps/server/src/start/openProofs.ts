import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createProofKeyFile, loadProofKeys } from '../adapters/proofKeyFile.ts'
import type { Log, ProofDeps } from '../app/serviceDeps.ts'
import { ConfigurationError } from '../ports/errors.ts'
import type { ServiceClock } from '../ports/referenceClock.ts'
import type { ProofStore } from '../ports/store.ts'
import type { Configuration } from './configuration.ts'

/**
 * Opens the log of provable auctions; null if PROOFS is off or the store has none. The first start creates the keys and the
 * log.
 *
 * With only one of the default key file and the log, proofs are off: a restored backup lacks the keys, or is older than
 * their log, which a log with the same keys would fork.
 *
 * @throws {ConfigurationError} if the keys cannot be loaded, or are not the log's.
 */
export async function openProofs(
  configuration: Pick<Configuration, 'PROOFS' | 'PROOF_KEY_FILE' | 'DATA_DIR' | 'PUBLIC_WS_URL' | 'PORT'>,
  { store, clock, log }: { store: ProofStore | undefined; clock: Pick<ServiceClock, 'now'>; log: Log },
): Promise<ProofDeps | null> {
  if (configuration.PROOFS === 'off') return null
  if (!store) {
    log.info({}, 'proofs are off: they need SQLite')
    return null
  }
  const path = resolve(configuration.PROOF_KEY_FILE ?? `${configuration.DATA_DIR}/proof.key`)
  const known = await store.findLog()
  if (configuration.PROOF_KEY_FILE === null && (known === null) === existsSync(path)) {
    const facts = { file: path, ...(known && { origin: known.origin }) }
    log.warn(facts, known ? 'proofs are off: the keys of the log are missing' : `proofs are off: ${keysOfAnotherLog}`)
    return null
  }
  if (known === null) createProofKeyFile(path)
  const keys = await loadProofKeys(path)
  const { publicKey, signer } = keys
  const origin = `${hostOf(configuration)}/log/1`
  const found = await store.startLog({ origin, publicKey, signer, at: Math.floor(clock.now()) })
  if (!Buffer.from(found.publicKey).equals(publicKey) || found.signer !== signer) {
    throw new ConfigurationError(
      `The key file ${path} is not the one of the log ${found.origin}; restore that file, or set PROOFS=off.`,
    )
  }
  return { store, keys, log: found }
}

const keysOfAnotherLog = 'the key file exists, but the database has no log; remove it to begin a log with new keys'

/** The host of the service's public origin. */
function hostOf({ PUBLIC_WS_URL: url, PORT: port }: Pick<Configuration, 'PUBLIC_WS_URL' | 'PORT'>): string {
  return url === null ? `localhost:${port}` : new URL(url).host
}
