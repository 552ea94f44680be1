import { interestRatePoolAbi } from '@firmquote/core'
import {
  type Address,
  type Client,
  getAbiItem,
  getAddress,
  type Hex,
  isAddressEqual,
  type Log,
  parseEventLogs,
} from 'viem'
import { getBlock, getLogs, getTransactionReceipt } from 'viem/actions'

/** What a position has paid its parties, in raw units of the loan token, as the contract's own event says. */
export type SettledPayout = { toBorrower: bigint; toMaker: bigint }

/** What has become of the payout of a settled position, as the chain tells it. */
export type Payment = SettledPayout & {
  /** When it was settled, Unix seconds. */
  settledAt: number
  /** Who has sent the settlement: anyone may. */
  settledBy: Address
  /**
   * The first withdrawal of the account since: it has paid out all that was credited, of other positions as well. Null as long
   * as there is none, and where the node does not search that far back.
   */
  withdrawal: { amount: bigint; at: number; transactionHash: Hex } | null
}

/** Finds in the logs of a transaction what a position has paid; null when it was not settled in it. */
export function settledPayout(
  logs: readonly Log[],
  { interestRatePool, positionId }: { interestRatePool: Address; positionId: bigint },
): (SettledPayout & { logIndex: number }) | null {
  const [event] = parseEventLogs({
    abi: interestRatePoolAbi,
    eventName: 'PositionSettled',
    args: { positionId },
    logs: [...logs],
  }).filter(({ address }) => isAddressEqual(address, interestRatePool))
  if (!event) return null
  const { toBorrower, toMaker } = event.args
  return { toBorrower, toMaker, logIndex: event.logIndex }
}

/** Finds in the logs of a transaction what an account has been paid of a token, raw units; null when nothing was. */
export function withdrawnAmount(
  logs: readonly Log[],
  { interestRatePool, account, token }: { interestRatePool: Address; account: Address; token: Address },
): bigint | null {
  const [event] = parseEventLogs({
    abi: interestRatePoolAbi,
    eventName: 'Withdrawn',
    args: { account, token },
    logs: [...logs],
  }).filter(({ address }) => isAddressEqual(address, interestRatePool))
  return event?.args.amount ?? null
}

/**
 * Reads what a settlement has paid, and whether the account has withdrawn since.
 *
 * @returns null when the transaction did not settle the position.
 * @throws what viem throws when the node does not answer, or does not know the transaction.
 */
export async function readPayment(
  client: Client,
  settled: { interestRatePool: Address; positionId: bigint; transactionHash: Hex; account: Address; token: Address },
): Promise<Payment | null> {
  const { interestRatePool, transactionHash: hash, account, token } = settled
  const { logs, blockNumber, from } = await getTransactionReceipt(client, { hash })
  const payout = settledPayout(logs, settled)
  if (!payout) return null
  const timeOf = async (block: bigint) => Number((await getBlock(client, { blockNumber: block })).timestamp)
  const event = getAbiItem({ abi: interestRatePoolAbi, name: 'Withdrawn' })
  const [settledAt, withdrawals] = await Promise.all([
    timeOf(blockNumber),
    // A node that does not search that far is no reason to know nothing.
    getLogs(client, { address: interestRatePool, event, args: { account, token }, fromBlock: blockNumber }).catch(
      () => [],
    ),
  ])
  const first = firstAfter(withdrawals, { blockNumber, logIndex: payout.logIndex })
  const { toBorrower, toMaker } = payout
  return {
    toBorrower,
    toMaker,
    settledAt,
    settledBy: getAddress(from),
    withdrawal: first && {
      amount: first.args.amount ?? 0n,
      at: await timeOf(first.blockNumber),
      transactionHash: first.transactionHash,
    },
  }
}

type Place = { blockNumber: bigint; logIndex: number }

/** The first of some logs, in the order of the chain, that comes after a place in it. */
export function firstAfter<Entry extends Place>(logs: readonly Entry[], place: Place): Entry | null {
  return logs.find((log) => isAfter(log, place)) ?? null
}

function isAfter(log: Place, place: Place): boolean {
  return log.blockNumber > place.blockNumber || (log.blockNumber === place.blockNumber && log.logIndex > place.logIndex)
}
