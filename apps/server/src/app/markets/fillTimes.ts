// Why: docs/decisions/0053-rates-over-time.md
import { type BlockRef, ChainUnavailableError } from '@firmquote/core'
import type { ServiceDeps } from '../serviceDeps.ts'

/** Reads the times of fills, which their events do not contain. Each day's median is derived from it. */
export type FillTimes = {
  /**
   * Dates the fills in the newest blocks with undated ones. Blocks before `keepFrom` (Unix seconds) are ignored.
   *
   * @throws {ChainUnavailableError} if the node did not answer. The fills read until then are dated.
   */
  advance(keepFrom: number): Promise<void>
  /** Starts over after a change of chain or leader. */
  restart(): void
}

/** Sequential node requests per slice. */
const blocksOfSlice = 12
/** Milliseconds before retrying a node that did not respond. */
const silentMs = 30_000

/** Creates the reader. It reads nothing until the first `advance`. */
export function createFillTimes({ chain, store, clock }: Pick<ServiceDeps, 'chain' | 'store' | 'clock'>): FillTimes {
  /** This block and earlier ones predate the history. */
  let tooOld = -1n
  let retryAt = 0

  return {
    async advance(keepFrom) {
      if (clock.monotonic() < retryAt) return
      const dated: BlockRef[] = []
      let failure: unknown = null
      for (const { number, hash } of await store.listUndatedFills({ above: tooOld, limit: blocksOfSlice })) {
        try {
          const [block] = await chain.readBlocks([number])
          if (!block) throw new ChainUnavailableError('The node did not return the block.')
          if (block.timestamp < keepFrom) {
            tooOld = number
            break
          }
          // If the hashes differ, the sync has not yet undone the fill's block.
          if (block.hash === hash) dated.push({ number, hash, timestamp: block.timestamp })
        } catch (error) {
          failure = error
          retryAt = clock.monotonic() + silentMs
          break
        }
      }
      if (dated.length > 0) await store.dateFills(dated)
      if (failure) throw failure
    },
    restart() {
      tooOld = -1n
    },
  }
}
