import type { Pool, QuoteStates, Token } from '@firmquote/react'
import type { RFQResult } from '@firmquote/sdk'
import { useTexts, useWords } from '../../../copy/words.ts'
import { priceAttributes } from '../../../fixing/offers/priceAttributes.ts'
import { Comparison } from '../../../fixing/outcome/Comparison.tsx'
import { acceptHref } from '../../../routes.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Amount, Rate } from '../../../ui/figures.tsx'
import { HeroFigure } from '../../../ui/HeroFigure.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { StickyBar } from '../../../ui/StickyBar.tsx'
import styles from '../AuctionView.module.css'
import type { JudgedOffer } from './judgeOffers.ts'
import { OfferRow } from './OtherOffers.tsx'
import { priceOf } from './prices.ts'

/** The best offer or combination: its rate, its cost compared with floating, and a link to take it. */
export function BestOffer(props: {
  auction: RFQResult
  pool: Pool
  /** Not empty. */
  best: readonly JudgedOffer[]
  /** The unfixed part of the request, in raw units. */
  rest: bigint
  states: QuoteStates
  nowSeconds: number
}) {
  const { auction, pool, best, rest, states, nowSeconds } = props
  const { texts, formats } = useWords()
  const { common, auction: auctionTexts } = texts
  const { offers } = auctionTexts
  const { loanToken: token } = pool
  const [first] = best
  const price = priceOf(
    auction,
    best.map(({ collected }) => collected),
  )
  if (!first || !price) return null
  const isChecked = best.every(({ basis }) => basis !== 'none')
  const hashes = best.map(({ collected }) => collected.hash)
  const [, ...others] = hashes
  // This view shows how much an offer leaves unfixed, so continuing counts as consent to a partial take.
  const together = first.collected.quote.notional < auction.notional ? hashes : []
  const standing = isChecked ? ([first.collected.hash, ...others] as const) : 'seen'
  const deadline = Number(first.collected.quote.deadline)
  return (
    <Panel title={offers.best}>
      <div className={styles['card']}>
        <HeroFigure
          label={common.names.fixedRate}
          data={priceAttributes(price, standing)}
          {...(isChecked && { tone: 'fixed' })}
          note={offers.holdsFor(<Amount value={price.notional} token={token} />, formats.day(auction.expiry))}
        >
          <Rate percent={price.effectiveApy} />
        </HeroFigure>
        <Coverage rest={rest} token={token} fixes={price.notional} count={best.length} />
        {best.length > 1 && (
          <ul className={styles['rows']}>
            {best.map((row) => (
              <OfferRow key={row.collected.hash} auction={auction} row={row} token={token} />
            ))}
          </ul>
        )}
        {price.expiry > price.from && <Comparison price={price} pool={pool} standing={standing} />}
        <Basis states={states} />
        <StickyBar
          summary={
            isChecked
              ? offers.validFor(formats.duration(deadline - nowSeconds), formats.clock(deadline))
              : states.source === 'unknown'
                ? offers.notChecked
                : offers.checking
          }
        >
          {isChecked && (
            <ButtonLink look="main" href={acceptHref(auction.rfqId, first.collected.hash, together)}>
              {offers.review}
            </ButtonLink>
          )}
        </StickyBar>
      </div>
    </Panel>
  )
}

/** How much of the unfixed part the offers cover. Renders nothing if one offer covers all of it. */
function Coverage({ rest, token, fixes, count }: { rest: bigint; token: Token; fixes: bigint; count: number }) {
  const { offers } = useTexts().auction
  const part = <Amount value={fixes} token={token} />
  const all = <Amount value={rest} token={token} />
  const isAll = fixes >= rest
  if (count === 1) return isAll ? null : <p>{offers.part(part, all)}</p>
  return <p>{isAll ? offers.several(count) : offers.severalPart(count, part, all)}</p>
}

/** What the offers were checked against. Renders nothing if the offers were checked against the latest block. */
function Basis({ states }: { states: QuoteStates }) {
  const { offers } = useTexts().auction
  if (states.source !== 'service') return null
  return <p className={styles['state']}>{states.wallet === 'none' ? offers.byService : offers.byServiceElsewhere}</p>
}
