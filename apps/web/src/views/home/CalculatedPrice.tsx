import type { Pool } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { FixableNote } from '../../fixing/debt/FixableNote.tsx'
import { PriceNote } from '../../fixing/offers/PriceNote.tsx'
import { priceAttributes, standingOf } from '../../fixing/offers/priceAttributes.ts'
import type { TermPrice } from '../../fixing/offers/termPrices.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { Comparison } from '../../fixing/outcome/Comparison.tsx'
import { Amount, Rate } from '../../ui/figures.tsx'
import { HeroFigure } from '../../ui/HeroFigure.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import styles from './CalculatedPrice.module.css'

/**
 * The cost of fixing an amount for a term: the payment due now, and the fixed rate next to the floating one.
 *
 * @param term Null if there is no amount to price.
 * @param now Unix seconds.
 */
export function CalculatedPrice(props: { pool: Pool; term: TermPrice | null; offers: KnownOffers; now: number }) {
  return (
    <div className={styles['price']}>
      <Price {...props} />
    </div>
  )
}

function Price({ pool, term, offers, now }: Parameters<typeof CalculatedPrice>[0]) {
  const { texts, formats } = useWords()
  const { loanToken: token, floating } = pool
  const words = texts.home.price
  if (term === null) return <EmptyState title={words.noAmount} />
  if (offers.pending) return <Skeleton rows={6} what="rates" />
  const { price, series } = term
  if (price === null) {
    if (term.fixable.amount === 0n) return <FixableNote term={term} token={token} />
    return offers.error ? (
      <EmptyState title={words.notKnown} />
    ) : (
      <EmptyState title={words.none}>{words.noneWhy}</EmptyState>
    )
  }
  const estimated = price.kind === 'estimate'
  const { notional, cost, effectiveApy } = price
  const { expiry } = series
  const standing = standingOf(price)
  const data = priceAttributes({ notional, cost, expiry }, standing)
  return (
    <>
      <FixableNote term={term} token={token} />
      <HeroFigure
        label={estimated ? words.payNowAbout : words.payNow}
        data={data}
        note={words.paysFor(<Amount value={notional} token={token} />, formats.day(expiry))}
      >
        <Amount cost value={cost} token={token} />
      </HeroFigure>
      <HeroFigure
        label={estimated ? words.fixedAtAbout : words.fixedAt}
        data={data}
        tone="fixed"
        note={words.floating(<Rate percent={floating.apy} tone="floating" />)}
      >
        <Rate percent={effectiveApy} />
      </HeroFigure>
      <Comparison price={{ notional, cost, from: now, expiry }} pool={pool} standing={standing} costShown />
      <p className={styles['note']}>
        <PriceNote price={price} token={token} />
      </p>
    </>
  )
}
