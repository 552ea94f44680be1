import { formatTimestamp, quoteApr, type SignedQuote } from '@firmquote/sdk'
import { floatingCost } from '../../service/floatingCost.ts'
import { poolName } from '../../service/poolName.ts'
import { useServerNow } from '../../service/serverClock.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { Amount, Maturity, Rate, Time } from '../../ui/figures.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Tag } from '../../ui/Tag.tsx'
import styles from './Terms.module.css'

/** What the quote says: the rate, what it costs, for what, by whom, until when. */
export function Terms({
  signed,
  hash,
  pool,
  expiry,
  takeable,
}: {
  signed: SignedQuote
  hash: string
  pool: Pool
  expiry: number
  /** Whether it is still on offer: not once it has been sent, taken, cancelled or replaced. */
  takeable: boolean
}) {
  const now = Math.floor(useServerNow(10_000) / 1000)
  const { loanToken: token, floating } = pool
  const left = expiry - now
  if (left <= 0) return null
  const ifFloating = floatingCost(signed.notional, floating.ratePerSec, left)
  const saves = ifFloating - signed.vrtAmount
  return (
    <Panel title={`Fix ${poolName(pool)}`} aside={takeable && <Tag tone="firm">firm</Tag>}>
      <dl className={styles['main']}>
        <div>
          <dt>Fixed rate</dt>
          <dd className={styles['big']}>
            <Rate percent={quoteApr(signed, expiry, now)} tone="fixed" />
          </dd>
        </div>
        <div>
          <dt>Total cost</dt>
          <dd className={styles['big']}>
            <Amount cost value={signed.vrtAmount} token={token} />
          </dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd className={styles['big']}>
            <Amount value={signed.notional} token={token} />
          </dd>
        </div>
      </dl>
      <p className={styles['compare']}>
        Floating is at <Rate percent={floating.apr} tone="floating" /> today. If it stays there, the same time costs{' '}
        <Amount value={ifFloating} token={token} />:{' '}
        {saves >= 0n ? (
          <>
            this quote is <Amount value={saves} token={token} /> cheaper.
          </>
        ) : (
          <>
            being certain costs <Amount value={-saves} token={token} /> more.
          </>
        )}
      </p>
      <dl className={styles['facts']}>
        <dt>Maturity</dt>
        <dd>
          <Maturity expiry={expiry} />
        </dd>
        <dt>Valid until</dt>
        <dd title={formatTimestamp(signed.deadline, { seconds: true })}>
          <Time at={Number(signed.deadline) * 1000} exact />
        </dd>
        <dt>Maker</dt>
        <dd className={styles['hex']}>{signed.maker}</dd>
        <dt>Quote</dt>
        <dd className={styles['hex']}>{hash}</dd>
      </dl>
    </Panel>
  )
}
