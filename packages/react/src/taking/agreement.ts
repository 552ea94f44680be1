// Why: docs/decisions/0065-one-click-per-agreement.md
import type { TakeCall } from '@firmquote/sdk'
import type { TakeStep } from './takeStep.ts'

/** The unsent calls in a sequence that a borrower agreed to as a whole. */
export type Agreement = {
  /** The account that agreed. */
  account: string
  /** The calls, in order. Not empty. */
  calls: readonly TakeCall[]
}

/**
 * Decides whether an agreement continues. The calls that the chain state still requires must exactly match the
 * agreement's unsent calls. Anything else ends the agreement: a user rejection, a revoked permission, a failed check,
 * or a different account or chain. Pure.
 *
 * @param now.account The connected account, or empty while no wallet is ready.
 * @param now.isPending Whether the previous call is pending, or confirmed but not yet seen by the checks.
 * @param now.isReady Whether a call can be sent.
 */
export function judgeAgreement(
  { account, calls }: Agreement,
  now: { account: string; step: TakeStep; isPending: boolean; isReady: boolean },
): 'wait' | 'send' | 'stop' {
  const { step, isPending, isReady } = now
  if (now.account !== '' && now.account !== account) return 'stop'
  if (step.step === 'wait' || step.step === 'unknown') return 'wait'
  if (!('calls' in step)) return 'stop'
  if (isPending) return 'wait'
  return isReady && areSame(step.calls, calls) ? 'send' : 'stop'
}

function areSame(calls: readonly TakeCall[], others: readonly TakeCall[]): boolean {
  return (
    calls.length === others.length &&
    calls.every(({ to, data, value }, index) => {
      const other = others[index]
      return other !== undefined && to === other.to && data === other.data && value === other.value
    })
  )
}
