import type { TakeState, Token } from '@firmquote/react'
import type { Executability, SignedQuote } from '@firmquote/sdk'
import { acceptanceTextsOf } from '../../copy/acceptanceTexts.ts'
import type { Words } from '../../copy/words.ts'
import { isForOther } from './isForOther.ts'

/** A state in which offers are neither taken nor on their way. */
export type OpenState = Exclude<TakeState, { step: 'taken' | 'onItsWay' }>

/** Describes the next step and its consequences for the visitor in a title and a sentence. Pure. */
export function describeStep(
  state: OpenState,
  offer: { signed: SignedQuote; token: Token; verdict: Executability | undefined },
  words: Words,
): { title: string; lead: string } {
  const { steps } = acceptanceTextsOf(words)
  const { signed, token, verdict } = offer
  const amount = (value: bigint) => words.formats.withSymbol(words.formats.exact(value, token), token)
  switch (state.step) {
    case 'reset':
    case 'approve':
    case 'permit':
      return { title: steps.several.title(state.calls.length), lead: steps.several.lead }
    case 'undecided': {
      const { title, lead } = steps.undecided
      return { title, lead: lead(words.formats.minute(Number(state.until))) }
    }
    case 'fund': {
      if (!verdict) return steps.wait
      const { balance } = verdict.checks[5]
      return { title: steps.fund.title, lead: steps.fund.lead(amount(balance), amount(verdict.cost)) }
    }
    case 'dead':
      return isForOther(state.verdict)
        ? { title: steps.otherAccount.title, lead: steps.otherAccount.lead(words.formats.address(signed.taker)) }
        : steps.dead
    default:
      return steps[state.step]
  }
}
