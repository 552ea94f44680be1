import type { Pool } from '@firmquote/react'
import type { RFQObservation } from '@firmquote/sdk'
import { useState } from 'react'
import type { Hex } from 'viem'
import { explainCode } from '../../copy/explainRejection.ts'
import { marketName } from '../../copy/marketName.ts'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { MakerLink } from '../../ui/AddressLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { Amount, Rate, Time } from '../../ui/figures.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { groupAuctions, type ObservedAuction, observedApy } from './groupAuctions.ts'
import styles from './HistoryView.module.css'

const pageSize = 25

type Row = ObservedAuction & { pool: Pool }

/**
 * A table of auctions with their best quotes, which expand to all of them. Omits auctions in pools that are not loaded
 * yet, because their units are unknown.
 */
export function AuctionTable(props: { rows: readonly RFQObservation[]; pools: readonly Pool[] }) {
  const words = useWords()
  const { common } = words.texts
  const { history } = useRatesTexts()
  const [many, setMany] = useState(pageSize)
  const pools = new Map<Hex, Pool>(props.pools.map((pool) => [pool.poolId, pool]))
  const rows = groupAuctions(props.rows).flatMap((auction): Row[] => {
    const pool = pools.get(auction.best.poolId)
    return pool ? [{ ...auction, pool }] : []
  })
  const columns: Column<Row>[] = [
    { heading: history.seen, cell: ({ best }) => <Time at={best.observedAt} /> },
    {
      heading: common.names.market,
      cell: ({ best, pool }) => (
        <span className={styles['whole']}>
          {marketName(pool, words)}
          <span className={styles['under']}>{history.until(words.formats.day(best.expiry))}</span>
        </span>
      ),
    },
    { heading: history.best, figure: true, cell: ({ best }) => <Rate percent={observedApy(best)} /> },
    {
      heading: common.names.totalCost,
      figure: true,
      cell: ({ best, pool }) => (
        <span>
          <Amount cost value={best.vrtAmount} token={pool.loanToken} />
          <span className={styles['under']}>
            {history.costFor(<Amount value={best.notional} token={pool.loanToken} />)}
          </span>
        </span>
      ),
    },
    { heading: history.quotes, expands: true, cell: ({ quotes }) => history.quoteCount(quotes.length) },
    { heading: history.state, extra: true, cell: ({ best }) => <State seen={best} /> },
  ]
  const shown = rows.slice(0, many)
  return (
    <>
      <Table
        caption={history.caption}
        columns={columns}
        rows={shown}
        keyOf={({ best }) => best.rfqId}
        faded={({ quotes }) => !quotes.some(({ executable }) => executable)}
        detail={({ quotes, pool }) => (
          <ul className={styles['quotes']}>
            {quotes.map((seen) => (
              <li key={seen.hash}>
                <span>
                  {history.quote(
                    <Rate percent={observedApy(seen)} />,
                    <Amount cost value={seen.vrtAmount} token={pool.loanToken} />,
                    <Amount value={seen.notional} token={pool.loanToken} />,
                    <MakerLink address={seen.maker} />,
                  )}
                </span>{' '}
                <State seen={seen} />
              </li>
            ))}
          </ul>
        )}
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
  const { history } = useRatesTexts()
  return executable ? history.holds : (explainCode(reason, texts) ?? texts.refusals.other)
}
