import type { Pool } from '@firmquote/react'
import type { RFQObservation } from '@firmquote/sdk'
import { useState } from 'react'
import type { Hex } from 'viem'
import { explainCode } from '../../copy/explainRejection.ts'
import { marketName } from '../../copy/marketName.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { effectiveApyOf } from '../../fixing/outcome/effectiveApy.ts'
import { type HistoryFilters, historyHref } from '../../routes.ts'
import { Button } from '../../ui/Button.tsx'
import { Amount, Rate, ShortAddress, Time } from '../../ui/figures.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import styles from './HistoryView.module.css'

const pageSize = 25

type Row = { seen: RFQObservation; pool: Pool }

/**
 * A table of observations. Omits observations from pools that are not loaded yet, because their units are unknown.
 */
export function ObservationTable(props: {
  rows: readonly RFQObservation[]
  pools: readonly Pool[]
  filters: HistoryFilters
}) {
  const words = useWords()
  const { common, history } = words.texts
  const [many, setMany] = useState(pageSize)
  const pools = new Map<Hex, Pool>(props.pools.map((pool) => [pool.poolId, pool]))
  const rows = props.rows.flatMap((seen): Row[] => {
    const pool = pools.get(seen.poolId)
    return pool ? [{ seen, pool }] : []
  })
  const columns: Column<Row>[] = [
    { heading: history.seen, cell: ({ seen }) => <Time at={seen.observedAt} /> },
    {
      heading: common.names.market,
      cell: ({ seen, pool }) => (
        <span className={styles['whole']}>
          {marketName(pool, words)}
          <span className={styles['under']}>{history.until(words.formats.day(seen.expiry))}</span>
        </span>
      ),
    },
    {
      heading: common.names.fixedRate,
      figure: true,
      cell: ({ seen }) => <Rate percent={effectiveApyOf(seen, seen.expiry, Math.floor(seen.observedAt / 1000))} />,
    },
    {
      heading: common.names.totalCost,
      figure: true,
      extra: true,
      cell: ({ seen, pool }) => (
        <span>
          <Amount cost value={seen.vrtAmount} token={pool.loanToken} />
          <span className={styles['under']}>
            {history.costFor(<Amount value={seen.notional} token={pool.loanToken} />)}
          </span>
        </span>
      ),
    },
    {
      heading: common.names.maker,
      extra: true,
      cell: ({ seen: { maker } }) => (
        <a href={historyHref({ ...props.filters, maker })}>
          <ShortAddress address={maker} />
          <span className="unseen">{history.onlyMaker}</span>
        </a>
      ),
    },
    { heading: history.state, cell: ({ seen }) => <State seen={seen} /> },
  ]
  const shown = rows.slice(0, many)
  return (
    <>
      <Table
        caption={history.caption}
        columns={columns}
        rows={shown}
        keyOf={({ seen }) => `${seen.rfqId} ${seen.hash}`}
        faded={({ seen }) => !seen.executable}
      />
      <p className={styles['foot']}>
        {history.counted(shown.length, rows.length)}
        {shown.length < rows.length && <Button onClick={() => setMany(many + pageSize)}>{history.more}</Button>}
      </p>
    </>
  )
}

function State({ seen: { executable, reason = 'NOT_EXECUTABLE' } }: { seen: RFQObservation }) {
  const texts = useTexts()
  return executable ? texts.history.holds : (explainCode(reason, texts) ?? texts.refusals.other)
}
