import { auctionFormHref, quoteHref } from '../../routes.ts'
import { floatingCost } from '../../service/floatingCost.ts'
import { formatAmount } from '../../service/formatAmount.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Amount, formatDay, Maturity, Rate, Time } from '../../ui/figures.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Tag } from '../../ui/Tag.tsx'
import styles from './CurveTable.module.css'
import { type CurvePoint, pointKey } from './curvePoints.ts'
import { count } from './pointFacts.ts'

/** The points of the plot with all of their figures. `now` in Unix seconds. */
export function CurveTable(props: { points: readonly CurvePoint[]; pool: Pool; size: bigint; now: number }) {
  const { points, pool, size, now } = props
  const { poolId, loanToken: token, floating } = pool
  const columns: readonly Column<CurvePoint>[] = [
    { heading: 'Maturity', cell: ({ expiry }) => <Maturity expiry={expiry} /> },
    { heading: 'Kind', cell: ({ kind }) => <Tag tone={kind}>{kind}</Tag> },
    {
      heading: 'Fixed rate',
      figure: true,
      cell: ({ apr, kind }) => (kind === 'firm' ? <Rate percent={apr} tone="fixed" /> : <Rate percent={apr} />),
    },
    {
      heading: 'Total cost',
      figure: true,
      cell: ({ cost, notional, expiry }) => (
        <span className={styles['pair']}>
          <Amount cost value={cost} token={token} />
          <small>
            floating today: {formatAmount(floatingCost(notional, floating.ratePerSec, expiry - now), token)}
          </small>
        </span>
      ),
    },
    {
      heading: 'Size',
      figure: true,
      cell: ({ notional }) => (
        <span className={styles['pair']}>
          <Amount value={notional} token={token} />
          {notional < size && <small>{(notional * 100n) / size}% of the amount</small>}
        </span>
      ),
    },
    {
      heading: 'Depth',
      figure: true,
      cell: ({ depth }) => (
        <span className={styles['pair']}>
          <Amount value={depth.notional} token={token} />
          <small>
            {count(depth.quotes, 'quote')}, {count(depth.makers, 'maker')}
          </small>
        </span>
      ),
    },
    {
      heading: 'Age',
      figure: true,
      cell: ({ at, validUntil }) => (
        <span className={styles['pair']}>
          <Time at={at} />
          {validUntil !== undefined && (
            <small>
              ends <Time at={validUntil * 1000} />
            </small>
          )}
        </span>
      ),
    },
    {
      heading: 'Action',
      silent: true,
      figure: true,
      cell: ({ kind, hash, seriesKey, expiry }) =>
        kind === 'firm' ? (
          <ButtonLink href={quoteHref(hash)} aria-label={`Review quote of ${formatDay(expiry)}`}>
            Review quote
          </ButtonLink>
        ) : (
          <ButtonLink
            href={auctionFormHref({ poolId, seriesKey, notional: size })}
            aria-label={`Ask for quotes of ${formatDay(expiry)}`}
          >
            Ask for quotes
          </ButtonLink>
        ),
    },
  ]
  return (
    <Table
      caption="The points of the plot: fixed rate, cost, depth and age for each maturity"
      columns={columns}
      rows={points}
      keyOf={pointKey}
      faded={({ kind }) => kind === 'indicative'}
    />
  )
}
