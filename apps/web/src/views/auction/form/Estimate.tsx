import { type Pool, useChain } from '@firmquote/react'
import { useTexts, useWords } from '../../../copy/words.ts'
import { FixableNote } from '../../../fixing/debt/FixableNote.tsx'
import { FundsWarning } from '../../../fixing/FundsWarning.tsx'
import { judgeFunds } from '../../../fixing/judgeFunds.ts'
import { PriceNote } from '../../../fixing/offers/PriceNote.tsx'
import { priceAttributes, type Standing, standingOf } from '../../../fixing/offers/priceAttributes.ts'
import type { TermPrice } from '../../../fixing/offers/termPrices.ts'
import type { KnownOffers } from '../../../fixing/offers/useKnownOffers.ts'
import { Comparison } from '../../../fixing/outcome/Comparison.tsx'
import type { FixedPrice } from '../../../fixing/outcome/comparison.ts'
import { WhatToKnow } from '../../../fixing/outcome/WhatToKnow.tsx'
import { useFunds } from '../../../fixing/useFunds.ts'
import { Amount } from '../../../ui/figures.tsx'
import { HeroFigure } from '../../../ui/HeroFigure.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import styles from './AuctionForm.module.css'

/** The estimated result of fixing, whether the account can afford it, and any caveats. */
export function Estimate(props: {
  pool: Pool
  /** The amount to fix, in raw units, or null if invalid. */
  notional: bigint | null
  /** The chosen term, priced for that amount. */
  term: TermPrice
  offers: KnownOffers
  /** When the prices were read, in Unix seconds. */
  now: number
}) {
  const { pool, notional, term, offers, now } = props
  const { estimate: texts, form } = useTexts().auction
  const { loanToken: token } = pool
  const { series, price, fixable } = term
  if (notional === null || notional === 0n) {
    return (
      <Panel title={texts.title}>
        <p className={styles['note']}>{texts.noAmount}</p>
      </Panel>
    )
  }
  if (fixable.amount === 0n) {
    return (
      <Panel title={texts.title}>
        <FixableNote term={term} token={token} />
      </Panel>
    )
  }
  const fixed = { notional: price?.notional ?? notional, from: now, expiry: series.expiry }
  const cost = price?.cost ?? null
  return (
    <Panel title={texts.title}>
      <div className={styles['estimate']}>
        <FixableNote term={term} token={token} />
        {offers.pending ? (
          <Skeleton rows={5} what="rates" />
        ) : price ? (
          <>
            <Price price={{ ...fixed, cost: price.cost }} pool={pool} standing={standingOf(price)} />
            <p className={styles['note']}>
              <PriceNote price={price} token={token} />
            </p>
          </>
        ) : (
          <p className={styles['note']}>{offers.error ? form.termRatesMissing : texts.none}</p>
        )}
        <Holdings pool={pool} needed={cost} />
        <WhatToKnow estimated={price?.kind !== 'firm'} price={{ ...fixed, cost }} token={token} />
      </div>
    </Panel>
  )
}

/** The payment in large digits, compared with the floating rate. */
function Price({ price, pool, standing }: { price: FixedPrice; pool: Pool; standing: Standing }) {
  const { texts, formats } = useWords()
  const { price: words } = texts.home
  const { loanToken: token } = pool
  return (
    <>
      <HeroFigure
        label={standing === 'estimate' ? words.payNowAbout : words.payNow}
        data={priceAttributes(price, standing)}
        note={words.paysFor(<Amount value={price.notional} token={token} />, formats.day(price.expiry))}
      >
        <Amount cost value={price.cost} token={token} />
      </HeroFigure>
      <Comparison price={price} pool={pool} standing={standing} costShown />
    </>
  )
}

/** The connected account's balance, with a warning if it cannot pay. */
function Holdings({ pool, needed }: { pool: Pool; needed: bigint | null }) {
  const { estimate: texts } = useTexts().auction
  const chain = useChain()
  const { data: funds, isError } = useFunds(pool.loanToken.address)
  if (chain.state === 'none') return null
  if (chain.state === 'wrongNetwork') return <p className={styles['note']}>{texts.holdElsewhere}</p>
  if (isError) return <p className={styles['note']}>{texts.holdNotRead}</p>
  if (!funds) return null
  return (
    <>
      {judgeFunds(funds, needed) !== 'cost' && (
        <p className={styles['note']}>{texts.hold(<Amount value={funds.balance} token={pool.loanToken} />)}</p>
      )}
      <FundsWarning pool={pool} cost={needed} />
    </>
  )
}
