import type { TakeState, Token } from '@firmquote/react'
import type { Executability, SignedQuote } from '@firmquote/sdk'
import { acceptanceTextsOf } from '../../copy/acceptanceTexts.ts'
import type { Words } from '../../copy/words.ts'
import { isForOther } from './isForOther.ts'

/** A state in which quotes are neither taken nor on their way. */
export type OpenState = Exclude<TakeState, { step: 'taken' | 'onItsWay' }>

/**
 * Describes what the visitor has to do before the quotes can be taken, in a title and a sentence. Null if they
 * can be taken. Pure.
 */
export function describeStep(
  state: OpenState,
  offer: { signed: SignedQuote; token: Token; verdict: Executability | undefined },
  words: Words,
): { title: string; lead: string } | null {
  const { steps } = acceptanceTextsOf(words)
  const { signed, token, verdict } = offer
  const { formats } = words
  switch (state.step) {
    case 'reset':
    case 'approve':
    case 'permit':
    case 'takeTogether':
    case 'take':
      return null
    case 'undecided': {
      const { title, lead } = steps.undecided
      return { title, lead: lead(formats.minute(Number(state.until))) }
    }
    case 'fund': {
      if (!verdict) return steps.wait
      const { balance } = verdict.checks[5]
      const lead = steps.fund.lead(
        formats.withSymbol(formats.amount(balance, token), token),
        formats.withSymbol(formats.cost(verdict.cost, token), token),
      )
      return { title: steps.fund.title, lead }
    }
    case 'dead':
      return isForOther(state.verdict)
        ? { title: steps.otherAccount.title, lead: steps.otherAccount.lead(formats.address(signed.taker)) }
        : steps.dead
    default:
      return steps[state.step]
  }
}
