import type { Pool } from '@firmquote/react'
import type { RFQResult } from '@firmquote/sdk'
import type { ReactNode } from 'react'
import { marketName } from '../../copy/marketName.ts'
import { useWords, type Words } from '../../copy/words.ts'
import { effectiveApyOf } from '../../fixing/outcome/effectiveApy.ts'
import { AddressLink } from '../../ui/AddressLink.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Amount, Maturity, Time } from '../../ui/figures.tsx'
import styles from './AuctionView.module.css'

/** A collapsed section with the requested terms. `limit` is the maximum cost of the whole amount, in raw units. */
export function AskedTerms({ auction, pool, limit }: { auction: RFQResult; pool: Pool; limit: bigint }) {
  const words = useWords()
  const { common, auction: texts } = words.texts
  const { asked } = texts
  return (
    <Disclosure title={asked.title} note={marketName(pool, words)}>
      <dl className={styles['terms']}>
        <Term name={common.names.until}>
          <Maturity expiry={auction.expiry} />
        </Term>
        <Term name={asked.limit}>
          <Amount value={limit} token={pool.loanToken} />
          <span className={styles['small']}>{limitWords(auction, limit, words)}</span>
        </Term>
        <Term name={asked.validFor}>
          {auction.taker ? <AddressLink address={auction.taker} /> : asked.anyone}
          {auction.taker && <span className={styles['small']}>{asked.accountAlone}</span>}
        </Term>
        <Term name={asked.makers}>
          {common.makers(auction.backers)}
          <span className={styles['small']}>
            <Time at={auction.openedAt} />
          </span>
        </Term>
      </dl>
    </Disclosure>
  )
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function limitWords(
  { notional, maxVrtAmount, expiry, openedAt }: RFQResult,
  limit: bigint,
  { texts, formats }: Words,
): string | null {
  const { asked } = texts.auction
  const at = Math.floor(openedAt / 1000)
  const isByPage = maxVrtAmount === undefined
  if (expiry <= at) return isByPage ? asked.limitEnded : null
  const rate = formats.rate(effectiveApyOf({ notional, vrtAmount: limit }, expiry, at))
  return isByPage ? asked.limitByPage(rate) : asked.limitIs(rate)
}
