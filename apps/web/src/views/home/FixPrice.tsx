import type { Pool } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { priceAttributes, standingOf } from '../../fixing/offers/priceAttributes.ts'
import type { RateAtSize } from '../../fixing/offers/rateAtSize.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { Amount, Rate, Time } from '../../ui/figures.tsx'
import { HeroFigure } from '../../ui/HeroFigure.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import styles from './FixCard.module.css'

/** The fixed rate of an amount and its cost, next to the variable rate. */
export function FixPrice(props: {
  pool: Pool
  /** The price, or null if unknown. */
  price: RateAtSize | null
  /** Whether the price is for the whole amount. */
  isWhole: boolean
  /** The term's maturity in Unix seconds, or null without a term. */
  expiry: number | null
  offers: KnownOffers
  /** The amount in raw units, or null if invalid. */
  size: bigint | null
}) {
  return (
    <div className={styles['price']}>
      <Price {...props} />
    </div>
  )
}

function Price({ pool, price, isWhole, expiry, offers, size }: Parameters<typeof FixPrice>[0]) {
  const { texts, formats } = useWords()
  const words = texts.home.price
  const { loanToken: token, floating } = pool
  if (size === null) return <EmptyState title={words.noAmount} />
  if (offers.pending) return <Skeleton rows={4} what="rates" />
  if (price === null || expiry === null) {
    return <p>{offers.error ? words.notKnown : words.none}</p>
  }
  const { notional, cost, effectiveApy, kind } = price
  const isFirm = kind === 'firm'
  const paid = <Amount cost={isFirm} about={!isFirm} value={cost} token={token} />
  const rate = <Rate percent={effectiveApy} about={!isFirm} />
  const day = formats.day(expiry)
  return (
    <div className={styles['figures']} {...priceAttributes({ notional, cost, expiry }, standingOf(price))}>
      <HeroFigure label={words.rate} tone="fixed" note={words.against(formats.rate(floating.apy))}>
        {isFirm ? rate : words.about(rate)}
      </HeroFigure>
      <p>
        {isWhole || !isFirm
          ? (isFirm ? words.cost : words.costAbout)(paid, day)
          : words.costOf(paid, <Amount value={notional} token={token} />, day)}
      </p>
      <Source price={price} pool={pool} />
    </div>
  )
}

/** The quotes behind a price. Renders nothing for a single published quote. */
function Source({ price, pool: { loanToken: token } }: { price: RateAtSize; pool: Pool }) {
  const words = useWords().texts.home.price
  if (price.kind === 'firm') {
    return price.together && <p className={styles['note']}>{words.combined(price.together.length)}</p>
  }
  const { from, notional, at } = price.basis
  const of = <Amount value={notional} token={token} />
  return (
    <p className={styles['note']}>
      {from === 'offer' ? words.fromQuote(of) : words.fromAuction(of, <Time at={at * 1000} />)}
    </p>
  )
}
