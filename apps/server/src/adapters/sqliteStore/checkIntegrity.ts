import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock } from '@firmquote/core'
import { isDamage } from './sqliteFailure.ts'
import { decodeFailure, type EncodedFailure } from './writeFailure.ts'

/** What a look at a database has found: its damage or none, or why nothing could be found. */
export type IntegrityFinding = { damage: string | null } | { failure: EncodedFailure }

/** A look at a database that goes on beside everything else. */
export type IntegrityCheck = {
  /** Ends it, done or not. */
  close(): Promise<void>
}

/** The thread's program: as source where this is source, else bundled beside this. */
const integrityThread = new URL(`./integrityThread${extname(import.meta.url)}`, import.meta.url)

/** Before another look, where one could not be had. */
const againMs = 1_000

/**
 * Looks in a thread of its own whether a database is whole. What could not be looked at is looked at again.
 *
 * @param report is called once: with null where nothing was found, else with what is damaged.
 * @param failed is called once, with why nothing could be found the first time.
 */
export function checkIntegrity(
  file: string,
  clock: Pick<Clock, 'after'>,
  { report, failed }: { report: (damage: Error | null) => void; failed: (cause: Error | null) => void },
): IntegrityCheck {
  let looks = 0
  let thread: Worker | null = null
  let closed = false
  let cancel = () => {}

  const again = () => {
    cancel = clock.after(againMs, poll)
  }
  const poll = () => {
    let found = false
    let cause: Error | null = null
    looks += 1
    const looking = new Worker(integrityThread, { name: 'integrity', workerData: { file }, execArgv: [] })
    thread = looking
    looking.once('message', (finding: IntegrityFinding) => {
      const failure = 'failure' in finding ? decodeFailure(finding.failure) : null
      if (failure && !isDamage(failure)) cause = failure
      if (closed || cause) return
      found = true
      report(failure ?? ('damage' in finding && finding.damage !== null ? new Error(finding.damage) : null))
    })
    // Without a finding, its end is what is acted on.
    looking.on('error', (error: Error) => {
      cause = error
    })
    looking.once('exit', () => {
      if (found || closed) return
      if (looks === 1) failed(cause)
      again()
    })
  }
  poll()

  return {
    async close() {
      closed = true
      cancel()
      await thread?.terminate()
    },
  }
}
