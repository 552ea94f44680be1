import { parentPort, workerData } from 'node:worker_threads'
import { createSignerRecovery, loadWasmEngine } from '@firmquote/core/verifier'
import { createResponseEnd, type RecoveryRing } from './recoveryRing.ts'

// A worker thread that never returns to its event loop. The thread recovers signers in order of arrival and sleeps when
// there are no requests.

/**
 * Maximum number of answers per notification. A wake-up takes time on both threads, so under load, one notification
 * covers several answers.
 */
const maxUnreported = 64

const { ring, thread }: { ring: RecoveryRing; thread: number } = workerData
const recoverSigner = createSignerRecovery(await loadWasmEngine())
const requests = createResponseEnd(ring, thread)
let unreported = 0

for (;;) {
  const { digest, signature } = requests.take()
  requests.answer(recoverSigner(digest, signature))
  unreported += 1
  // Delay the notification only while at least as many requests are waiting as there are unreported answers, so that
  // the delay is bounded by the time needed to process those requests.
  if (unreported < Math.min(maxUnreported, requests.waiting())) continue
  if (requests.mustNotify()) parentPort?.postMessage(null)
  unreported = 0
}
