import type { RFQObservation } from '@firmquote/sdk'
import { useState } from 'react'
import type { Hex } from 'viem'
import { type HistoryFilters, historyHref } from '../../routes.ts'
import { poolName } from '../../service/poolName.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { Button } from '../../ui/Button.tsx'
import { Amount, Maturity, Rate, ShortAddress, Time } from '../../ui/figures.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Tag } from '../../ui/Tag.tsx'
import styles from './HistoryView.module.css'
import { reasonWords } from './reasonWords.ts'

const pageSize = 25

type Row = { seen: RFQObservation; pool: Pool }

/** Observations as a table. One whose pool is not known yet is left out until it is: its amounts could not be read. */
export function ObservationTable(props: {
  rows: readonly RFQObservation[]
  pools: readonly Pool[]
  filters: HistoryFilters
}) {
  const [many, setMany] = useState(pageSize)
  const pools = new Map<Hex, Pool>(props.pools.map((pool) => [pool.poolId, pool]))
  const rows = props.rows.flatMap((seen): Row[] => {
    const pool = pools.get(seen.poolId)
    return pool ? [{ seen, pool }] : []
  })
  const columns: Column<Row>[] = [
    { heading: 'Seen', cell: ({ seen }) => <Time at={seen.observedAt} exact /> },
    { heading: 'Pool', cell: ({ pool }) => poolName(pool) },
    { heading: 'Maturity', cell: ({ seen }) => <Maturity expiry={seen.expiry} /> },
    { heading: 'Fixed rate', figure: true, cell: ({ seen }) => <Rate percent={seen.apr} /> },
    {
      heading: 'Total cost',
      figure: true,
      cell: ({ seen, pool }) => (
        <span>
          <Amount cost value={seen.vrtAmount} token={pool.loanToken} />
          <span className={styles['size']}>
            for <Amount value={seen.notional} token={pool.loanToken} />
          </span>
        </span>
      ),
    },
    {
      heading: 'Maker',
      cell: ({ seen: { maker } }) => (
        <a href={historyHref({ ...props.filters, maker })}>
          <ShortAddress address={maker} />
          <span className="unseen">: show only this maker</span>
        </a>
      ),
    },
    { heading: 'State', cell: ({ seen }) => <State seen={seen} /> },
  ]
  const shown = rows.slice(0, many)
  return (
    <>
      <Table
        caption="Quotes that auctions have seen lately"
        columns={columns}
        rows={shown}
        keyOf={({ seen }) => `${seen.rfqId} ${seen.hash}`}
        faded={({ seen }) => !seen.executable}
      />
      <p className={styles['foot']}>
        {shown.length} of {rows.length} {rows.length === 1 ? 'quote' : 'quotes'}, newest first
        {shown.length < rows.length && <Button onClick={() => setMany(many + pageSize)}>Show more</Button>}
      </p>
    </>
  )
}

function State({ seen: { executable, reason } }: { seen: RFQObservation }) {
  if (executable) return <Tag tone="indicative">still executable</Tag>
  return (
    <span>
      {reasonWords(reason ?? 'NOT_EXECUTABLE')}
      {reason !== undefined && <span className={styles['code']}>{reason}</span>}
    </span>
  )
}
