import { BaseError } from '@firmquote/sdk'
import type { Cause, ProofFile, Statement } from '@firmquote/verify'

/** Maximum size of a proof file. The proof of an auction with 200 quotes has about 200 kB. */
export const maxProofBytes = 16 * 1024 * 1024

/** A file to check, and the verifier's policy. `keys` has one public key per line. */
export type ProofRequest = {
  text: string
  keys: string
  /** Minimum number of the policy's witnesses that must have signed. */
  quorum: number
}

/** The outcome of a check: the statements of a valid file, or why the file is refused or was not checked. */
export type Checked =
  | { kind: 'valid'; type: ProofFile['type']; statements: readonly Statement[] }
  | { kind: 'refused'; reason: string; cause: Cause }
  | { kind: 'badPolicy'; problem: 'malformed' | 'secondLog'; line: number }
  /** This browser does not verify Ed25519 signatures. */
  | { kind: 'unsupported' }

/**
 * Checks a proof in a worker, which loads the verifier. The file never leaves the browser.
 *
 * @throws {BaseError} `PAGE_FILE_MISSING` if the verifier could not be loaded.
 */
export async function checkProof(request: ProofRequest, signal: AbortSignal): Promise<Checked> {
  const worker = new Worker(new URL('./proofWorker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<Checked>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Checked>) => resolve(data)
      worker.onerror = () => reject(new BaseError('PAGE_FILE_MISSING', 'The verifier could not be loaded.'))
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.postMessage(request)
    })
  } finally {
    worker.terminate()
  }
}

/**
 * Restores a proof's text after copying: a proof has one line, and selections often lack its end or have spaces around
 * it.
 */
export function pastedProof(text: string): string {
  return `${text.trim()}\n`
}
