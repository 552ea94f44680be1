import { ChainUnavailableError, interestRatePoolAbi } from '@firmquote/core'
import type { Address, Client, Hex } from 'viem'
import { getBlockNumber, getLogs } from 'viem/actions'
import type { Series } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'
import { rpcFailureKind } from './rpcFailure.ts'

/** Where the catalog reads, and how greedily. */
export type SeriesCatalogOptions = {
  client: Client
  clock: Pick<Clock, 'monotonic'>
  interestRatePool: Address
  /** The first block that can hold an event of the pool. */
  deployBlock: number
  /** How many blocks the first request asks for; halved whenever the node refuses. */
  window?: number
  /** After so many milliseconds a reading gives up; the next one goes on where it stopped. */
  patienceMs?: number
}

/** The pools and series that the chain knows. */
export type SeriesCatalog = {
  /** Reads what is new, then answers. Throws what viem throws, or {@link ChainUnavailableError} when patience ends. */
  readSeriesOf(poolId: Hex): Promise<Series[] | null>
}

/** Blocks behind the head are read again, so that a short reorganisation corrects itself. */
const overlap = 64n
const smallestWindow = 16n
const events = interestRatePoolAbi.filter(
  (item) => item.type === 'event' && (item.name === 'PoolCreated' || item.name === 'SeriesCreated'),
) as Extract<(typeof interestRatePoolAbi)[number], { type: 'event'; name: 'PoolCreated' | 'SeriesCreated' }>[]

/** Keeps a list of pools and series in memory, from their events, and reads on from where it stopped. */
export function createSeriesCatalog(options: SeriesCatalogOptions): SeriesCatalog {
  const { client, clock, interestRatePool, patienceMs = 20_000 } = options
  const first = BigInt(options.deployBlock)
  let window = BigInt(options.window ?? 100_000)
  let next = first
  let pools = new Map<Hex, bigint>()
  let series = new Map<Hex, Series & { block: bigint }>()
  let reading: Promise<void> | null = null

  const readOn = async () => {
    const giveUpAt = clock.monotonic() + patienceMs
    const head = await getBlockNumber(client, { cacheTime: 0 })
    // The head went back further than chains do: this is another chain, as after a restart of a local one.
    if (head + overlap < next) {
      pools = new Map()
      series = new Map()
      next = first
    }
    let from = next - overlap > first ? next - overlap : first
    while (from <= head) {
      if (clock.monotonic() > giveUpAt) {
        throw new ChainUnavailableError(`The pools' events have been read up to block ${from} of ${head} so far.`)
      }
      const last = from + window - 1n
      const to = last < head ? last : head
      try {
        apply(
          from,
          await getLogs(client, { address: interestRatePool, events, fromBlock: from, toBlock: to, strict: true }),
        )
      } catch (error) {
        if (rpcFailureKind(error) === 'silent' || window <= smallestWindow) throw error
        window /= 2n
        continue
      }
      from = to + 1n
      next = from
    }
  }

  const apply = (from: bigint, logs: Awaited<ReturnType<typeof readLogs>>) => {
    // Everything from here on is read again. The head may have gone back, so what lay behind it must go as well.
    for (const [poolId, block] of pools) if (block >= from) pools.delete(poolId)
    for (const [seriesKey, { block }] of series) if (block >= from) series.delete(seriesKey)
    for (const { eventName, args, blockNumber } of logs) {
      if (eventName === 'PoolCreated') pools.set(args.poolId, blockNumber)
      else {
        const { seriesKey, poolId, expiry } = args
        series.set(seriesKey, { poolId, seriesKey, expiry: Number(expiry), block: blockNumber })
      }
    }
  }
  // For its type alone: what the strict reading of these events gives.
  const readLogs = () => getLogs(client, { events, strict: true })

  return {
    async readSeriesOf(poolId) {
      reading ??= readOn().finally(() => {
        reading = null
      })
      await reading
      if (!pools.has(poolId)) return null
      return [...series.values()]
        .filter((item) => item.poolId === poolId)
        .sort((a, b) => a.expiry - b.expiry)
        .map(({ seriesKey, expiry }) => ({ poolId, seriesKey, expiry }))
    },
  }
}
