import { type AccountPositions, settleParameters, withdrawParameters } from '@firmquote/sdk'
import { type Address, encodeFunctionData, type Hex, isAddressEqual } from 'viem'
import type { ChainAccess } from '../chain/useChain.ts'
import type { Service } from '../service/serviceContext.ts'

/** A call that settles one matured position, or pays out what is credited of one token. `value` is in wei, and always zero. */
export type SettleCall = { to: Address; data: Hex; value: bigint } & (
  | { purpose: 'settle'; positionId: bigint }
  | { purpose: 'withdraw'; token: Address }
)

/** What an account can settle and withdraw next. */
export type SettleStep =
  | { step: 'connect' }
  | { step: 'switchNetwork' }
  /** The positions have not been read yet. */
  | { step: 'wait' }
  /** They could not be read. */
  | { step: 'unknown'; error: Error }
  /** Nothing has matured, and nothing is credited. */
  | { step: 'nothing' }
  | { step: 'settle'; positionId: bigint; calls: readonly SettleCall[] }
  | { step: 'withdraw'; token: Address; calls: readonly SettleCall[] }
  /** Everything as one confirmation: the wallet sends several calls as one. */
  | { step: 'settleTogether'; calls: readonly SettleCall[] }

/** So many positions are settled together, each for less than 300,000 gas. */
const mostTogether = 16

/** What is known of an account. */
export type SettleReading = {
  account: Pick<AccountPositions, 'positions' | 'withdrawable'> | undefined
  /** Why it could not be read. */
  error: Error | null
  /** Whether the wallet sends several calls as one. */
  atomic: boolean
  contracts: Service['config']['contracts']
}

/** Decides what comes next. `calls` are all that are still to come, in their order. Pure. */
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

/** The settlements of what has matured, then the withdrawals of what is credited, before or by them. */
function settleCalls(
  { positions, withdrawable = [] }: Pick<AccountPositions, 'positions' | 'withdrawable'>,
  { interestRatePool: interestRatePoolAddress }: SettleReading['contracts'],
): SettleCall[] {
  // An account that is both sides of a position finds it twice.
  const due = new Map(
    positions.filter(({ settleable }) => settleable).map((position) => [position.positionId, position]),
  )
  const settled = [...due.values()].slice(0, mostTogether)
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
