import type { Payment, Pool } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { usePositionRate } from '../../fixing/debt/PositionRow.tsx'
import { payoutOf } from '../../fixing/outcome/payout.ts'
import type { PayoutStage } from '../../fixing/outcome/payoutStage.ts'
import { useBlockTime } from '../../fixing/useBlockTime.ts'
import { Amount, Rate } from '../../ui/figures.tsx'
import { Timeline, type TimelineEvent } from '../../ui/Timeline.tsx'

/** A timeline of a position's past and future events, with the amount accrued so far. `now` is in Unix seconds. */
export function Life(props: {
  position: FixedPosition
  pool: Pool
  payment: Payment | null
  stage: PayoutStage | null
  now: number
}) {
  const { position, pool, payment, stage, now } = props
  const { timeline } = usePositionsTexts()
  const { role, notional, cost, expiry, openedAtBlock, accrued } = position
  const openedAt = useBlockTime(openedAtBlock)
  const rate = usePositionRate(position)
  const amount = (value: bigint) => <Amount value={value} token={pool.loanToken} />
  const paid = <Amount cost value={cost} token={pool.loanToken} />

  const opening = () => {
    if (role === 'maker') return timeline.lockedFor(amount(cost), amount(notional))
    return rate === null
      ? timeline.paidFor(paid, amount(notional))
      : timeline.paidForAt(paid, amount(notional), <Rate percent={rate} tone="fixed" />)
  }
  const ending = () => {
    if (stage === null) return undefined
    if (stage === 'due' || stage === 'final') return timeline[stage]
    return role === 'maker' ? timeline.thenMaker : timeline.thenBorrower(amount(notional))
  }
  const withdrawal = payment?.withdrawal
  const events: TimelineEvent[] = [
    ...(openedAt === undefined ? [] : [{ name: 'opened', at: openedAt, title: timeline.opened, children: opening() }]),
    { name: 'ends', at: expiry, title: now >= expiry ? timeline.ended : timeline.ends, children: ending() },
    ...(payment
      ? [
          {
            name: 'settled',
            at: payment.settledAt,
            title: timeline.settled,
            children: timeline.shares(amount(payment.toBorrower), amount(payment.toMaker)),
          },
        ]
      : []),
    ...(withdrawal
      ? [
          {
            name: 'withdrawn',
            at: withdrawal.at,
            title: timeline.withdrawn,
            children: (withdrawal.amount === payoutOf(position)?.amount ? timeline.received : timeline.receivedMore)(
              amount(withdrawal.amount),
            ),
          },
        ]
      : []),
  ]
  const runs = accrued !== undefined && (stage === 'running' || stage === 'observable')
  return (
    <Timeline
      label={timeline.title}
      events={events}
      now={now}
      nowWords={timeline.today}
      {...(runs && {
        nowNote: (role === 'maker' ? timeline.accruedForMaker : timeline.accrued)(amount(accrued)),
      })}
    />
  )
}
