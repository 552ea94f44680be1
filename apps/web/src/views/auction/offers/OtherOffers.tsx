import type { Pool, Token } from '@firmquote/react'
import type { RFQResult } from '@firmquote/sdk'
import type { ReactNode } from 'react'
import { explainRejection } from '../../../copy/explainRejection.ts'
import { useTexts, useWords } from '../../../copy/words.ts'
import { priceAttributes } from '../../../fixing/offers/priceAttributes.ts'
import { acceptHref } from '../../../routes.ts'
import { AddressLink } from '../../../ui/AddressLink.tsx'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { Amount, Rate } from '../../../ui/figures.tsx'
import styles from '../AuctionView.module.css'
import type { JudgedOffer } from './judgeOffers.ts'
import { apyOf } from './prices.ts'

type Rows = { auction: RFQResult; pool: Pool; rows: readonly JudgedOffer[] }

/** A collapsed list of takeable offers other than the best. */
export function OtherOffers({ auction, pool, rows }: Rows) {
  const { offers } = useTexts().auction
  if (rows.length === 0) return null
  return (
    <Disclosure title={offers.others(rows.length)}>
      <ul className={styles['rows']} aria-label={offers.caption}>
        {rows.map((row) => (
          <OfferRow key={row.collected.hash} auction={auction} row={row} token={pool.loanToken}>
            {row.basis !== 'none' && (
              <ButtonLink href={acceptHref(auction.rfqId, row.collected.hash)}>{offers.reviewOther}</ButtonLink>
            )}
          </OfferRow>
        ))}
      </ul>
    </Disclosure>
  )
}

/** A collapsed list of offers that cannot be taken, each with the reason. */
export function RefusedOffers({ auction, pool, rows }: Rows) {
  const words = useWords()
  const { offers } = words.texts.auction
  if (rows.length === 0) return null
  return (
    <Disclosure title={offers.cannot(rows.length)}>
      <ul className={styles['rows']} aria-label={offers.cannot(rows.length)}>
        {rows.map((row) => (
          <OfferRow key={row.collected.hash} auction={auction} row={row} token={pool.loanToken}>
            {row.rejection && (
              <p className={styles['reason']}>{explainRejection(row.rejection, pool.loanToken, words)}</p>
            )}
          </OfferRow>
        ))}
      </ul>
    </Disclosure>
  )
}

/** An offer's rate, cost, amount (if partial) and maker. */
export function OfferRow(props: { auction: RFQResult; row: JudgedOffer; token: Token; children?: ReactNode }) {
  const { auction, row, token, children } = props
  const { offers } = useTexts().auction
  const { collected } = row
  const { quote } = collected
  const takeable = row.rejection === null && row.basis !== 'none'
  const price = { notional: quote.notional, cost: quote.vrtAmount, expiry: auction.expiry }
  return (
    <li className={styles['row']} {...priceAttributes(price, takeable ? [collected.hash] : 'seen')}>
      <div>
        <Rate percent={apyOf(auction, collected)} {...(takeable && { tone: 'fixed' })} />
        <p className={styles['small']}>
          <AddressLink address={quote.maker} />
        </p>
      </div>
      <div>
        <Amount cost value={quote.vrtAmount} token={token} />
        {quote.notional !== auction.notional && (
          <p className={styles['small']}>{offers.fixes(<Amount value={quote.notional} token={token} />)}</p>
        )}
      </div>
      {children}
    </li>
  )
}
