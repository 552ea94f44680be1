import type { Pool, QuoteStates } from '@firmquote/react'
import type { CollectedQuote, RFQResult } from '@firmquote/sdk'
import { useTexts } from '../../copy/words.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Amount, Rate } from '../../ui/figures.tsx'
import { HeroFigure } from '../../ui/HeroFigure.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Actions } from './Actions.tsx'
import styles from './AuctionView.module.css'
import { termsOfRest } from './form/termsOfRest.ts'
import { BestOffer } from './offers/BestOffer.tsx'
import type { JudgedOffers } from './offers/judgeOffers.ts'
import { OtherOffers, RefusedOffers } from './offers/OtherOffers.tsx'
import { priceOf } from './offers/prices.ts'
import { type Outcome, outcomeOf } from './outcome.ts'

/** A closed auction's result: the best offer, with the others collapsed, or what happened and what to do next. */
export function Result(props: {
  auction: RFQResult
  pool: Pool
  judged: JudgedOffers
  states: QuoteStates
  nowSeconds: number
}) {
  const { auction, pool, judged, states, nowSeconds } = props
  const { offers: texts } = useTexts().auction
  const outcome = outcomeOf(auction, judged)
  const { best, takeable, others, taken } = judged
  const actions = <Actions auction={auction} pool={pool} taken={taken} outcome={outcome} />
  return (
    <>
      {auction.interrupted && <p>{texts.late}</p>}
      {taken.length > 0 && <Fixed auction={auction} pool={pool} taken={taken} isAll={outcome === 'fixed'} />}
      {outcome === 'offers' ? (
        <>
          {best.length > 0 && (
            <BestOffer
              auction={auction}
              pool={pool}
              best={best}
              rest={termsOfRest(auction, taken).notional}
              states={states}
              nowSeconds={nowSeconds}
            />
          )}
          <OtherOffers auction={auction} pool={pool} rows={takeable.filter((row) => !best.includes(row))} />
        </>
      ) : (
        outcome !== 'fixed' && (
          <EmptyState title={texts.none[outcome]} action={actions}>
            <NextStep auction={auction} outcome={outcome} />
          </EmptyState>
        )
      )}
      <RefusedOffers
        auction={auction}
        pool={pool}
        rows={others.filter(({ collected }) => !taken.includes(collected))}
      />
      {(outcome === 'offers' || outcome === 'fixed') && actions}
    </>
  )
}

/** What to do if there is no offer to take. */
function NextStep({ auction, outcome }: { auction: RFQResult; outcome: Exclude<Outcome, 'offers' | 'fixed'> }) {
  const { offers: texts } = useTexts().auction
  const another = auction.maxVrtAmount === undefined ? texts.tryOther : texts.tryOtherLimit
  switch (outcome) {
    case 'silent':
      return another
    case 'refused':
      return `${texts.refused(auction.rejectedCount)} ${another}`
    case 'noMakers':
      return texts.tryLater
    case 'expired':
      return texts.shortLived
    case 'cannot':
      return texts.whyBelow
    case 'rest':
      return texts.restFloats
  }
}

/** How much of the request is fixed, in how many takes, and at what rate. Shows a link if everything is fixed. */
function Fixed(props: { auction: RFQResult; pool: Pool; taken: readonly CollectedQuote[]; isAll: boolean }) {
  const { auction, pool, taken, isAll } = props
  const { common, auction: auctionTexts } = useTexts()
  const { offers: texts } = auctionTexts
  const price = priceOf(auction, taken)
  if (!price) return null
  const { loanToken: token } = pool
  const part = <Amount value={price.notional} token={token} />
  const all = <Amount value={auction.notional} token={token} />
  const cost = <Amount cost value={price.cost} token={token} />
  const hasRate = price.expiry > price.from
  const withoutRate = texts.fixed(part, all, taken.length, cost)
  if (!isAll) {
    const rate = <Rate percent={price.effectiveApy} tone="fixed" />
    const said = hasRate ? texts.fixedAt(part, all, taken.length, rate, cost) : withoutRate
    return <p className={styles['fixed']}>{said}</p>
  }
  return (
    <Panel title={texts.none.fixed}>
      <div className={styles['card']}>
        {hasRate && (
          <HeroFigure label={common.names.fixedRate} tone="fixed">
            <Rate percent={price.effectiveApy} />
          </HeroFigure>
        )}
        <p>{withoutRate}</p>
        <p>
          <ButtonLink look="main" href="#/">
            {texts.seePositions}
          </ButtonLink>
        </p>
      </div>
    </Panel>
  )
}
