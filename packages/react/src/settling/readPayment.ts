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

/** The payout of a position, in raw units of the loan token, from the contract's event. */
export type SettledPayout = { toBorrower: bigint; toMaker: bigint }

/** The payout of a settled position and its withdrawal, from the chain. */
export type Payment = SettledPayout & {
  /** The time of the settlement, Unix seconds. */
  settledAt: number
  /** The sender of the settlement, which can be any account. */
  settledBy: Address
  /**
   * The account's first withdrawal since, which paid out all credits, including those of other positions. Null without
   * a withdrawal, and if the node does not search that far back.
   */
  withdrawal: { amount: bigint; at: number; transactionHash: Hex } | null
}

/** Finds the payout of a position in a transaction's logs. Null if the transaction did not settle it. */
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

/** Finds an account's withdrawal of a token in a transaction's logs, raw units. Null if there is none. */
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
 * Reads the payout of a settlement, and whether the account has withdrawn since.
 *
 * @returns Null if the transaction did not settle the position.
 * @throws viem's errors if the node does not answer or does not know the transaction.
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
    // Ignore a node that does not search that far back. The rest of the payment is known.
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

/** The first log, in chain order, after a position in the chain. */
export function firstAfter<Entry extends Place>(logs: readonly Entry[], place: Place): Entry | null {
  return logs.find((log) => isAfter(log, place)) ?? null
}

function isAfter(log: Place, place: Place): boolean {
  return log.blockNumber > place.blockNumber || (log.blockNumber === place.blockNumber && log.logIndex > place.logIndex)
}
