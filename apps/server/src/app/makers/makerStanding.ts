import type { Address } from 'viem'
import { isLargeFill } from '../../domain/largeFill.ts'
import type { Standing } from '../../domain/seats.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** How long a fill keeps a seat. */
const fillSeconds = 30 * 86_400
/** So many blocks back are looked at to learn how long a block takes. */
const sampleBlocks = 10_000n
/** How long an estimate of the block 30 days ago is used, in milliseconds. */
const estimateMs = 3_600_000

/** What makers have: read at one block, with the fills of 30 days. Rejects when the chain or the store does not answer. */
export type ReadStanding = (makers: readonly Address[]) => Promise<Standing>

/** Creates {@link ReadStanding}. */
export function createReadStanding({
  chain,
  clock,
  store,
  sync,
}: Pick<ServiceDeps, 'chain' | 'clock' | 'store' | 'sync'>): ReadStanding {
  let estimate: { from: bigint; until: number } | null = null

  /** About the block 30 days ago, by how long the last blocks took. */
  const firstBlock = async (): Promise<bigint> => {
    if (estimate && clock.monotonic() < estimate.until) return estimate.from
    const head = await chain.readHead()
    const deployed = BigInt(sync.deployBlock)
    const back = head.number - sampleBlocks
    const [sample] = await chain.readBlocks([back > deployed ? back : deployed])
    const blocks = Number(head.number - (sample?.number ?? head.number))
    const seconds = Number(head.timestamp - (sample?.timestamp ?? head.timestamp))
    const wanted = seconds > 0 ? head.number - BigInt(Math.ceil((fillSeconds * blocks) / seconds)) : deployed
    const from = wanted > deployed ? wanted : deployed
    estimate = { from, until: clock.monotonic() + estimateMs }
    return from
  }

  return async (makers) => {
    const unique = [...new Map(makers.map((maker) => [maker.toLowerCase(), maker])).values()]
    const [pools, from] = await Promise.all([store.listPools(), firstBlock()])
    const tokens = [...new Set(pools.map(({ loanToken }) => loanToken))]
    const [{ funds }, fills] = await Promise.all([
      chain.readFunds({ makers: unique, tokens }),
      store.listLargestFills(unique, from),
    ])
    return {
      means: new Map(
        [...funds].map(([token, amounts]) => [
          token,
          new Map([...amounts].map(([maker, amount]) => [maker.toLowerCase(), amount])),
        ]),
      ),
      filled: new Set(fills.filter(isLargeFill).map(({ maker }) => maker.toLowerCase())),
    }
  }
}
