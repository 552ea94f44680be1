import { interestRatePoolAbi, quoteMarketAbi } from '@firmquote/core'
import { type Abi, type AbiEvent, type Address, type Hex, toEventSelector } from 'viem'

/** A contract and the first topics of its events. */
export type WatchedContract = { address: Address; topics: Hex[] }

/** The contracts whose events the sync follows. */
export function watchedLogs(contracts: { quoteMarket: Address; interestRatePool: Address }): WatchedContract[] {
  return [
    { address: contracts.quoteMarket, topics: topicsOf(quoteMarketAbi) },
    { address: contracts.interestRatePool, topics: topicsOf(interestRatePoolAbi) },
  ]
}

function topicsOf(abi: Abi): Hex[] {
  return abi.filter((item): item is AbiEvent => item.type === 'event').map((event) => toEventSelector(event))
}
