import { ChainUnavailableError, interestRatePoolAbi, quoteMarketAbi } from '@firmquote/core'
import { type Address, type Client, decodeEventLog, type Hex, isAddressEqual, numberToHex, type RpcLog } from 'viem'
import { watchedLogs } from '../../domain/watchedLogs.ts'
import type { ChainEvent, ChainFact, LogKeys } from '../../ports/chain.ts'
import { rpcFailureKind } from './rpcFailure.ts'

/** Options of {@link createChainEvents}. */
export type ChainEventsOptions = {
  client: Client
  quoteMarket: Address
  interestRatePool: Address
  /** Maximum number of blocks per request; reduced after a refusal or timeout. */
  window: number
}

/**
 * Number of full windows that must be answered before the window grows again. The number doubles each time the node
 * refuses the larger window, because most nodes have a fixed limit.
 */
const [minGrowAfter, maxGrowAfter] = [8, 256]

/**
 * Reads events in windows of blocks. The window shrinks when the node refuses a request or times out, and grows again
 * later.
 */
export function createChainEvents(options: ChainEventsOptions) {
  const { client, quoteMarket, interestRatePool } = options
  const topics = watchedLogs(options).flatMap((contract) => contract.topics)
  const address = [quoteMarket, interestRatePool]
  const largest = BigInt(options.window)
  let window = largest
  /**
   * Consecutive full windows that must be answered before the window grows, and how many have been.
   */
  let [growAfter, answered] = [minGrowAfter / 2, 0]
  /** Whether the last answer was a refusal. One descent to the node's limit counts once. */
  let isShrinking = false

  const decode = (log: RpcLog): ChainEvent[] => {
    const { blockNumber, blockHash, logIndex, transactionHash } = log
    if (blockNumber === null || blockHash === null || logIndex === null || transactionHash === null) {
      throw new ChainUnavailableError('The node returned an event without a block.')
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
          isShrinking = false
          // Success with a partial window, such as the newest blocks, does not show that a full window would succeed.
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
          if (!isShrinking) growAfter = Math.min(growAfter * 2, maxGrowAfter)
          isShrinking = true
          // After a timeout, the next sync retries with a smaller window, because the range may have overloaded the node.
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
