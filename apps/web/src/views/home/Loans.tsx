import type { Pool } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { marketName } from '../../copy/marketName.ts'
import { useWords } from '../../copy/words.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { Notice } from '../../ui/Notice.tsx'
import { joinLoans } from './joinLoans.ts'
import { LoanCard } from './LoanCard.tsx'

/** A card for each of an account's loans. */
export function Loans(props: { account: AccountPositions; pools: readonly Pool[]; offers: KnownOffers; now: number }) {
  const { account, pools, offers, now } = props
  const words = useWords()
  const { loans, noMarkets } = words.texts.home
  const rows = joinLoans(account, pools, now)
  if (rows.length === 0) {
    const markets = pools.map((pool) => marketName(pool, words))
    return (
      <Notice title={loans.none}>
        <p>{markets.length === 0 ? noMarkets : loans.offeredFor(words.formats.list(markets))}</p>
      </Notice>
    )
  }
  return rows.map((loan) => <LoanCard key={loan.pool.poolId} loan={loan} offers={offers} now={now} />)
}
