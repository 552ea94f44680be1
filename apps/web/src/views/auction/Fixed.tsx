import type { Pool } from '@firmquote/react'
import type { CollectedQuote, RFQResult } from '@firmquote/sdk'
import { useTexts } from '../../copy/words.ts'
import { positionsHref } from '../../routes.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Amount, Rate } from '../../ui/figures.tsx'
import { HeroFigure } from '../../ui/HeroFigure.tsx'
import { Panel } from '../../ui/Panel.tsx'
import styles from './AuctionView.module.css'
import { priceOf } from './offers/prices.ts'

/** How much of the request is fixed, and at what rate. Links to the positions if everything is fixed. */
export function Fixed(props: { auction: RFQResult; pool: Pool; taken: readonly CollectedQuote[]; isAll: boolean }) {
  const { auction, pool, taken, isAll } = props
  const { quotes: texts } = useTexts().auction
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
          <HeroFigure label={texts.rate} tone="fixed">
            <Rate percent={price.effectiveApy} />
          </HeroFigure>
        )}
        <p>{withoutRate}</p>
        <p>
          <ButtonLink look="main" href={positionsHref}>
            {texts.seePositions}
          </ButtonLink>
        </p>
      </div>
    </Panel>
  )
}
