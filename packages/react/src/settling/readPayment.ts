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

/** A position's payout from the contract's event, in raw units of the loan token. */
export type SettledPayout = { toBorrower: bigint; toMaker: bigint }

/** A settled position's on-chain payout and withdrawal. */
export type Payment = SettledPayout & {
  /** When the position was settled, in Unix seconds. */
  settledAt: number
  /** The account that settled the position. Any account may do so. */
  settledBy: Address
  /**
   * The account's first withdrawal after the settlement. It paid out all of the account's credit in the token,
   * including credit from other positions. Null if there was none or the node cannot search that far back.
   */
  withdrawal: { amount: bigint; at: number; transactionHash: Hex } | null
}

/**
 * Extracts a position's payout from a transaction's logs. Returns null if the transaction did not settle the position.
 */
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

/** Extracts an account's withdrawals of a token from transactions' logs, in raw units, or null if there are none. */
export function withdrawnAmount(
  logs: readonly Log[],
  { interestRatePool, account, token }: { interestRatePool: Address; account: Address; token: Address },
): bigint | null {
  const events = parseEventLogs({
    abi: interestRatePoolAbi,
    eventName: 'Withdrawn',
    args: { account, token },
    logs: [...logs],
  }).filter(({ address }) => isAddressEqual(address, interestRatePool))
  return events.length > 0 ? events.reduce((sum, { args }) => sum + args.amount, 0n) : null
}

/**
 * Reads a settlement's payout, and whether the account has since withdrawn it.
 *
 * @returns The payment, or null if the transaction did not settle the position.
 * @throws viem's errors if the node does not respond or cannot find the transaction.
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
    // If the node cannot search that far back, the other payment fields are still valid.
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

/** Returns the first log after the given position in the chain. Expects logs in chain order. */
export function firstAfter<Entry extends Place>(logs: readonly Entry[], place: Place): Entry | null {
  return logs.find((log) => isAfter(log, place)) ?? null
}

function isAfter(log: Place, place: Place): boolean {
  return log.blockNumber > place.blockNumber || (log.blockNumber === place.blockNumber && log.logIndex > place.logIndex)
}
