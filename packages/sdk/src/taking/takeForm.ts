// Why: docs/decisions/0040-one-confirmation.md
import { guardInput } from '@firmquote/core/utils'
import type { readAtomicity } from './sendCalls.ts'
import type { TakeCall } from './takeCalls.ts'

/**
 * How takes are sent: one transaction per call, a wallet's batch of calls (EIP-5792), or a Bundler3 transaction with
 * signatures.
 */
export type TakeForm = 'oneByOne' | 'sendCalls' | 'bundle'

/**
 * Chooses, of the forms that an account supports, the one that needs the fewest confirmations, or the least gas if
 * several do. Pure.
 *
 * @param can What the account supports.
 * @param can.atomicity The wallet's support for atomic batches.
 * @param can.bundle Whether the account signs without confirmation and the takes can be bundled.
 * @throws {InvalidInputError} if an argument is malformed.
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
