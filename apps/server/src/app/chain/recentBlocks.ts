import type { ServiceDeps } from '../serviceDeps.ts'

/** What is of late: 30 days, in milliseconds. */
export const recentMs = 30 * 86_400_000
/** So many blocks back are looked at to learn how long a block takes. */
const sampleBlocks = 10_000n
/** How long an estimate of the block 30 days ago is used, in milliseconds. */
const estimateMs = 3_600_000

/** Creates a function that gives about the block 30 days ago, by how long the last blocks took. It rejects when the chain does not answer. */
export function createFirstRecentBlock({
  chain,
  clock,
  sync,
}: Pick<ServiceDeps, 'chain' | 'clock' | 'sync'>): () => Promise<bigint> {
  let estimate: { from: bigint; until: number } | null = null

  return async () => {
    if (estimate && clock.monotonic() < estimate.until) return estimate.from
    const head = await chain.readHead()
    const deployed = BigInt(sync.deployBlock)
    const back = head.number - sampleBlocks
    const [sample] = await chain.readBlocks([back > deployed ? back : deployed])
    const blocks = Number(head.number - (sample?.number ?? head.number))
    const seconds = Number(head.timestamp - (sample?.timestamp ?? head.timestamp))
    const wanted = seconds > 0 ? head.number - BigInt(Math.ceil(((recentMs / 1_000) * blocks) / seconds)) : deployed
    const from = wanted > deployed ? wanted : deployed
    estimate = { from, until: clock.monotonic() + estimateMs }
    return from
  }
}
