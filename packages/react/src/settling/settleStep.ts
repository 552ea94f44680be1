import { type AccountPositions, settleParameters, withdrawParameters } from '@firmquote/sdk'
import { type Address, encodeFunctionData, type Hex, isAddressEqual } from 'viem'
import type { ChainAccess } from '../chain/useChain.ts'
import type { Service } from '../service/serviceContext.ts'

/** A call that settles a matured position or withdraws the credit in a token. `value` is in wei and always zero. */
export type SettleCall = { to: Address; data: Hex; value: bigint } & (
  | { purpose: 'settle'; positionId: bigint }
  | { purpose: 'withdraw'; token: Address }
)

/** An account's next settlement or withdrawal. */
export type SettleStep =
  | { step: 'connect' }
  | { step: 'switchNetwork' }
  /** The positions are loading. */
  | { step: 'wait' }
  /** The positions could not be read. */
  | { step: 'unknown'; error: Error }
  /** No position has matured, and there is no credit. */
  | { step: 'nothing' }
  | { step: 'settle'; positionId: bigint; calls: readonly SettleCall[] }
  | { step: 'withdraw'; token: Address; calls: readonly SettleCall[] }
  /** All calls in one confirmation. The wallet supports atomic batches. */
  | { step: 'settleTogether'; calls: readonly SettleCall[] }

/** Maximum number of settlements in a batch. Each settlement uses less than 300,000 gas. */
const maxTogether = 16

/** An account's current state, as far as known. */
export type SettleReading = {
  account: Pick<AccountPositions, 'positions' | 'withdrawable'> | undefined
  /** Why the read failed. */
  error: Error | null
  /** Whether the wallet supports atomic batches. */
  atomic: boolean
  contracts: Service['config']['contracts']
}

/** Determines the next step. `calls` contains all remaining calls, in order. Pure. */
export function nextSettleStep(chain: ChainAccess['state'], read: SettleReading): SettleStep {
  if (chain === 'none') return { step: 'connect' }
  if (chain === 'wrongNetwork') return { step: 'switchNetwork' }
  if (read.error) return { step: 'unknown', error: read.error }
  if (chain === 'connecting' || !read.account) return { step: 'wait' }
  const calls = settleCalls(read.account, read.contracts)
  const [first] = calls
  if (!first) return { step: 'nothing' }
  if (read.atomic && calls.length > 1) return { step: 'settleTogether', calls }
  return first.purpose === 'settle'
    ? { step: 'settle', positionId: first.positionId, calls }
    : { step: 'withdraw', token: first.token, calls }
}

/**
 * Settlements of matured positions, then withdrawals of existing credits and of those that the settlements will create.
 */
function settleCalls(
  { positions, withdrawable = [] }: Pick<AccountPositions, 'positions' | 'withdrawable'>,
  { interestRatePool: interestRatePoolAddress }: SettleReading['contracts'],
): SettleCall[] {
  // A position is listed twice if the account is both borrower and maker.
  const due = new Map(
    positions.filter(({ settleable }) => settleable).map((position) => [position.positionId, position]),
  )
  const settled = [...due.values()].slice(0, maxTogether)
  const tokens = [
    ...withdrawable.map(({ token }) => token),
    ...settled.flatMap(({ loanToken = [] }) => loanToken),
  ].filter((token, index, all) => all.findIndex((other) => isAddressEqual(other, token)) === index)
  return [
    ...settled.map(({ positionId }): SettleCall => {
      const { address: to, ...call } = settleParameters({ positionId, interestRatePoolAddress })
      return { purpose: 'settle', positionId, to, data: encodeFunctionData(call), value: 0n }
    }),
    ...tokens.map((token): SettleCall => {
      const { address: to, ...call } = withdrawParameters({ token, interestRatePoolAddress })
      return { purpose: 'withdraw', token, to, data: encodeFunctionData(call), value: 0n }
    }),
  ]
}
