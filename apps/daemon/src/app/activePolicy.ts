import type { Policy } from '../domain/policy.ts'
import { decodePolicy, encodePolicy } from '../domain/policyDocument.ts'
import type { Store } from '../ports/store.ts'

const note = 'policy'

/**
 * Loads the policy in force: what `setPolicy` has made of the configuration file's, also across restarts, until the file's
 * changes. A daemon that restarts after a crash must not fall back to prices that its operator has replaced.
 *
 * @param file the policy of the configuration file.
 * @throws {StorageUnavailableError} when the store cannot be read.
 */
export async function loadActivePolicy(
  store: Pick<Store, 'findNote'>,
  file: Policy,
  log: { warn(facts: object, message: string): void },
): Promise<Policy> {
  const text = await store.findNote(note)
  if (text === null) return file
  // `ruling` is the name under which earlier versions have stored it.
  const saved = JSON.parse(text) as { file: string; ruling: unknown }
  const decoded = decodePolicy(saved.ruling)
  if (saved.file !== fingerprint(file) || !decoded.ok) return file
  if (fingerprint(decoded.value) === saved.file) return file
  log.warn({}, "the policy in force was set by setPolicy; it ends when the configuration file's policy is changed")
  return decoded.value
}

/** Saves the policy in force, with the file's policy that it replaces. */
export async function saveActivePolicy(
  store: Pick<Store, 'saveNote'>,
  { file, inForce }: { file: Policy; inForce: Policy },
): Promise<void> {
  await store.saveNote(note, JSON.stringify({ file: fingerprint(file), ruling: encodePolicy(inForce) }))
}

function fingerprint(policy: Policy): string {
  return JSON.stringify(encodePolicy(policy))
}
