import { parentPort, workerData } from 'node:worker_threads'
import { createSignerRecovery, loadWasmEngine } from '@firmquote/core/verifier'
import { createResponseEnd, type RecoveryRing } from './recoveryRing.ts'

// Runs in a thread of its own and never returns to its event loop: recovers one signer after the other, in the order of
// arrival, and sleeps when there is none to recover.

/** Waking the asking thread costs both: under load it is woken for so many answers at once. */
const toldAtOnce = 64

const { ring, thread }: { ring: RecoveryRing; thread: number } = workerData
const recoverSigner = createSignerRecovery(await loadWasmEngine())
const requests = createResponseEnd(ring, thread)
let untold = 0

for (;;) {
  const { digest, signature } = requests.take()
  requests.answer(recoverSigner(digest, signature))
  untold += 1
  // An answer is held back only while as many requests as answers wait, so none is twice as late for it.
  if (untold < Math.min(toldAtOnce, requests.waiting())) continue
  if (requests.mustNotify()) parentPort?.postMessage(null)
  untold = 0
}
