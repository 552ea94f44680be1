import { interestRatePoolAbi, quoteMarketAbi } from '@firmquote/core'
import { type Address, type Client, type Hex, isAddressEqual } from 'viem'
import { getLogs, readContract } from 'viem/actions'
import type { Fill } from '../../domain/fill.ts'

/** The fill to look up, and the contracts' addresses. */
type FillQuery = { quoteMarket: Address; interestRatePool: Address; maker: Address; hash: Hex; block: bigint }

const events = [
  ...quoteMarketAbi.filter((entry) => entry.type === 'event' && entry.name === 'QuoteFilled'),
  ...interestRatePoolAbi.filter((entry) => entry.type === 'event' && entry.name === 'PositionOpened'),
] as const

/**
 * Reads the fill of a maker's quote from one block's events: the quote market's `QuoteFilled` and the preceding
 * `PositionOpened` in the same transaction. Returns null if the block does not contain the fill.
 */
export async function readFill(
  client: Client,
  { quoteMarket, interestRatePool, maker, hash, block }: FillQuery,
): Promise<Omit<Fill, 'loanToken'> | null> {
  const address = [quoteMarket, interestRatePool]
  const logs = await getLogs(client, { address, events, fromBlock: block, toBlock: block, strict: true })
  const filled = logs.find(
    (log) =>
      log.eventName === 'QuoteFilled' &&
      isAddressEqual(log.address, quoteMarket) &&
      log.args.hash === hash &&
      isAddressEqual(log.args.maker, maker),
  )
  if (filled?.eventName !== 'QuoteFilled') return null
  const { transactionHash, logIndex, args } = filled
  const opened = logs.findLast(
    (log) =>
      log.eventName === 'PositionOpened' &&
      isAddressEqual(log.address, interestRatePool) &&
      log.transactionHash === transactionHash &&
      log.logIndex < logIndex,
  )
  if (opened?.eventName !== 'PositionOpened') return null
  const { taker, poolId, seriesKey, notional, cost } = args
  const series = {
    address: interestRatePool,
    abi: interestRatePoolAbi,
    functionName: 'series',
    args: [seriesKey],
  } as const
  const [, expiry] = await readContract(client, series)
  const { positionId } = opened.args
  return { hash, taker, poolId, seriesKey, expiry: Number(expiry), notional, cost, positionId, block, transactionHash }
}
