import type { Pool } from '@firmquote/react'
import type { ReactNode } from 'react'
import { explainHalt } from '../../copy/explainHalt.ts'
import { marketName } from '../../copy/marketName.ts'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { useWords } from '../../copy/words.ts'
import { priceAttributes, standingOf } from '../../fixing/offers/priceAttributes.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { curveHref, fixHref, historyHref } from '../../routes.ts'
import { Amount, Maturity, Rate } from '../../ui/figures.tsx'
import { EmptyState, Notice } from '../../ui/Notice.tsx'
import { Section } from '../../ui/Panel.tsx'
import { type Column, Table, type TableOrder } from '../../ui/Table.tsx'
import styles from './Market.module.css'
import { type MarketRow, marketRows, sortRows } from './marketRows.ts'

/** A market: its variable rate, its limits, and each term's price for a size in raw units. */
export function Market(props: {
  pool: Pool
  size: bigint
  offers: KnownOffers
  now: number
  order: TableOrder
  onOrder: (order: TableOrder) => void
}) {
  const { pool, size, offers, now, order, onOrder } = props
  const words = useWords()
  const { formats, texts } = words
  const { common } = texts
  const { markets } = useRatesTexts()
  const { loanToken: token, floating, poolId, lltv, utilization } = pool
  const name = marketName(pool, words)
  const rows = marketRows(pool, offers.bySeries, { wanted: size, now })
  const halts = new Set(rows.flatMap(({ series: { halted } }) => (halted ? explainHalt(halted.message, words) : [])))
  const depth = rows.reduce((sum, row) => sum + row.depth, 0n)
  const facts: [label: string, value: ReactNode, meaning?: string][] = [
    [markets.variable, <Rate key="rate" percent={floating.apy} tone="floating" />],
    ...(lltv === undefined
      ? []
      : [[markets.lltv, formats.share(lltv, 10n ** 18n), markets.lltvIs] satisfies [string, string, string]]),
    ...(utilization === undefined
      ? []
      : [
          [markets.utilization, formats.rate(utilization, 1), markets.utilizationIs] satisfies [string, string, string],
        ]),
    [markets.depth, <Amount key="depth" value={depth} token={token} />, markets.depthIs],
  ]
  const columns: Column<MarketRow>[] = [
    {
      heading: common.names.until,
      sort: 'maturity',
      cell: ({ series: { expiry } }) => <Maturity expiry={expiry} />,
    },
    {
      heading: markets.rate,
      figure: true,
      sort: 'rate',
      cell: (row) => <RateCell row={row} pool={pool} offers={offers} wanted={size} />,
    },
    {
      heading: common.names.totalCost,
      figure: true,
      sort: 'cost',
      cell: ({ price, series: { expiry } }) =>
        price && (
          <span {...priceAttributes({ ...price, expiry }, standingOf(price))}>
            {price.kind === 'firm' ? (
              <Amount bare cost value={price.cost} token={token} />
            ) : (
              markets.about(<Amount bare about value={price.cost} token={token} />)
            )}
          </span>
        ),
    },
    {
      heading: markets.against,
      figure: true,
      extra: true,
      cell: ({ price, difference }) => {
        if (price === null || difference === null) return null
        if (difference === 0n) return markets.same
        const isEstimate = price.kind === 'estimate'
        const size = difference < 0n ? -difference : difference
        const shown = <Amount bare about={isEstimate} value={size} token={token} />
        return (difference > 0n ? markets.more : markets.less)(isEstimate ? markets.about(shown) : shown)
      },
    },
    {
      heading: markets.depth,
      figure: true,
      sort: 'depth',
      cell: ({ depth }) => <Amount bare value={depth} token={token} />,
    },
    {
      heading: markets.capacity,
      figure: true,
      extra: true,
      cell: ({ series: { capacity } }) => <Amount bare value={capacity} token={token} />,
    },
    {
      heading: common.names.action,
      silent: true,
      figure: true,
      cell: ({ series: { seriesKey, expiry, halted }, fixable, price }) => {
        if (halted && price?.kind !== 'firm') return null
        const draft = { poolId, seriesKey, notional: fixable.amount > 0n ? fixable.amount : size }
        const [text, label] =
          price?.kind === 'firm' ? [markets.fix, markets.fixOf] : [common.askForOffers, markets.askOf]
        return (
          <a className={styles['row']} href={fixHref(draft)} aria-label={label(name, formats.day(expiry))}>
            {text}
          </a>
        )
      },
    },
  ]
  return (
    <Section
      title={name}
      aside={
        <p className={styles['ways']}>
          <a href={curveHref({ poolId, size })} aria-label={markets.curveOf(name)}>
            {markets.curve}
          </a>
          <a href={historyHref({ poolId })} aria-label={markets.recentOf(name)}>
            {markets.recent}
          </a>
        </p>
      }
    >
      <dl className={styles['facts']}>
        {facts.map(([label, value, meaning]) => (
          <div key={label} title={meaning}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {[...halts].map((text) => (
        <Notice key={text} tone="warning">
          {text}
        </Notice>
      ))}
      {rows.length === 0 ? (
        <EmptyState title={markets.noTerms}>{markets.noTermsWhy}</EmptyState>
      ) : (
        <div className={styles['terms']}>
          <Table
            caption={markets.caption(name, formats.withSymbol(formats.amount(size, token), token))}
            columns={columns}
            rows={sortRows(rows, order)}
            keyOf={({ series }) => series.seriesKey}
            order={order}
            onOrder={onOrder}
          />
        </div>
      )}
    </Section>
  )
}

/** A term's rate for the size, or for as much of it as fits, which the cell then shows. */
function RateCell(props: { row: MarketRow; pool: Pool; offers: KnownOffers; wanted: bigint }) {
  const { row, pool, offers, wanted } = props
  const { price, fixable, series } = row
  const { markets } = useRatesTexts()
  const { common } = useWords().texts
  if (price === null) {
    const known = series.halted ? markets.paused : fixable.limit === 'most' ? markets.full : markets.noRate
    return (
      <span className={styles['none']}>
        {offers.pending ? common.waiting : offers.error ? markets.notKnown : known}
      </span>
    )
  }
  const isFirm = price.kind === 'firm'
  const rate = <Rate percent={price.effectiveApy} {...(isFirm ? { tone: 'fixed' } : { about: true })} />
  return (
    <span {...priceAttributes({ ...price, expiry: series.expiry }, standingOf(price))}>
      {isFirm ? rate : markets.about(rate)}
      {price.notional !== wanted && (
        <span className={styles['note']}>
          {markets.forSize(<Amount value={price.notional} token={pool.loanToken} />)}
        </span>
      )}
    </span>
  )
}
