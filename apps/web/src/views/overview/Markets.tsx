import { secondsPerYear } from '@firmquote/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { auctionFormHref, historyHref, quoteHref } from '../../routes.ts'
import { floatingCost } from '../../service/floatingCost.ts'
import { poolName } from '../../service/poolName.ts'
import type { Pool, Series } from '../../service/serviceContext.ts'
import { Amount, formatDay, Maturity, Rate, Time } from '../../ui/figures.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Tag } from '../../ui/Tag.tsx'
import styles from './Markets.module.css'
import { type Offer, offerApr, offerCost } from './offers.ts'
import type { KnownOffers } from './useOffers.ts'

type Shown = { offers: KnownOffers; now: number }

/** Every pool with its floating rate, and what its series offer. */
export function Markets({ pools, offers, now }: Shown & { pools: UseQueryResult<Pool[]> }) {
  return (
    <Panel
      title="Markets"
      lead="Firm quotes can be taken. Indicative ones were seen in auctions of others and show what to expect."
    >
      <Loaded query={pools} what="markets" rows={8}>
        {(known) =>
          known.length === 0 ? (
            <EmptyState title="There is no market yet">A pool shows here as soon as one has been created.</EmptyState>
          ) : (
            <ul className={styles['markets']}>
              {known.map((pool) => (
                <li key={pool.poolId}>
                  <Market pool={pool} offers={offers} now={now} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

function Market({ pool, offers, now }: Shown & { pool: Pool }) {
  const { loanToken: token, floating, poolId } = pool
  const name = poolName(pool)
  const unit = 1_000n * 10n ** BigInt(token.decimals)
  const offerCell = (offer: Offer | undefined) =>
    offer ? <OfferCell offer={offer} cost={offerCost(offer, unit, now)} pool={pool} /> : <None offers={offers} />
  const columns: Column<Series>[] = [
    { heading: 'Maturity', cell: ({ expiry }) => <Maturity expiry={expiry} /> },
    {
      heading: 'Best firm quote',
      figure: true,
      cell: ({ seriesKey }) => offerCell(offers.bySeries.get(seriesKey)?.firm),
    },
    {
      heading: 'Seen in auctions',
      figure: true,
      cell: ({ seriesKey }) => offerCell(offers.bySeries.get(seriesKey)?.indicative),
    },
    { heading: 'Depth', figure: true, cell: ({ depth }) => <Depth depth={depth} pool={pool} /> },
    { heading: 'Room left', figure: true, cell: ({ capacity }) => <Amount value={capacity} token={token} /> },
    {
      heading: 'Ask',
      silent: true,
      figure: true,
      cell: ({ seriesKey, expiry }) => (
        <a
          href={auctionFormHref({ poolId, seriesKey })}
          aria-label={`Ask for quotes: ${name} until ${formatDay(expiry)}`}
        >
          Ask for quotes
        </a>
      ),
    },
  ]
  return (
    <article className={styles['market']}>
      <header className={styles['head']}>
        <h3>{name}</h3>
        <a href={historyHref({ poolId })} aria-label={`Recent quotes: ${name}`}>
          Recent quotes
        </a>
      </header>
      <p>
        Floating today: <Rate percent={floating.apr} tone="floating" />, which is{' '}
        <Rate percent={floating.apy} kind="APY" />; a debt of <Amount value={unit} token={token} /> costs{' '}
        <Amount value={floatingCost(unit, floating.ratePerSec, secondsPerYear)} token={token} /> a year.
      </p>
      {pool.series.length === 0 ? (
        <EmptyState title="No maturity can be chosen">All series of this pool have ended.</EmptyState>
      ) : (
        <Table
          caption={`Maturities of ${name}, with their fixed rates`}
          columns={columns}
          rows={pool.series}
          keyOf={({ seriesKey }) => seriesKey}
        />
      )}
    </article>
  )
}

function OfferCell({ offer, cost, pool }: { offer: Offer; cost: bigint; pool: Pool }) {
  const { loanToken: token } = pool
  return (
    <span>
      {offer.kind === 'firm' ? (
        <a href={quoteHref(offer.hash)}>
          <Rate percent={offerApr(offer)} tone="fixed" />
        </a>
      ) : (
        <Rate percent={offerApr(offer)} />
      )}{' '}
      <Tag tone={offer.kind}>{offer.kind}</Tag>
      <span className={styles['note']}>
        <Amount cost value={cost} token={token} /> for 1,000
        {offer.kind === 'indicative' && (
          <>
            , <Time at={offer.at * 1000} />
          </>
        )}
      </span>
    </span>
  )
}

function Depth({ depth, pool }: { depth: Series['depth']; pool: Pool }) {
  if (depth.quotes === 0) return <span className={styles['none']}>none</span>
  return (
    <span>
      <Amount value={depth.notional} token={pool.loanToken} />
      <span className={styles['note']}>
        in {depth.quotes} {depth.quotes === 1 ? 'quote' : 'quotes'}
      </span>
    </span>
  )
}

function None({ offers }: { offers: KnownOffers }) {
  if (offers.error) return <span className={styles['none']}>not known</span>
  return <span className={styles['none']}>{offers.pending ? '…' : 'none'}</span>
}
