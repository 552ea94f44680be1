// Why: docs/decisions/0017-wasm-recovery.md
import { Worker } from 'node:worker_threads'
import type { QuoteDomain, Recovery } from '@firmquote/core'
import { createQuoteVerifier } from '@firmquote/core/verifier'
import { OverloadedError } from '../../ports/errors.ts'
import type { Signatures } from '../../ports/signatures.ts'
import { createSlicedTask } from '../../scheduling/eventLoop.ts'
import { createRecoveryRing, createRequestEnd } from './recoveryRing.ts'

/** Worker threads that recover signers. */
export type SignatureThreads = Signatures & {
  /** Terminates the threads and rejects pending requests. */
  close(): Promise<void>
}

/** Options of {@link createSignatureThreads}. */
export type SignatureThreadsOptions = {
  /** The market whose quotes are hashed. */
  domain: QuoteDomain
  /** Number of threads. */
  threads: number
  /** Maximum number of pending signatures. More are rejected with {@link OverloadedError}. Default: 4,000. */
  maxWaiting?: number
}

/** Maximum number of answers per event-loop slice. That many answers take a few milliseconds to handle. */
const slice = 64

/**
 * Starts threads that recover signers in order of arrival. Digests are computed on the calling thread, because that is
 * cheaper than sending the quote.
 */
export async function createSignatureThreads(options: SignatureThreadsOptions): Promise<SignatureThreads> {
  const { domain, threads: count, maxWaiting = 4_000 } = options
  type Request = { slot: number; resolve(recovery: Recovery): void; reject(error: unknown): void }
  const { hashQuote } = await createQuoteVerifier(domain)
  const ring = createRecoveryRing(maxWaiting, count)
  const { ask, listen, answerIn, giveUp } = createRequestEnd(ring)
  const waiting: Request[] = []
  let closed = false

  const settle = () => {
    listen()
    let settled = 0
    for (const { slot, resolve } of waiting) {
      const answer = answerIn(slot)
      if (!answer) break
      resolve(answer)
      settled += 1
      if (settled < slice) continue
      nextSlice.schedule()
      break
    }
    waiting.splice(0, settled)
  }
  const nextSlice = createSlicedTask(settle)
  const start = (thread: number): Worker => {
    const worker = new Worker(threadFile, { name: `signatures-${thread + 1}`, workerData: { ring, thread } })
    worker.unref()
    worker.on('message', settle)
    // A thread fails only if the WebAssembly engine fails. The thread's current request is lost, and a new thread is
    // started.
    worker.once('error', (cause) => {
      if (closed) return
      const lost = giveUp(thread)
      waiting.find(({ slot }) => slot === lost)?.reject(cause)
      workers[thread] = start(thread)
      settle()
    })
    return worker
  }
  const workers = Array.from({ length: count }, (_, thread) => start(thread))

  return {
    hashQuote,
    recoverSigner(digest, signature) {
      if (closed || waiting.length >= maxWaiting) return Promise.reject(new OverloadedError())
      const slot = ask(digest, signature)
      if (slot === undefined) return Promise.resolve({ fault: 'not_65_bytes' })
      return new Promise((resolve, reject) => waiting.push({ slot, resolve, reject }))
    },
    async close() {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(new OverloadedError())
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}

/** The thread's file: TypeScript when run from source, JavaScript in the build folder otherwise. */
const threadFile = new URL(
  import.meta.url.endsWith('.ts') ? './recoveryThread.ts' : './recoveryThread.js',
  import.meta.url,
)
