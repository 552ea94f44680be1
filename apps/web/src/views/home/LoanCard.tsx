import type { Token } from '@firmquote/react'
import { useState } from 'react'
import type { Hex } from 'viem'
import { marketName } from '../../copy/marketName.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { FixableNote } from '../../fixing/debt/FixableNote.tsx'
import { fixable } from '../../fixing/debt/fixable.ts'
import { protocolName } from '../../fixing/debt/protocolName.ts'
import { restOf } from '../../fixing/debt/unfixed.ts'
import { FundsWarning } from '../../fixing/FundsWarning.tsx'
import { defaultSeries } from '../../fixing/offers/defaultSeries.ts'
import { type KnownOffer, knownApy, lowestOffer } from '../../fixing/offers/knownOffers.ts'
import { PriceNote } from '../../fixing/offers/PriceNote.tsx'
import { priceAttributes, standingOf } from '../../fixing/offers/priceAttributes.ts'
import type { RateAtSize } from '../../fixing/offers/rateAtSize.ts'
import { type TermPrice, termPrices } from '../../fixing/offers/termPrices.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { Comparison } from '../../fixing/outcome/Comparison.tsx'
import { compareAtRate } from '../../fixing/outcome/comparison.ts'
import { quoteHref } from '../../routes.ts'
import { Amount, Rate } from '../../ui/figures.tsx'
import { EmptyState, Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { AskMakers } from './AskMakers.tsx'
import { Health } from './Health.tsx'
import type { Loan } from './joinLoans.ts'
import styles from './LoanCard.module.css'
import { loanHealth } from './loanHealth.ts'
import { ShareBar } from './ShareBar.tsx'
import { TermChoice } from './TermChoice.tsx'

type Shown = { loan: Loan; offers: KnownOffers; now: number }

/** A loan: its debt and how much is fixed, the cost of fixing the rest, and its distance from liquidation. */
export function LoanCard({ loan, offers, now }: Shown) {
  const words = useWords()
  const { loans } = words.texts.home
  const { pool, debt, share } = loan
  const { loanToken: token } = pool
  return (
    <Panel
      title={marketName(pool, words)}
      lead={
        debt ? loans.owe(<Amount value={share.owed} token={token} />, protocolName(debt.protocol)) : loans.oweNothing
      }
    >
      <div className={styles['card']}>
        {share.overfixed > 0n && (
          <Notice tone="warning" title={loans.overfixed}>
            <p>{loans.overfixedWhy(<Amount value={share.overfixed} token={token} />)}</p>
          </Notice>
        )}
        {share.overfixed === 0n && <ShareBar share={share} token={token} />}
        {share.unfixed > 0n && <FixTheRest loan={loan} offers={offers} now={now} />}
        {debt && <Health health={loanHealth(debt, pool)} token={token} />}
      </div>
    </Panel>
  )
}

/** The cost of fixing the whole floating part in each term, with links. */
function FixTheRest({ loan: { pool, share }, offers, now }: Shown) {
  const { home } = useTexts()
  const { loanToken: token } = pool
  const [chosen, choose] = useState<Hex>()
  const wanted = restOf(share, token)
  const terms = termPrices(pool, offers.bySeries, { wanted, now })
  const usual = defaultSeries(pool.series, now, (series) => fixable(series, wanted).limit === undefined)
  const term = [chosen, usual?.seriesKey].flatMap(
    (key) => terms.find(({ series }) => series.seriesKey === key) ?? [],
  )[0]
  if (!term) return <EmptyState title={home.noTerms}>{home.noTermsWhy}</EmptyState>
  const { seriesKey } = term.series
  return (
    <>
      <div className={styles['price']}>
        <Price pool={pool} term={term} offers={offers} now={now} />
      </div>
      <TermChoice terms={terms} offers={offers} now={now} value={seriesKey} onChange={choose} />
      <FixableNote term={term} token={token} />
      {term.fixable.amount > 0n && <FundsWarning pool={pool} cost={term.price?.cost ?? null} />}
      <AskMakers pool={pool} term={term} />
      <OtherFirm offers={offers.bySeries.get(seriesKey) ?? []} size={term.fixable.amount} token={token} />
    </>
  )
}

type Priced = { pool: Loan['pool']; term: TermPrice; offers: KnownOffers; now: number }

function Price({ pool, term, offers, now }: Priced) {
  const { price: words, loans } = useTexts().home
  const { loanToken: token, floating } = pool
  const { price, series } = term
  const floats = <Rate percent={floating.apy} tone="floating" />
  if (offers.pending || price === null) {
    return (
      <>
        <p className={styles['change']}>{loans.floatsAt(floats)}</p>
        {offers.pending ? (
          <Skeleton rows={4} what="rates" />
        ) : offers.error ? (
          <p>{words.notKnown}</p>
        ) : (
          <p>{words.noneWhy}</p>
        )}
      </>
    )
  }
  const estimated = price.kind === 'estimate'
  const { notional, cost, effectiveApy } = price
  const fixed = { notional, cost, from: now, expiry: series.expiry }
  const standing = standingOf(price)
  return (
    <>
      <div {...priceAttributes(fixed, standing)}>
        <p className={styles['change']}>
          {(estimated ? loans.changeAbout : loans.change)(floats, <Rate percent={effectiveApy} tone="fixed" />)}
        </p>
        <Difference price={price} pool={pool} expiry={series.expiry} now={now} />
      </div>
      <Comparison price={fixed} pool={pool} standing={standing} moreShown />
      <p className={styles['note']}>
        <PriceNote price={price} token={token} />
      </p>
    </>
  )
}

function Difference(props: { price: RateAtSize; pool: Loan['pool']; expiry: number; now: number }) {
  const { price, pool, expiry, now } = props
  const { texts, formats } = useWords()
  const { loans, terms } = texts.home
  const { difference } = compareAtRate({ ...price, from: now, expiry }, pool.floating.ratePerSec)
  const time = formats.time(expiry - now)
  if (difference === 0n) return <p className={styles['difference']}>{loans.same(time)}</p>
  const amount = <Amount value={difference < 0n ? -difference : difference} token={pool.loanToken} />
  const said = difference > 0n ? loans.more(amount, time) : loans.less(amount, time)
  return <p className={styles['difference']}>{price.kind === 'firm' ? said : terms.about(said)}</p>
}

/** The term's best firm offer for another size. */
function OtherFirm({ offers, size, token }: { offers: readonly KnownOffer[]; size: bigint; token: Token }) {
  const { loans, price } = useTexts().home
  const best = lowestOffer(offers.filter(({ firm, notional }) => firm && notional !== size))
  if (!best) return null
  return (
    <p className={styles['note']} {...priceAttributes({ ...best, cost: best.vrtAmount }, [best.hash])}>
      {loans.otherFirm(<Rate percent={knownApy(best)} />, <Amount value={best.notional} token={token} />)}{' '}
      <a href={quoteHref(best.hash)}>{price.review}</a>
    </p>
  )
}
