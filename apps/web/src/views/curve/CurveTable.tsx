import type { Pool } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { priceAttributes, standingOf } from '../../fixing/offers/priceAttributes.ts'
import { compareAtRate } from '../../fixing/outcome/comparison.ts'
import { auctionFormHref, quoteHref } from '../../routes.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Amount, Maturity, Rate, Time } from '../../ui/figures.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Tag } from '../../ui/Tag.tsx'
import styles from './CurveTable.module.css'
import type { CurvePoint } from './curvePoints.ts'

/** A table of the plot's points and all their figures. `now` is in Unix seconds. */
export function CurveTable(props: { points: readonly CurvePoint[]; pool: Pool; now: number }) {
  const { texts, formats } = useWords()
  const { common, curve } = texts
  const { table } = curve
  const { points, pool, now } = props
  const { poolId, loanToken: token, floating } = pool
  const compare = (point: CurvePoint) => compareAtRate({ ...point, from: now }, floating.ratePerSec)
  const columns: readonly Column<CurvePoint>[] = [
    { heading: common.names.until, cell: ({ expiry }) => <Maturity expiry={expiry} /> },
    {
      heading: common.names.fixedRate,
      figure: true,
      cell: (point) => (
        <span {...priceAttributes(point, standingOf(point))}>
          {point.kind === 'firm' ? (
            <Rate percent={point.effectiveApy} tone="fixed" />
          ) : (
            <Rate percent={point.effectiveApy} />
          )}{' '}
          <Tag tone={point.kind === 'firm' ? 'firm' : 'indicative'}>{table[point.kind]}</Tag>
        </span>
      ),
    },
    {
      heading: common.names.totalCost,
      figure: true,
      cell: (point) => (
        <span className={styles['pair']}>
          <span {...priceAttributes(point, standingOf(point))}>
            {point.kind === 'firm' ? (
              <Amount cost value={point.cost} token={token} />
            ) : (
              table.about(<Amount cost value={point.cost} token={token} />)
            )}
          </span>
          <small>{table.floating(formats.amount(compare(point).floatingCost, token))}</small>
        </span>
      ),
    },
    {
      heading: table.against,
      figure: true,
      cell: (point) => {
        const { difference } = compare(point)
        const shown = <Amount value={difference < 0n ? -difference : difference} token={token} />
        if (difference === 0n) return table.same
        return <span className={styles['whole']}>{(difference > 0n ? table.more : table.less)(shown)}</span>
      },
    },
    {
      heading: table.from,
      figure: true,
      extra: true,
      cell: (point) => {
        // A firm rate always applies to the table's size.
        if (point.kind === 'firm') return table.published
        const { from, notional, at } = point.basis
        return (
          <span className={styles['pair']}>
            <span>{table.source[from](<Amount value={notional} token={token} />)}</span>
            {from === 'auction' && (
              <small>
                <Time at={at * 1000} />
              </small>
            )}
          </span>
        )
      },
    },
    {
      heading: common.names.action,
      silent: true,
      figure: true,
      cell: (point) =>
        point.kind === 'firm' ? (
          <ButtonLink href={quoteHref(point.hash)} aria-label={table.reviewOf(formats.day(point.expiry))}>
            {table.review}
          </ButtonLink>
        ) : (
          <ButtonLink
            href={auctionFormHref({ poolId, seriesKey: point.seriesKey, notional: point.notional })}
            aria-label={table.askOf(formats.day(point.expiry))}
          >
            {common.askForOffers}
          </ButtonLink>
        ),
    },
  ]
  return <Table caption={table.caption} columns={columns} rows={points} keyOf={({ seriesKey }) => seriesKey} />
}
