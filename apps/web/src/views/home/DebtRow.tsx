import type { Pool } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { useId, useState } from 'react'
import { marketName } from '../../copy/marketName.ts'
import { useWords } from '../../copy/words.ts'
import { loanHealth } from '../../fixing/debt/loanHealth.ts'
import { priceAttributes, standingOf } from '../../fixing/offers/priceAttributes.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import type { AuctionDraft } from '../../routes.ts'
import { Amount } from '../../ui/figures.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { DebtDetails } from './DebtDetails.tsx'
import styles from './DebtRow.module.css'
import { FixCard } from './FixCard.tsx'
import { fillForm, wantedIn } from './fillForm.ts'
import { fixPrices } from './fixPrices.ts'
import type { Loan } from './joinLoans.ts'

/** A debt: how much is owed and fixed, its rates and, when opened, the card that fixes the rest. */
export function DebtRow(props: {
  loan: Loan
  account: AccountPositions
  offers: KnownOffers
  /** When the prices were read, in Unix seconds. */
  now: number
  draft: AuctionDraft
  /** Whether the row is open until the visitor opens or closes it. */
  open: boolean
}) {
  const { loan, account, offers, now, draft } = props
  const { pool, debt, share } = loan
  const { loanToken: token } = pool
  const words = useWords()
  const { loans } = words.texts.home
  const [chosen, choose] = useState<boolean | null>(null)
  const isOpen = chosen ?? props.open
  const id = useId()
  const owed = <Amount value={share.owed} token={token} />
  return (
    <section className={styles['row']} aria-labelledby={id}>
      {/* The event also follows a change by this component. */}
      <details open={isOpen} onToggle={({ currentTarget: { open } }) => open !== isOpen && choose(open)}>
        <summary>
          <svg viewBox="0 0 16 16" width="16" aria-hidden="true">
            <path d="M6 4l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
          </svg>
          <h2 id={id}>{marketName(pool, words)}</h2>
          <span className={styles['owed']}>
            {share.fixed === 0n
              ? loans.owed(owed)
              : share.unfixed > 0n
                ? loans.partFixed(<Amount value={share.fixed} token={token} />, owed)
                : loans.fullyFixed(owed)}
          </span>
          {share.overfixed === 0n && <ShareBar share={share} />}
          {!isOpen && <Rates pool={pool} account={account} offers={offers} now={now} isFixed={share.unfixed === 0n} />}
        </summary>
        {/* A closed card would load what nobody sees. */}
        {isOpen && (
          <div className={styles['body']}>
            {share.unfixed > 0n && (
              <FixCard pools={[pool]} offers={offers} now={now} draft={draft} account={account} forDebt />
            )}
            {debt && <DebtDetails health={loanHealth(debt, pool)} token={token} />}
          </div>
        )}
      </details>
      {share.overfixed > 0n && (
        <Notice tone="warning">
          <p>{loans.overfixed(<Amount value={share.overfixed} token={token} />)}</p>
        </Notice>
      )}
    </section>
  )
}

/** How much of a debt is fixed, as a bar. The row says it in words. */
function ShareBar({ share: { owed, fixed, unfixed } }: Pick<Loan, 'share'>) {
  const percent = unfixed === 0n ? 100 : Number((fixed * 1000n) / owed) / 10
  return (
    <span className={styles['bar']} aria-hidden="true">
      <span style={{ width: `${percent}%` }} />
    </span>
  )
}

/** The variable rate today and the fixed rate of the usual term. */
function Rates(props: { pool: Pool; account: AccountPositions; offers: KnownOffers; now: number; isFixed: boolean }) {
  const { pool, account, offers, now, isFixed } = props
  const words = useWords()
  const { formats } = words
  const { loans, terms } = words.texts.home
  const { seriesKey } = fillForm({}, { pools: [pool], account, now, words })
  const wanted = wantedIn(pool, account, now)
  const term = wanted > 0n ? fixPrices(pool, offers.bySeries, { wanted, seriesKey, now }).term : undefined
  const price = isFixed ? null : (term?.price ?? null)
  return (
    <span className={styles['rates']}>
      <span className={styles['variable']}>{loans.variable(formats.rate(pool.floating.apy))}</span>
      {term && price && (
        <span
          className={styles['fixed']}
          {...priceAttributes({ ...price, expiry: term.series.expiry }, standingOf(price))}
        >
          {price.kind === 'firm'
            ? loans.fixed(formats.rate(price.effectiveApy))
            : terms.about(loans.fixed(formats.rate(price.effectiveApy, 1)))}
        </span>
      )}
    </span>
  )
}
