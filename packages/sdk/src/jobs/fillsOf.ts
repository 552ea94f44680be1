import { interestRatePoolAbi, quoteMarketAbi } from '@firmquote/core'
import { type Address, type Hex, isAddressEqual, type Log, parseEventLogs } from 'viem'
import type { Fill } from './job.ts'

/** The contracts whose events show what a job has done. */
export type JobContracts = { quoteMarketAddress: Address; interestRatePoolAddress: Address }

/** A mined transaction. */
type Mined = { logs: readonly Log[]; blockNumber: bigint; transactionHash: Hex }

/**
 * Returns the quotes that a transaction took for an account, each with its position. Only events count, because a
 * wallet may have replaced the transaction.
 */
export function fillsOf(mined: Mined, contracts: JobContracts, account: Address): Fill[] {
  const { quoteMarketAddress, interestRatePoolAddress } = contracts
  const logsOf = (contract: Address) => mined.logs.filter(({ address }) => isAddressEqual(address, contract))
  const filled = parseEventLogs({ abi: quoteMarketAbi, eventName: 'QuoteFilled', logs: logsOf(quoteMarketAddress) })
  const opened = parseEventLogs({
    abi: interestRatePoolAbi,
    eventName: 'PositionOpened',
    logs: logsOf(interestRatePoolAddress),
  })
  return filled
    .filter(({ args }) => isAddressEqual(args.taker, account))
    .map(({ args: { hash, notional, cost }, logIndex }) => {
      // The market opens the position before it emits the fill.
      const position = opened.findLast((event) => event.logIndex < logIndex)
      const { blockNumber: block, transactionHash } = mined
      return { hash, notional, cost, positionId: position?.args.positionId ?? null, block, transactionHash }
    })
}
