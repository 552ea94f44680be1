import type { Pool } from '@firmquote/react'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { useWords } from '../../copy/words.ts'
import { priceAttributes, standingOf } from '../../fixing/offers/priceAttributes.ts'
import { compareAtRate } from '../../fixing/outcome/comparison.ts'
import { fixHref, quoteHref } from '../../routes.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Amount, Maturity, Rate } from '../../ui/figures.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import type { CurvePoint } from './curvePoints.ts'

/** A table of the plot's points and all their figures. `now` is in Unix seconds. */
export function CurveTable(props: { points: readonly CurvePoint[]; pool: Pool; now: number }) {
  const { texts, formats } = useWords()
  const { common } = texts
  const { table } = useRatesTexts().curve
  const { points, pool, now } = props
  const { poolId, loanToken: token, floating } = pool
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
            table.about(<Rate percent={point.effectiveApy} about />)
          )}
        </span>
      ),
    },
    {
      heading: common.names.totalCost,
      figure: true,
      cell: (point) => (
        <span {...priceAttributes(point, standingOf(point))}>
          {point.kind === 'firm' ? (
            <Amount cost value={point.cost} token={token} />
          ) : (
            table.about(<Amount about value={point.cost} token={token} />)
          )}
        </span>
      ),
    },
    {
      heading: table.against,
      figure: true,
      extra: true,
      cell: (point) => {
        const { difference } = compareAtRate({ ...point, from: now }, floating.ratePerSec)
        if (difference === 0n) return table.same
        const isEstimate = point.kind === 'estimate'
        const shown = <Amount about={isEstimate} value={difference < 0n ? -difference : difference} token={token} />
        return (difference > 0n ? table.more : table.less)(isEstimate ? table.about(shown) : shown)
      },
    },
    {
      heading: table.median,
      figure: true,
      extra: true,
      cell: ({ median }) => median !== null && <Rate percent={median} about />,
    },
    {
      heading: common.names.action,
      silent: true,
      figure: true,
      cell: (point) =>
        point.kind === 'firm' ? (
          <ButtonLink
            href={quoteHref(point.hash, point.together)}
            aria-label={table.reviewOf(formats.day(point.expiry))}
          >
            {table.review}
          </ButtonLink>
        ) : (
          <ButtonLink
            href={fixHref({ poolId, seriesKey: point.seriesKey, notional: point.notional })}
            aria-label={table.askOf(formats.day(point.expiry))}
          >
            {common.askForOffers}
          </ButtonLink>
        ),
    },
  ]
  return <Table caption={table.caption} columns={columns} rows={points} keyOf={({ seriesKey }) => seriesKey} />
}
