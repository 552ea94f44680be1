import type { Pool } from '@firmquote/react'
import type { RFQResult } from '@firmquote/sdk'
import type { ReactNode } from 'react'
import { explainRejection } from '../../../copy/explainRejection.ts'
import { useWords } from '../../../copy/words.ts'
import { priceAttributes } from '../../../fixing/offers/priceAttributes.ts'
import { acceptHref, makerHref } from '../../../routes.ts'
import { Amount, Rate, ShortAddress } from '../../../ui/figures.tsx'
import { Section } from '../../../ui/Panel.tsx'
import type { JudgedOffers } from './judgeOffers.ts'
import styles from './Ladder.module.css'
import { ladderOf, type Rung } from './ladderOf.ts'
import { apyOf } from './prices.ts'

/** One row per quote, best first, and empty rows for makers that may still answer. */
export function Ladder({ auction, pool, judged }: { auction: RFQResult; pool: Pool; judged: JudgedOffers }) {
  const { texts } = useWords()
  const { names } = texts.common
  const { quotes } = texts.auction
  const { rungs, waiting, more } = ladderOf(auction, judged)
  if (rungs.length + waiting + more === 0) return null
  const rows: readonly (Rung | null)[] = [...rungs, ...Array.from({ length: waiting }, () => null)]
  return (
    <Section title={quotes.title} {...(more > 0 && { aside: <p className={styles['quiet']}>{quotes.more(more)}</p> })}>
      <table className={styles['ladder']}>
        <thead>
          <tr>
            <th scope="col">{names.fixedRate}</th>
            <th scope="col">{quotes.cost}</th>
            <th scope="col">{names.size}</th>
            <th scope="col" className="unseen">
              {names.maker}
            </th>
            <th scope="col" className="unseen">
              {quotes.status}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((rung, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their places, so that a new quote moves none
            <Row key={index} rung={rung} auction={auction} pool={pool} count={judged.best.length} />
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function Row(props: { rung: Rung | null; auction: RFQResult; pool: Pool; count: number }) {
  const { rung, auction, pool, count } = props
  const { texts } = useWords()
  const { loanToken: token } = pool
  if (!rung) {
    return (
      <tr className={styles['empty']}>
        <td>
          <span aria-hidden="true">{texts.common.waiting}</span>
        </td>
        <td />
        <td />
        <td />
        <td>{texts.auction.quotes.waiting}</td>
      </tr>
    )
  }
  const { standing, offer } = rung
  const { hash, quote } = offer.collected
  const isFirm = offer.rejection === null && offer.basis !== 'none'
  const price = { notional: quote.notional, cost: quote.vrtAmount, expiry: auction.expiry }
  return (
    <tr className={styles[standing]} {...priceAttributes(price, isFirm ? [hash] : 'seen')}>
      {/* New elements for each quote, because moving text counts as a layout shift. */}
      <td>
        <span key={hash}>
          <Rate percent={apyOf(auction, offer.collected)} {...(isFirm && { tone: 'fixed' })} />
        </span>
      </td>
      <td>
        <span key={hash}>
          <Amount cost value={quote.vrtAmount} token={token} />
        </span>
      </td>
      <td>
        <span key={hash}>
          <Amount value={quote.notional} token={token} />
        </span>
      </td>
      <td>
        <a href={makerHref(quote.maker)}>
          <ShortAddress address={quote.maker} />
        </a>
      </td>
      <td>
        <Status key={`${hash} ${standing}`} rung={rung} auction={auction} pool={pool} count={count} />
      </td>
    </tr>
  )
}

function Status({
  rung,
  auction,
  pool,
  count,
}: {
  rung: Rung
  auction: RFQResult
  pool: Pool
  count: number
}): ReactNode {
  const words = useWords()
  const { quotes } = words.texts.auction
  const { standing, offer } = rung
  switch (standing) {
    case 'best':
      return <strong>{count > 1 ? quotes.bestOf(count) : quotes.best}</strong>
    case 'combined':
      return quotes.combinedToo
    case 'takeable':
      return (
        <>
          {quotes.takeable} ·{' '}
          <a
            href={acceptHref(auction.rfqId, offer.collected.hash)}
            aria-label={quotes.reviewOf(words.formats.rate(apyOf(auction, offer.collected)))}
          >
            {quotes.review}
          </a>
        </>
      )
    case 'checking':
      return quotes.checking
    case 'taken':
      return quotes.taken
    case 'cannot':
      return offer.rejection && explainRejection(offer.rejection, pool.loanToken, words)
  }
}
