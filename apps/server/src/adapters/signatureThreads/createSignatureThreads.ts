import { Worker } from 'node:worker_threads'
import type { QuoteDomain, Recovery } from '@firmquote/core'
import { createQuoteVerifier } from '@firmquote/core/verifier'
import { type Hex, isHex, size } from 'viem'
import { OverloadedError } from '../../errors.ts'
import type { Signatures } from '../../ports/signatures.ts'
import { decodeAnswer, encodeRequests } from './recoveryRecords.ts'

/** Threads that recover signers. */
export type SignatureThreads = Signatures & {
  /** Ends the threads; what still waits is refused. */
  close(): Promise<void>
}

/** How the threads work. */
export type SignatureThreadsOptions = {
  /** The market whose quotes are hashed. */
  domain: QuoteDomain
  /** How many threads recover. */
  threads: number
  /** So many signatures may wait; further ones are refused with {@link OverloadedError}. */
  mostWaiting?: number
}

/** Large enough that the way between the threads costs little, small enough that nobody waits for a whole batch long. */
const batchSize = 16
/** The second one is there when the first is done; it leaves only when it is full, since every message costs both threads. */
const batchesUnderWay = 2

/**
 * Starts threads that recover signers, in batches of whatever has arrived. Digests are made on the calling thread: they
 * cost less than the way to another one.
 */
export async function createSignatureThreads(options: SignatureThreadsOptions): Promise<SignatureThreads> {
  const { domain, mostWaiting = 4_000 } = options
  type Request = { digest: Hex; signature: Hex; resolve(recovery: Recovery): void; reject(error: unknown): void }
  type Thread = { worker: Worker; batches: Request[][] }
  const { hashQuote } = await createQuoteVerifier(domain)
  const waiting: Request[] = []
  let scheduled = false
  let closed = false

  const start = (): Thread => {
    const worker = new Worker(threadFile)
    const thread: Thread = { worker, batches: [] }
    worker.unref()
    worker.on('message', (answers: Uint8Array) => {
      thread.batches.shift()?.forEach((request, index) => {
        request.resolve(decodeAnswer(answers, index))
      })
      handOut()
    })
    worker.once('error', (cause) => replace(thread, cause))
    return thread
  }
  // A thread fails only where the engine does: the next one begins anew.
  const replace = (thread: Thread, cause: unknown) => {
    for (const { reject } of thread.batches.flat()) reject(cause)
    if (closed) return
    threads.splice(threads.indexOf(thread), 1, start())
    handOut()
  }
  const handOut = () => {
    scheduled = false
    for (let round = 0; round < batchesUnderWay; round += 1) {
      for (const { worker, batches } of threads) {
        if (waiting.length === 0) return
        if (batches.length > round || (round > 0 && waiting.length < batchSize)) continue
        const batch = waiting.splice(0, Math.min(batchSize, Math.ceil(waiting.length / threads.length)))
        batches.push(batch)
        const records = encodeRequests(batch)
        worker.postMessage(records, [records.buffer])
      }
    }
  }
  const threads = Array.from({ length: options.threads }, start)

  return {
    hashQuote,
    async recoverSigner(digest, signature) {
      if (!isHex(signature) || size(signature) !== 65) return { fault: 'not_65_bytes' }
      if (closed || waiting.length >= mostWaiting) throw new OverloadedError()
      return new Promise((resolve, reject) => {
        waiting.push({ digest, signature, resolve, reject })
        // After everything that has arrived in this turn of the event loop.
        if (!scheduled) setImmediate(handOut)
        scheduled = true
      })
    },
    async close() {
      closed = true
      const left = [...waiting.splice(0), ...threads.flatMap(({ batches }) => batches.splice(0).flat())]
      for (const { reject } of left) reject(new OverloadedError())
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}

/** Built code lies in one folder beside the thread's own file; before that it is TypeScript, which Node runs as it is. */
const threadFile = new URL(
  import.meta.url.endsWith('.ts') ? './recoveryThread.ts' : './recoveryThread.js',
  import.meta.url,
)
