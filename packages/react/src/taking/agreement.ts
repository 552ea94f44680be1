// Why: docs/decisions/0065-one-click-per-agreement.md
import type { TakeCall } from '@firmquote/sdk'
import type { TakeStep } from './takeStep.ts'

/** What a borrower has agreed to at once, and is not sent yet. */
export type Agreement = {
  /** Who has agreed. */
  account: string
  /** Not empty; in their order. */
  calls: readonly TakeCall[]
}

/**
 * Whether what was agreed to goes on: only while all that the chain says is still to come is exactly what is left of it. Whatever else
 * has come (a refusal, a permission that was revoked, a check that fails, another account or chain) ends it. Pure.
 *
 * @param now.account the connected account; empty while there is none to read through.
 * @param now.isPending whether the call before is under way, or not read by the checks yet.
 * @param now.isReady whether something can be sent.
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
