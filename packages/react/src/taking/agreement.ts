// Why: docs/decisions/0065-one-click-per-agreement.md
import type { TakeCall } from '@firmquote/sdk'
import type { TakeStep } from './takeStep.ts'

/** Calls that a borrower agreed to together and that are not sent yet. */
export type Agreement = {
  /** The account that agreed. */
  account: string
  /** The calls in order. Not empty. */
  calls: readonly TakeCall[]
}

/**
 * Whether the agreement continues: only while the remaining calls, judged by the chain, are exactly the rest of the
 * agreed ones. Anything else (a user rejection, a revoked permission, a failed check, another account or chain) ends
 * it. Pure.
 *
 * @param now.account The connected account, or empty while there is none to read through.
 * @param now.isPending Whether the previous call is pending, or not read by the checks yet.
 * @param now.isReady Whether something can be sent.
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
