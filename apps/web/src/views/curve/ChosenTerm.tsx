import type { Pool } from '@firmquote/react'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { useWords } from '../../copy/words.ts'
import { priceAttributes, standingOf } from '../../fixing/offers/priceAttributes.ts'
import { RatesOverTime } from '../../fixing/offers/RatesOverTime.tsx'
import { Comparison } from '../../fixing/outcome/Comparison.tsx'
import { fixHref, quoteHref } from '../../routes.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Amount, Rate, Time } from '../../ui/figures.tsx'
import { HeroFigure } from '../../ui/HeroFigure.tsx'
import styles from './ChosenTerm.module.css'
import type { CurvePoint } from './curvePoints.ts'

/** The selected term: its price compared with the variable rate, a link to request it, and its past rates. */
export function ChosenTerm(props: { point: CurvePoint; pool: Pool; now: number }) {
  const { point, pool, now } = props
  const { poolId, loanToken: token } = pool
  const { texts, formats } = useWords()
  const { term } = useRatesTexts().curve
  const { seriesKey, expiry, effectiveApy, cost, notional } = point
  const price = { notional, cost, from: now, expiry }
  const standing = standingOf(point)
  const day = formats.day(expiry)
  const ask = fixHref({ poolId, seriesKey, notional })
  return (
    <div className={styles['term']}>
      <div className={styles['price']}>
        <HeroFigure
          label={point.kind === 'firm' ? term.rate : term.rateAbout}
          tone="fixed"
          data={priceAttributes(price, standing)}
          note={
            point.kind === 'firm'
              ? term.firmFor(<Amount value={notional} token={token} />, day)
              : point.basis.from === 'auction'
                ? term.seenFor(
                    <Amount value={point.basis.notional} token={token} />,
                    <Time at={point.basis.at * 1000} />,
                    day,
                  )
                : term.offeredFor(<Amount value={point.basis.notional} token={token} />, day)
          }
        >
          <Rate percent={effectiveApy} about={point.kind !== 'firm'} />
        </HeroFigure>
        <div className={styles['next']}>
          <Comparison price={price} pool={pool} standing={standing} />
          <p className={styles['actions']}>
            <ButtonLink look="main" href={point.kind === 'firm' ? quoteHref(point.hash, point.together) : ask}>
              {point.kind === 'firm' ? term.review : texts.common.askForOffers}
            </ButtonLink>
            {point.kind === 'firm' && <ButtonLink href={ask}>{texts.common.askForOffers}</ButtonLink>}
          </p>
        </div>
      </div>
      <section aria-label={term.overTime(day)}>
        <h3>{term.overTime(day)}</h3>
        <RatesOverTime pool={pool} seriesKey={seriesKey} days={365} />
      </section>
    </div>
  )
}
