import { type Pool, useRateHistory } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'
import { useMemo } from 'react'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useFormats } from '../../copy/words.ts'
import { payoutOf } from '../../fixing/outcome/payout.ts'
import { useBlockTime } from '../../fixing/useBlockTime.ts'
import { Amount } from '../../ui/figures.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Section } from '../../ui/Panel.tsx'
import styles from './AccrualChart.module.css'
import { AccrualChart } from './AccrualChart.tsx'
import { accrualOf } from './accrual.ts'

/**
 * Charts a borrower's accrued interest against its cost, and says when fixing pays off. Renders nothing while the
 * opening's time or the payout is unknown. `now` is in Unix seconds.
 */
export function InterestAndCost({ position, pool, now }: { position: FixedPosition; pool: Pool; now: number }) {
  const { accrual: words } = usePositionsTexts()
  const openedAt = useBlockTime(position.openedAtBlock)
  const history = useRateHistory({ poolId: pool.poolId })
  const payout = payoutOf(position)?.amount
  if (openedAt === undefined || payout === undefined || openedAt >= position.expiry) return null
  return (
    <Section title={words.title}>
      <Loaded query={history} what="history" rows={8}>
        {({ floating }) => <Days {...{ position, pool, payout, openedAt, now, floating }} />}
      </Loaded>
    </Section>
  )
}

function Days(props: {
  position: FixedPosition
  pool: Pool
  payout: bigint
  openedAt: number
  now: number
  floating: Parameters<typeof accrualOf>[1]['readings']
}) {
  const { position, pool, payout, openedAt, now, floating } = props
  const { accrual: words } = usePositionsTexts()
  const formats = useFormats()
  const { notional, cost, expiry } = position
  const { loanToken: token } = pool
  const { apy, ratePerSec } = pool.floating
  const accrual = useMemo(
    () => accrualOf({ notional, cost, expiry }, { payout, openedAt, now, readings: floating, ratePerSec }),
    [notional, cost, expiry, payout, openedAt, now, floating, ratePerSec],
  )
  const { past, future, evenAt } = accrual
  const end = past.at(-1)
  if (!end) return null
  const gain = end.payout - end.cost
  const said = future.length > 0 ? words.ifToday : words.ended
  const rate = formats.rate(apy)
  const even = () => {
    if (gain >= 0n && evenAt !== null) return words.evenSince(formats.day(evenAt))
    if (future.length === 0) return null
    return evenAt === null ? words.neverEven(formats.day(expiry), rate) : words.even(formats.day(evenAt), rate)
  }
  const evenWords = even()
  return (
    <>
      <AccrualChart accrual={accrual} token={token} />
      <div className={styles['notes']}>
        <p>
          {gain < 0n
            ? said.less(<Amount value={end.payout} token={token} />, <Amount cost value={-gain} token={token} />)
            : said.more(<Amount value={end.payout} token={token} />, <Amount value={gain} token={token} />)}
        </p>
        {evenWords !== null && <p>{evenWords}</p>}
        <p className={styles['quiet']}>
          {words.costNote} {future.length > 0 && words.legend(rate)}
        </p>
      </div>
    </>
  )
}
