import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock } from '@firmquote/core/utils'
import { isDamage } from './sqliteFailure.ts'
import { decodeFailure, type EncodedFailure } from './writeFailure.ts'

/**
 * The result of an integrity check: the damage, null if there is none, or the error that prevented the check.
 */
export type IntegrityResult = { damage: string | null } | { failure: EncodedFailure }

/** An integrity check in progress. */
export type IntegrityCheck = {
  /** Stops the check. */
  close(): Promise<void>
}

/** The thread's file: TypeScript when run from source, otherwise JavaScript. */
const integrityThread = new URL(`./integrityThread${extname(import.meta.url)}`, import.meta.url)

/** Delay before retrying a failed check, in milliseconds. */
const retryMs = 1_000

/**
 * Checks a database's integrity in a worker thread. A failed check is retried.
 *
 * @param report called once with the damage, or null if there is none.
 * @param failed called once with the cause of the first failed check.
 */
export function checkIntegrity(
  file: string,
  clock: Pick<Clock, 'after'>,
  { report, failed }: { report: (damage: Error | null) => void; failed: (cause: Error | null) => void },
): IntegrityCheck {
  let attempts = 0
  let thread: Worker | null = null
  let closed = false
  let cancel = () => {}

  const retryLater = () => {
    cancel = clock.after(retryMs, check)
  }
  const check = () => {
    let found = false
    let cause: Error | null = null
    attempts += 1
    const worker = new Worker(integrityThread, { name: 'integrity', workerData: { file }, execArgv: [] })
    thread = worker
    worker.once('message', (result: IntegrityResult) => {
      const failure = 'failure' in result ? decodeFailure(result.failure) : null
      if (failure && !isDamage(failure)) cause = failure
      if (closed || cause) return
      found = true
      report(failure ?? ('damage' in result && result.damage !== null ? new Error(result.damage) : null))
    })
    // Only record the error; the `exit` handler handles the missing result.
    worker.on('error', (error: Error) => {
      cause = error
    })
    worker.once('exit', () => {
      if (found || closed) return
      if (attempts === 1) failed(cause)
      retryLater()
    })
  }
  check()

  return {
    async close() {
      closed = true
      cancel()
      await thread?.terminate()
    },
  }
}
