import type { RFQResult } from '@firmquote/sdk'
import type { ReactNode } from 'react'
import { useTexts } from '../../copy/words.ts'
import { EmptyState } from '../../ui/Notice.tsx'
import type { Outcome } from './outcome.ts'

/** Why a closed auction has nothing to take, and what to do next. `rival` is a link to a published quote. */
export function NothingToTake(props: {
  auction: RFQResult
  outcome: Exclude<Outcome, 'quotes' | 'fixed' | 'waiting'>
  rival: ReactNode
  action: ReactNode
}) {
  const { auction, outcome, rival, action } = props
  const { quotes: texts } = useTexts().auction
  const another = auction.maxVrtAmount === undefined ? texts.tryOther : texts.tryOtherLimit
  const remedies = {
    silent: another,
    refused: `${texts.refused(auction.rejectedCount)} ${another}`,
    noMakers: texts.tryLater,
    expired: texts.shortLived,
    cannot: texts.whyBelow,
    rest: texts.restVariable,
  }
  return (
    <EmptyState
      title={texts.none[outcome]}
      action={
        <>
          {rival}
          {action}
        </>
      }
    >
      {remedies[outcome]}
    </EmptyState>
  )
}
