import { ChainUnavailableError, interestRatePoolAbi, quoteMarketAbi } from '@firmquote/core'
import { type Address, type Client, decodeEventLog, type Hex, isAddressEqual, numberToHex, type RpcLog } from 'viem'
import { watchedLogs } from '../../domain/watchedLogs.ts'
import type { ChainEvent, ChainFact, LogKeys } from '../../ports/chain.ts'
import { rpcFailureKind } from './rpcFailure.ts'

/** Where events are read. */
export type ChainEventsOptions = {
  client: Client
  quoteMarket: Address
  interestRatePool: Address
  /** How many blocks are asked for at once, at most; fewer where the node refuses or is silent. */
  window: number
}

/** A range that a node is silent about costs the whole time that a request may take, one that it refuses next to nothing. */
const growAfterSilence = 8

/** Reads events in windows that shrink when the node refuses a range or does not answer, and grow again when it does. */
export function createChainEvents(options: ChainEventsOptions) {
  const { client, quoteMarket, interestRatePool } = options
  const topics = watchedLogs(options).flatMap((contract) => contract.topics)
  const address = [quoteMarket, interestRatePool]
  const largest = BigInt(options.window)
  let window = largest
  /** How many whole windows in a row must be answered before more is asked for, and how many were. */
  let [growAfter, answered] = [1, 0]

  const decode = (log: RpcLog): ChainEvent[] => {
    const { blockNumber, blockHash, logIndex, transactionHash } = log
    if (blockNumber === null || blockHash === null || logIndex === null || transactionHash === null) {
      throw new ChainUnavailableError('The node gave an event that is in no block.')
    }
    const [topic] = log.topics
    if (topic === undefined || !topics.includes(topic)) return []
    const fact = isAddressEqual(log.address, quoteMarket)
      ? marketFact(log)
      : isAddressEqual(log.address, interestRatePool)
        ? poolFact(log)
        : null
    if (fact === null) return []
    return [{ blockNumber: BigInt(blockNumber), blockHash, logIndex: Number(logIndex), transactionHash, fact }]
  }

  return {
    async readEvents({ from, to }: { from: bigint; to: bigint }): Promise<{ through: bigint; events: ChainEvent[] }> {
      for (;;) {
        const last = from + window - 1n
        const through = last < to ? last : to
        try {
          const logs = await client.request({
            method: 'eth_getLogs',
            params: [{ address, topics: [topics], fromBlock: numberToHex(from), toBlock: numberToHex(through) }],
          })
          // A part of a window, as the newest blocks are, says nothing of a whole one.
          if (through === last) answered += 1
          if (answered >= growAfter && window < largest) {
            window = window * 2n < largest ? window * 2n : largest
            answered = 0
          }
          return { through, events: inOrder(logs.flatMap(decode)) }
        } catch (error) {
          const asked = through - from + 1n
          const isSilent = rpcFailureKind(error) === 'silent'
          if (asked > 1n) window = asked / 2n
          answered = 0
          growAfter = isSilent ? growAfterSilence : 1
          // A node that is silent is asked again by the next sync, not at once; the range may have been too much work for it.
          if (isSilent || asked <= 1n) throw error
        }
      }
    },

    async readBlockLogs(blockHash: Hex): Promise<{ logs: LogKeys[]; events: ChainEvent[] }> {
      const logs = await client.request({ method: 'eth_getLogs', params: [{ blockHash }] })
      return {
        logs: logs.map((log) => ({ address: log.address, topics: log.topics })),
        events: inOrder(logs.flatMap(decode)),
      }
    },
  }
}

function marketFact({ topics, data }: RpcLog): ChainFact {
  const { eventName, args } = decodeEventLog({ abi: quoteMarketAbi, topics, data })
  switch (eventName) {
    case 'QuoteFilled':
      return { type: 'quoteEnded', hash: args.hash, status: 'filled' }
    case 'QuoteCancelled':
      return { type: 'quoteEnded', hash: args.hash, status: 'cancelled' }
    case 'NonceRaised':
      return { type: 'nonceRaised', ...args }
  }
}

function poolFact({ topics, data }: RpcLog): ChainFact | null {
  const { eventName, args } = decodeEventLog({ abi: interestRatePoolAbi, topics, data })
  switch (eventName) {
    case 'PoolCreated':
      return { type: 'poolCreated', ...args }
    case 'SeriesCreated':
      return { type: 'seriesCreated', ...args, expiry: Number(args.expiry) }
    case 'PositionOpened':
      return { type: 'positionOpened', ...args }
    case 'PositionSettled':
      return { type: 'positionSettled', ...args }
    default:
      return null
  }
}

function inOrder(events: ChainEvent[]): ChainEvent[] {
  return events.sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
}
