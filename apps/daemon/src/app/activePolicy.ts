import type { Policy } from '../domain/policy.ts'
import { decodePolicy, encodePolicy } from '../domain/policyDocument.ts'
import type { Store } from '../ports/store.ts'

const note = 'policy'

/**
 * Loads the active policy. A policy set with `setPolicy` survives restarts until the configuration file's policy
 * changes, so that a crash does not restore prices that the operator has replaced.
 *
 * @param file the configuration file's policy.
 * @throws {StorageUnavailableError} if the store cannot be read.
 */
export async function loadActivePolicy(
  store: Pick<Store, 'findNote'>,
  file: Policy,
  log: { warn(facts: object, message: string): void },
): Promise<Policy> {
  const text = await store.findNote(note)
  if (text === null) return file
  // The JSON key is still named `ruling`, as in earlier versions.
  const saved = JSON.parse(text) as { file: string; ruling: unknown }
  const decoded = decodePolicy(saved.ruling)
  if (saved.file !== fingerprint(file) || !decoded.ok) return file
  if (fingerprint(decoded.value) === saved.file) return file
  log.warn({}, 'using the policy set with setPolicy; changing the policy in the configuration file replaces it')
  return decoded.value
}

/** Saves the active policy, and the file's policy that it replaces. */
export async function saveActivePolicy(
  store: Pick<Store, 'saveNote'>,
  { file, inForce }: { file: Policy; inForce: Policy },
): Promise<void> {
  await store.saveNote(note, JSON.stringify({ file: fingerprint(file), ruling: encodePolicy(inForce) }))
}

function fingerprint(policy: Policy): string {
  return JSON.stringify(encodePolicy(policy))
}
