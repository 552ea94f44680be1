import type { Policy } from '../domain/policy.ts'
import { decodePolicy, encodePolicy } from '../domain/policyDocument.ts'
import type { Store } from '../ports/store.ts'

const note = 'policy'

/**
 * The policy that rules: what `setPolicy` has made of the file's, also across restarts, until the file's is another. A
 * daemon that comes back after a crash must not fall back to prices that its owner has left.
 */
export async function readRulingPolicy(
  store: Pick<Store, 'readNote'>,
  file: Policy,
  log: { warn(facts: object, message: string): void },
): Promise<Policy> {
  const text = await store.readNote(note)
  if (text === null) return file
  const kept = JSON.parse(text) as { file: string; ruling: unknown }
  const decoded = decodePolicy(kept.ruling)
  if (kept.file !== fingerprint(file) || !decoded.ok) return file
  if (fingerprint(decoded.value) === kept.file) return file
  log.warn({}, "the policy that rules was set by setPolicy; it ends when the configuration file's policy is changed")
  return decoded.value
}

/** Remembers what `setPolicy` has made of the file's policy. */
export async function keepRulingPolicy(
  store: Pick<Store, 'keepNote'>,
  { file, ruling }: { file: Policy; ruling: Policy },
): Promise<void> {
  await store.keepNote(note, JSON.stringify({ file: fingerprint(file), ruling: encodePolicy(ruling) }))
}

function fingerprint(policy: Policy): string {
  return JSON.stringify(encodePolicy(policy))
}
