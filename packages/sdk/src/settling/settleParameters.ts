// Why: docs/decisions/0032-credits-and-checkpoints.md
import { INTEREST_RATE_POOL_ADDRESS, KEEPER_BUNDLER_ADDRESS } from '@firmquote/addresses'
import { checkedUint256, guardInput, interestRatePoolAbi, keeperBundlerAbi } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import { checkedAddress, misnamedAddresses } from '../clientConfig.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'

type Pool = { interestRatePoolAddress?: Address | undefined }

/**
 * The call that settles a position, for viem's `writeContract` or `simulateContract`. Anyone may send it, from the expiry on. It
 * credits both parties and moves no token: `withdrawParameters` has the call that pays.
 *
 * @throws {InvalidInputError} when an option cannot be read.
 * @example
 * ```ts
 * await send(settleParameters({ positionId: position.positionId }))
 * await send(withdrawParameters({ token: loanToken }))
 * ```
 */
export function settleParameters(options: Pool & { positionId: bigint }) {
  return guardInput('options', () => {
    const positionId = checkedUint256(options.positionId, 'positionId')
    return { ...pool(options), functionName: 'settle', args: [positionId] } as const
  })
}

/**
 * The call that settles many positions at once, and passes over those that cannot be settled: the `PositionSettled` events of
 * its receipt say which were. Each needs 300,000 gas left before it, or all of it reverts: a few dozen fit into a block.
 *
 * @param options.keeperBundlerAddress a keeper bundler of the pool that holds the positions.
 * @throws {InvalidInputError} when an option cannot be read.
 * @example
 * ```ts
 * const { positions } = await client.getPositions(position.borrower)
 * const due = positions.filter(({ settleable }) => settleable)
 * await send(settleManyParameters({ positionIds: due.map(({ positionId }) => positionId) }))
 * ```
 */
export function settleManyParameters(options: {
  positionIds: readonly bigint[]
  keeperBundlerAddress?: Address | undefined
}) {
  return guardInput('options', () => {
    rejectMisnamedOptions(options, misnamedAddresses)
    const { keeperBundlerAddress } = options
    const positionIds = options.positionIds.map((id, index) => checkedUint256(id, `positionIds.${index}`))
    const address: Address = keeperBundlerAddress ?? KEEPER_BUNDLER_ADDRESS
    return { address, abi: keeperBundlerAbi, functionName: 'settleMany', args: [positionIds] } as const
  })
}

/**
 * The call that pays out all that is credited of a token: to the sender, or with `account` to that account, and then anyone may send it.
 * Nothing to pay is not an error.
 *
 * @throws {InvalidInputError} when an option cannot be read.
 * @example
 * ```ts
 * await send(withdrawParameters({ token: loanToken }))
 * // Pays the maker, who need not send anything.
 * await send(withdrawParameters({ token: loanToken, account: position.maker }))
 * ```
 */
export function withdrawParameters(options: Pool & { token: Address; account?: Address | undefined }) {
  return guardInput('options', () => {
    rejectMisnamedOptions(options, { to: 'account' })
    const { token, account } = options
    checkedAddress(token, 'token')
    if (account !== undefined) checkedAddress(account, 'account')
    return account === undefined
      ? ({ ...pool(options), functionName: 'withdraw', args: [token] } as const)
      : ({ ...pool(options), functionName: 'withdrawFor', args: [account, token] } as const)
  })
}

/**
 * The call that stores the index from which all positions of a series are settled. Anyone may send it, from the expiry on, and
 * the first one counts: a party that a late one would cost sends it at the expiry.
 *
 * @throws {InvalidInputError} when an option cannot be read.
 * @example
 * ```ts
 * await send(checkpointParameters({ seriesKey: position.seriesKey }))
 * ```
 */
export function checkpointParameters(options: Pool & { seriesKey: Hex }) {
  return guardInput('options', () => {
    const { seriesKey } = options
    return { ...pool(options), functionName: 'checkpoint', args: [seriesKey] } as const
  })
}

function pool(options: Pool) {
  rejectMisnamedOptions(options, misnamedAddresses)
  const { interestRatePoolAddress = INTEREST_RATE_POOL_ADDRESS } = options
  return { address: interestRatePoolAddress as Address, abi: interestRatePoolAbi } as const
}
