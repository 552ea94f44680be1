import { interestRatePoolAbi, quoteMarketAbi } from '@firmquote/core'
import { type Abi, type Address, type ContractEventName, type Hex, toEventSelector } from 'viem'

/** A contract and the first topics of the events to follow. */
export type WatchedContract = { address: Address; topics: Hex[] }

/** The quote market events that the sync follows. */
const marketEvents = ['QuoteFilled', 'QuoteCancelled', 'NonceRaised'] as const satisfies readonly ContractEventName<
  typeof quoteMarketAbi
>[]

/**
 * The interest-rate pool events that the sync follows. The sync reads the rest of the pool's state at a single block.
 */
const poolEvents = [
  'PoolCreated',
  'SeriesCreated',
  'PositionOpened',
  'PositionSettled',
] as const satisfies readonly ContractEventName<typeof interestRatePoolAbi>[]

/** The contracts whose events the sync follows. */
export function watchedLogs(contracts: { quoteMarket: Address; interestRatePool: Address }): WatchedContract[] {
  return [
    { address: contracts.quoteMarket, topics: topicsOf(quoteMarketAbi, marketEvents) },
    { address: contracts.interestRatePool, topics: topicsOf(interestRatePoolAbi, poolEvents) },
  ]
}

function topicsOf(abi: Abi, names: readonly string[]): Hex[] {
  return abi.flatMap((item) => (item.type === 'event' && names.includes(item.name) ? [toEventSelector(item)] : []))
}
