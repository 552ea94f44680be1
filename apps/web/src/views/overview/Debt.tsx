import { useState } from 'react'
import { auctionFormHref, quoteHref } from '../../routes.ts'
import { floatingCost } from '../../service/floatingCost.ts'
import { poolName } from '../../service/poolName.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Choice } from '../../ui/Field.tsx'
import { Amount, formatDay, Rate, Time } from '../../ui/figures.tsx'
import { Skeleton } from '../../ui/Loaded.tsx'
import { Tag } from '../../ui/Tag.tsx'
import { compareRates } from './compareRates.ts'
import styles from './entries.module.css'
import type { DebtRow } from './joinDebts.ts'
import { bestOfSeries, type Offer, offerApr, offerCost } from './offers.ts'
import { protocolName } from './protocolName.ts'
import type { KnownOffers } from './useOffers.ts'

/** One debt: what is owed, what it costs as it is, what it would cost fixed, and the way there. */
export function Debt({ row, offers, now }: { row: DebtRow; offers: KnownOffers; now: number }) {
  const { pool, floats, fixed, owed } = row
  const { loanToken: token, floating, poolId } = pool
  const [chosen, choose] = useState<string>()
  const series = pool.series.find(({ seriesKey }) => seriesKey === (chosen ?? row.best?.seriesKey))
  const offered = series && offers.bySeries.get(series.seriesKey)
  const best = offered && bestOfSeries(offered)
  const firm = offered?.firm
  return (
    <article className={styles['entry']}>
      <header className={styles['name']}>
        <h3>{poolName(pool)}</h3>
        <span className={styles['note']}>on {protocolName(row.protocol)}</span>
      </header>
      <dl className={styles['figures']}>
        <div>
          <dt>You owe</dt>
          <dd className={styles['big']}>
            <Amount value={owed} token={token} />
          </dd>
          <dd className={styles['note']}>with interest until now</dd>
        </div>
        <div>
          <dt>Floating today</dt>
          <dd className={styles['big']}>
            <Rate percent={floating.apr} tone="floating" />
          </dd>
          <dd className={styles['note']}>
            <Amount value={row.yearlyCost} token={token} /> a year if it stays there
          </dd>
        </div>
        <div>
          <dt>{chosen !== undefined ? 'Fixed rate' : offers.error ? 'Best known fixed rate' : 'Best fixed rate'}</dt>
          {best ? <BestRate offer={best} /> : <NoRate offers={offers} />}
        </div>
      </dl>
      {floats > 0n && pool.series.length > 1 && (
        <Choice
          legend="Maturity"
          options={pool.series.map(({ seriesKey, expiry }) => ({ value: seriesKey, label: formatDay(expiry) }))}
          value={series?.seriesKey ?? ''}
          onChange={choose}
        />
      )}
      {best && floats > 0n && <Comparison row={row} offer={best} now={now} />}
      {fixed > 0n && <FixedShare row={row} />}
      <p className={styles['actions']}>
        <ButtonLink
          look={floats > 0n ? 'main' : 'plain'}
          href={auctionFormHref({
            poolId,
            ...(series && { seriesKey: series.seriesKey }),
            ...(floats > 0n && { notional: floats }),
          })}
        >
          {best && floats > 0n ? 'Fix this rate' : 'Ask for quotes'}
        </ButtonLink>
        {firm && floats > 0n && (
          <a href={quoteHref(firm.hash)}>
            Best firm quote: <Rate percent={offerApr(firm)} />, <Amount cost value={firm.vrtAmount} token={token} /> for{' '}
            <Amount value={firm.notional} token={token} /> until {formatDay(firm.expiry)}
          </a>
        )}
      </p>
    </article>
  )
}

function BestRate({ offer }: { offer: Offer }) {
  return (
    <>
      <dd className={styles['big']}>
        <Rate percent={offerApr(offer)} {...(offer.kind === 'firm' && { tone: 'fixed' })} />
      </dd>
      <dd className={styles['note']}>
        <Tag tone={offer.kind}>{offer.kind}</Tag> until {formatDay(offer.expiry)}
        {offer.kind === 'indicative' && (
          <>
            , seen <Time at={offer.at * 1000} />
          </>
        )}
      </dd>
    </>
  )
}

function NoRate({ offers }: { offers: KnownOffers }) {
  // The view says why, once.
  if (offers.error) return <dd>Not known at the moment.</dd>
  if (offers.pending) {
    return (
      <dd>
        <Skeleton rows={1} what="fixed rates" />
      </dd>
    )
  }
  return <dd>Nobody has quoted lately. An auction takes 15 seconds and binds you to nothing.</dd>
}

function Comparison({ row, offer, now }: { row: DebtRow; offer: Offer; now: number }) {
  const { floats, pool } = row
  const { loanToken: token, floating } = pool
  return (
    <p>
      That is {compareRates(offerApr(offer), floating.apr)}. Fixing <Amount value={floats} token={token} /> at this rate
      until {formatDay(offer.expiry)} costs{' '}
      <strong>
        <Amount cost value={offerCost(offer, floats, now)} token={token} />
      </strong>{' '}
      in total; floating costs{' '}
      <Amount value={floatingCost(floats, floating.ratePerSec, offer.expiry - now)} token={token} /> in that time if it
      stays where it is.
    </p>
  )
}

function FixedShare({ row: { fixed, floats, owed, pool } }: { row: DebtRow }) {
  const { loanToken: token } = pool
  const percent = owed === 0n || fixed > owed ? 100 : Number((fixed * 1000n) / owed) / 10
  return (
    <div className={styles['share']}>
      <div className={styles['bar']} aria-hidden="true">
        <span style={{ width: `${percent}%` }} />
      </div>
      <p className={styles['note']}>
        <Amount value={fixed} token={token} /> fixed already
        {floats > 0n ? (
          <>
            , <Amount value={floats} token={token} /> still floating.
          </>
        ) : (
          ': all of this debt.'
        )}
      </p>
    </div>
  )
}
