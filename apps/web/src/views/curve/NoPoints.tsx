import type { Pool } from '@firmquote/react'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { useWords } from '../../copy/words.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { curveHref, fixHref } from '../../routes.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { firmSizes } from './curvePoints.ts'
import styles from './NoPoints.module.css'

/** Shown if there are no offers for this size. Lists sizes with quotes and links to the home card. */
export function NoPoints(props: { offers: KnownOffers; size: bigint; pool: Pool; firmOnly: boolean }) {
  const { offers, size: wanted, pool, firmOnly } = props
  const { texts, formats } = useWords()
  const { noOffers } = useRatesTexts().curve
  const { poolId, loanToken: token } = pool
  const amountOf = (size: bigint) => formats.withSymbol(formats.amount(size, token), token)
  const amount = amountOf(wanted)
  const sizes = firmSizes(offers.bySeries).slice(0, 4)
  return (
    <EmptyState
      title={firmOnly ? noOffers.firm(amount) : noOffers.any(amount)}
      action={
        <ButtonLink look="main" href={fixHref({ poolId, notional: wanted })}>
          {texts.common.askForOffers}
        </ButtonLink>
      }
    >
      {noOffers.why}
      {sizes.length > 0 && (
        <span className={styles['sizes']}>
          {noOffers.sizes}{' '}
          {sizes.map((size, index) => (
            <span key={size}>
              {index > 0 && ', '}
              <a href={curveHref({ poolId, size, firmOnly })}>{amountOf(size)}</a>
            </span>
          ))}
        </span>
      )}
    </EmptyState>
  )
}
