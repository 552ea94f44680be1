import { verifyProof } from '@firmquote/verify'
import type { Checked, ProofRequest } from './checkProof.ts'
import { parsePolicy } from './parsePolicy.ts'

// A worker, so that a large file, from whomever it is, does not block the page, and its check can be stopped.

addEventListener(
  'message',
  ({ data }: MessageEvent<ProofRequest>) => void check(data).then((checked) => postMessage(checked)),
)

async function check({ text, keys, quorum }: ProofRequest): Promise<Checked> {
  if (!(await canVerify())) return { kind: 'unsupported' }
  const policy = parsePolicy(keys, quorum)
  if ('problem' in policy) return { kind: 'badPolicy', ...policy }
  const verdict = await verifyProof(text, policy)
  if (!verdict.isValid) return { kind: 'refused', reason: verdict.reason, cause: verdict.cause }
  return { kind: 'valid', type: verdict.file.type, statements: verdict.statements }
}

/** Browsers offer Ed25519 since 2025, and only to pages from HTTPS or this machine. */
async function canVerify(): Promise<boolean> {
  // The curve's base point, which is a valid public key.
  const point = new Uint8Array(32).fill(0x66).with(0, 0x58)
  return (
    crypto.subtle?.importKey('raw', point, 'Ed25519', false, ['verify']).then(
      () => true,
      () => false,
    ) ?? false
  )
}
