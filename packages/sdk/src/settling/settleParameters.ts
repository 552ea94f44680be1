// Why: docs/decisions/0032-credits-and-checkpoints.md and docs/decisions/0069-observations.md
import { INTEREST_RATE_POOL_ADDRESS, KEEPER_BUNDLER_ADDRESS } from '@firmquote/addresses'
import { interestRatePoolAbi, keeperBundlerAbi } from '@firmquote/core'
import { checkedUint256, guardInput } from '@firmquote/core/utils'
import type { Address, Hex } from 'viem'
import { checkedAddress, misnamedAddresses } from '../clientConfig.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'

/** @inline */
type Pool = { interestRatePoolAddress?: Address | undefined }

/**
 * Returns the call that settles a position, for viem's `writeContract` or `simulateContract`. Any account may send it
 * once the series has expired. Settling credits both parties without moving tokens. To pay out the credit, use
 * `withdrawParameters`.
 *
 * @param options The interest-rate pool's address, by default the production deployment's, and the position.
 * @throws {InvalidInputError} if an option is malformed.
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
 * Returns the call that settles many positions and skips those that cannot be settled. The receipt's `PositionSettled`
 * events list the settled positions. The whole call reverts if less than 300,000 gas remains for any position. A block
 * has room for a few dozen positions.
 *
 * @param options.positionIds The positions, from one pool.
 * @param options.keeperBundlerAddress The keeper bundler of the positions' pool.
 * @throws {InvalidInputError} if an option is malformed.
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
    rejectMisnamedOptions(options, { ...misnamedAddresses, positionId: 'positionIds' })
    const { keeperBundlerAddress } = options
    const positionIds = options.positionIds.map((id, index) => checkedUint256(id, `positionIds.${index}`))
    const address: Address = keeperBundlerAddress ?? KEEPER_BUNDLER_ADDRESS
    return { address, abi: keeperBundlerAbi, functionName: 'settleMany', args: [positionIds] } as const
  })
}

/**
 * Returns the call that withdraws the entire credit in a token, for the sender or for `account`. Any sender may
 * withdraw an account's credit to that account. Withdrawing a zero credit is not an error.
 *
 * @param options The interest-rate pool's address, by default the production deployment's, and the token. `account` is
 * the credit's owner, by default the sender.
 * @throws {InvalidInputError} if an option is malformed.
 * @example
 * ```ts
 * await send(withdrawParameters({ token: loanToken }))
 * // Pays the maker, who does not have to send a transaction.
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
 * Returns the call that stores the index at which all positions of a series settle. Any account may send it once the
 * series has expired, but only the first call has an effect. `observeParameters` can also be sent before the expiry.
 *
 * @param options The interest-rate pool's address, by default the production deployment's, and the series.
 * @throws {InvalidInputError} if an option is malformed.
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

/**
 * Seconds before a series' expiry from which it makes sense to observe its index. Firmquote's own apps offer it from
 * then on. The contract accepts an observation at any time, and a later one replaces it.
 */
export const observationWindow = 86_400

/**
 * Returns the call that reads the index of a series. Before the expiry, it stores the reading from which the payouts are
 * interpolated, which makes them less dependent on the time of the checkpoint. From the expiry on, it creates the
 * checkpoint, as `checkpointParameters` does. Any account may send it. It is most useful shortly before the expiry.
 *
 * A gas estimate from before the expiry is too low for a transaction mined at or after it. Add at least 30,000.
 *
 * @param options The interest-rate pool's address, by default the production deployment's, and the series.
 * @throws {InvalidInputError} if an option is malformed.
 * @example
 * ```ts
 * const { expiry, seriesKey } = position
 * if (Date.now() / 1000 >= expiry - observationWindow) await send(observeParameters({ seriesKey }))
 * ```
 */
export function observeParameters(options: Pool & { seriesKey: Hex }) {
  return guardInput('options', () => {
    const { seriesKey } = options
    return { ...pool(options), functionName: 'observe', args: [seriesKey] } as const
  })
}

function pool(options: Pool) {
  rejectMisnamedOptions(options, misnamedAddresses)
  const { interestRatePoolAddress = INTEREST_RATE_POOL_ADDRESS } = options
  return { address: interestRatePoolAddress as Address, abi: interestRatePoolAbi } as const
}
