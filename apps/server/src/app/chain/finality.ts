import { ChainUnavailableError } from '@firmquote/core'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** Tells makers what can no longer be undone. */
export type Finality = {
  /**
   * Asks the node for its finalized block while something that was told is not final, at most every 10 seconds, and tells
   * what that settles: true if there was something. Never rejects: what the node does not say stays open.
   */
  check(): Promise<boolean>
  stop(): void
}

const everyMs = 10_000
/** So often one check tells as much as the store does at once. */
const mostRounds = 20

/** Creates it; it reads nothing before its first check. */
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
    // A node on another branch than the one that was synced says nothing about this one.
    const [block] = await chain.readBlocks([checkpoint.number])
    if (block?.hash !== checkpoint.hash) return false
    for (let left = mostRounds; left > 0 && !stopped; left -= 1) {
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
          if (!stopped && !(failing && isExpected)) log.warn({ err }, 'it could not be read what is final')
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
