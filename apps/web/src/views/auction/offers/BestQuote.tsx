import type { AuctionState, Pool, QuoteStates } from '@firmquote/react'
import type { ReactNode } from 'react'
import { useTexts, useWords, type Words } from '../../../copy/words.ts'
import { priceAttributes } from '../../../fixing/offers/priceAttributes.ts'
import { Comparison } from '../../../fixing/outcome/Comparison.tsx'
import { acceptHref } from '../../../routes.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Amount, Rate } from '../../../ui/figures.tsx'
import { HeroFigure } from '../../../ui/HeroFigure.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { StickyBar } from '../../../ui/StickyBar.tsx'
import { Countdown } from '../Countdown.tsx'
import { allAnswered } from '../outcome.ts'
import styles from './BestQuote.module.css'
import type { JudgedOffer } from './judgeOffers.ts'
import { priceOf } from './prices.ts'

/**
 * The best quote or combination so far: its rate, its cost compared with the variable rate, and a button to take it.
 * While the auction is open, better quotes replace it without moving anything else.
 */
export function BestQuote(props: {
  auction: AuctionState
  pool: Pool
  /** Empty until the first quote arrives. */
  best: readonly JudgedOffer[]
  /** The unfixed part of the request, in raw units. */
  rest: bigint
  states: QuoteStates
  nowSeconds: number
  /** A link to a cheaper published quote. */
  rival: ReactNode
}) {
  const { auction, pool, best, rest, states, nowSeconds, rival } = props
  const words = useWords()
  const { texts, formats } = words
  const { quotes } = texts.auction
  const { loanToken: token } = pool
  const isOpen = auction.status === 'open'
  const price = priceOf(
    auction,
    best.map(({ collected }) => collected),
  )
  const isChecked = price !== null && best.every(({ basis }) => basis !== 'none')
  const [hash, ...others] = best.map(({ collected }) => collected.hash)
  const standing = isChecked && hash ? ([hash, ...others] as const) : 'seen'
  const advice = adviceOf(auction, { best, isChecked, isSilent: states.source === 'unknown', nowSeconds }, words)
  const size = <Amount value={price?.notional ?? rest} token={token} />
  const rate = price && formats.rate(price.effectiveApy)
  return (
    <Panel title={quotes.rate}>
      <div className={styles['card']}>
        <div className={styles['stage']}>
          <HeroFigure
            label={best.length > 1 ? quotes.combined(best.length, size) : quotes.forSize(size)}
            {...(price && { data: priceAttributes(price, standing) })}
            {...(isChecked && { tone: 'fixed' })}
            note={quotes.against(<Rate percent={pool.floating.apy} tone="floating" />)}
          >
            {price ? (
              <span key={rate} className={styles['arriving']}>
                <Rate percent={price.effectiveApy} />
              </span>
            ) : (
              <span aria-hidden="true">{texts.common.waiting}</span>
            )}
          </HeroFigure>
          {isOpen && <Countdown openedAt={auction.openedAt} closesAt={auction.closesAt} />}
        </div>
        {price && price.notional < rest && <p>{quotes.part(<Amount value={rest - price.notional} token={token} />)}</p>}
        <div className={styles['comparison']}>
          {price && price.expiry > price.from && (
            <Comparison key={hash} price={price} pool={pool} standing={standing} />
          )}
        </div>
        <Basis states={states} />
        {rival}
      </div>
      <StickyBar
        summary={
          <p key={isOpen ? advice : 'closed'} className={styles['advice']}>
            {advice}
          </p>
        }
      >
        <TakeButton
          label={rate === null ? quotes.fix : (isOpen && !allAnswered(auction) ? quotes.fixAtNow : quotes.fixAt)(rate)}
          href={isChecked && hash ? acceptHref(auction.rfqId, hash, togetherOf(auction, best)) : null}
        />
      </StickyBar>
    </Panel>
  )
}

function TakeButton({ label, href }: { label: string; href: string | null }) {
  const look = { look: 'main', className: styles['take'] } as const
  // A new element for each label: text that moves counts as a layout shift.
  const text = <span key={label}>{label}</span>
  if (href === null) {
    return (
      <Button {...look} disabled>
        {text}
      </Button>
    )
  }
  return (
    <ButtonLink {...look} href={href}>
      {text}
    </ButtonLink>
  )
}

/** Whether to wait for better quotes, or how long the best one can be taken. */
function adviceOf(
  auction: AuctionState,
  at: { best: readonly JudgedOffer[]; isChecked: boolean; isSilent: boolean; nowSeconds: number },
  { texts, formats }: Words,
): string {
  const { live, quotes } = texts.auction
  const [first] = at.best
  if (!first) return auction.backers === 0 ? live.noMakers : allAnswered(auction) ? live.allNone : live.none
  if (!at.isChecked) return at.isSilent ? quotes.notChecked : quotes.checking
  const { progress } = auction
  if (auction.status === 'open') return progress ? live.progress(progress.answered, progress.expected) : live.wait
  const deadline = Number(first.collected.quote.deadline)
  return quotes.validFor(formats.duration(deadline - at.nowSeconds), formats.clock(deadline))
}

/** This view shows how much a quote leaves unfixed, so continuing counts as consent to a partial take. */
function togetherOf({ notional }: AuctionState, best: readonly JudgedOffer[]) {
  const [first] = best
  return first && first.collected.quote.notional < notional ? best.map(({ collected }) => collected.hash) : []
}

/** Says who checked the quotes. Renders nothing if this app checked them against the latest block. */
function Basis({ states }: { states: QuoteStates }) {
  const { quotes } = useTexts().auction
  if (states.source !== 'service') return null
  return <p className={styles['quiet']}>{states.wallet === 'none' ? quotes.byService : quotes.byServiceElsewhere}</p>
}
