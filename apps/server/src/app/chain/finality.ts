import { ChainUnavailableError } from '@firmquote/core'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** Marks status updates as final. */
export type Finality = {
  /**
   * While any status update is not final, asks the node for its finalized block at most every 10 seconds, and marks the
   * updates up to that block. Resolves to true if it marked any updates. Never rejects: if the node does not respond,
   * the updates stay unmarked.
   */
  check(): Promise<boolean>
  stop(): void
}

const everyMs = 10_000
/** Maximum store calls per check; each call marks a limited number of updates. */
const maxRounds = 20

/** Creates the check. It reads nothing until its first call. */
export function createFinality({
  chain,
  store,
  clock,
  log,
}: Pick<ServiceDeps, 'chain' | 'store' | 'clock' | 'log'>): Finality {
  let nextAt = clock.monotonic()
  let running: Promise<boolean> | null = null
  let failing = false
  let stopped = false

  const check = async (): Promise<boolean> => {
    const lowest = await store.findUnfinalizedBlock()
    if (lowest === null || clock.monotonic() < nextAt) return false
    nextAt = clock.monotonic() + everyMs
    const finalized = await chain.readFinalized()
    if (!finalized || finalized.number < lowest) return false
    const checkpoint = await store.findCheckpoint(finalized.number)
    if (!checkpoint) return false
    // A finalized block on a different branch does not finalize the synced one.
    const [block] = await chain.readBlocks([checkpoint.number])
    if (block?.hash !== checkpoint.hash) return false
    for (let left = maxRounds; left > 0 && !stopped; left -= 1) {
      await store.finalize(checkpoint, clock.now())
      const next = await store.findUnfinalizedBlock()
      if (next === null || next > checkpoint.number) break
    }
    return true
  }

  return {
    check() {
      running ??= check()
        .then((told) => {
          failing = false
          return told
        })
        .catch((err: unknown) => {
          const isExpected = err instanceof ChainUnavailableError || err instanceof StorageUnavailableError
          if (!stopped && !(failing && isExpected)) log.warn({ err }, 'failed to read the finalized block')
          failing = true
          return false
        })
        .finally(() => {
          running = null
        })
      return running
    },
    stop() {
      stopped = true
    },
  }
}
