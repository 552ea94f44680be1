// Why: docs/decisions/0040-one-confirmation.md
import { guardInput } from '@firmquote/core'
import type { readAtomicity } from './sendCalls.ts'
import type { TakeCall } from './takeCalls.ts'

/**
 * How takes are sent: each call in a transaction of its own, as one by the wallet (EIP-5792), or as one through Bundler3 with
 * signatures.
 */
export type TakeForm = 'oneByOne' | 'sendCalls' | 'bundle'

/**
 * The form with the fewest confirmations that an account can use; of those the one with the least gas. Pure.
 *
 * @param can.atomicity what its wallet says of several calls as one.
 * @param can.bundle whether it signs without being asked, and the takes can be bundled.
 * @throws {InvalidInputError} when an argument cannot be read.
 * @example
 * ```ts
 * const calls = takeCalls(plan.takes, verdict)
 * const atomicity = await readAtomicity(walletClient, { from: account.address, chainId })
 * if (chooseTakeForm(calls, { atomicity, bundle: false }) === 'sendCalls') {
 *   await sendCalls(walletClient, calls, { from: account.address, chainId, publicClient })
 * }
 * ```
 */
export function chooseTakeForm(
  calls: readonly Pick<TakeCall, 'purpose'>[],
  can: { atomicity: Awaited<ReturnType<typeof readAtomicity>>; bundle: boolean },
): TakeForm {
  return guardInput('calls', () => {
    if (calls.length <= 1) return 'oneByOne'
    if (can.atomicity !== 'unsupported') return 'sendCalls'
    return can.bundle ? 'bundle' : 'oneByOne'
  })
}
