import { ChainUnavailableError } from '@firmquote/core'
import { nextBlockToAsk, type TimedBlock } from '../../domain/rateHours.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** Maximum age of a fill that counts as recent: 30 days, in milliseconds. */
export const recentMs = 30 * 86_400_000
/** Tolerance for the start of the 30-day period and lifetime of a cached result, in milliseconds. */
const nearMs = 3_600_000
/** Initial estimate of the seconds between blocks. */
const spacing = 2

/**
 * Creates a function that returns a block from the first hour of the last 30 days, or the deployment block if that is
 * later. The function searches by block time, because block intervals vary. Rejects if the chain does not respond.
 */
export function createFirstRecentBlock({
  chain,
  clock,
  sync,
}: Pick<ServiceDeps, 'chain' | 'clock' | 'sync'>): () => Promise<bigint> {
  let found: { from: bigint; until: number } | null = null

  const find = async (): Promise<bigint> => {
    const deployed = BigInt(sync.deployBlock)
    let high: TimedBlock = await chain.readHead()
    let low: TimedBlock | null = null
    const time = Number(high.timestamp) - recentMs / 1_000
    for (let asked = 0; ; asked += 1) {
      if (high.number <= deployed) return deployed
      if (Number(high.timestamp) - time < nearMs / 1_000) return high.number
      const next = nextBlockToAsk(time, { low, high, spacing, asked })
      if (next === null) return high.number
      const number = next < deployed ? deployed : next
      const [block] = await chain.readBlocks([number])
      if (!block) throw new ChainUnavailableError('The node did not return the block.')
      // Narrows the range by the requested block number, so that the search terminates even if the node returns a
      // different block.
      const { timestamp } = block
      if (Number(timestamp) < time) low = { number, timestamp }
      else high = { number, timestamp }
    }
  }

  return async () => {
    if (found && clock.monotonic() < found.until) return found.from
    const from = await find()
    found = { from, until: clock.monotonic() + nearMs }
    return from
  }
}
