import { type FixedPosition, quoteApr } from '@firmquote/sdk'
import { poolName } from '../../service/poolName.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { Amount, formatDay, Maturity, Rate } from '../../ui/figures.tsx'
import styles from './entries.module.css'
import { useBlockTime } from './useBlockTime.ts'

/** One fixed position: what it is for, what it cost, and what happens at its maturity. */
export function Position({ position, pool, now }: { position: FixedPosition; pool: Pool; now: number }) {
  const { role, notional, cost, expiry } = position
  const { loanToken: token } = pool
  const openedAt = useBlockTime(position.openedAtBlock)
  const apr =
    openedAt !== undefined && openedAt < expiry ? quoteApr({ notional, vrtAmount: cost }, expiry, openedAt) : null
  return (
    <article className={styles['entry']}>
      <header className={styles['name']}>
        <h3>{poolName(pool)}</h3>
        <span className={styles['note']}>
          position {position.positionId.toString()}, {role === 'maker' ? 'you are its maker' : 'you are its borrower'}
        </span>
      </header>
      <dl className={styles['figures']}>
        <div>
          <dt>Fixed debt</dt>
          <dd className={styles['big']}>
            <Amount value={notional} token={token} />
          </dd>
        </div>
        <div>
          <dt>{role === 'maker' ? 'You earn' : 'Total cost, paid'}</dt>
          <dd className={styles['big']}>
            <Amount value={cost} token={token} cost={role === 'borrower'} />
          </dd>
          {apr !== null && openedAt !== undefined && (
            <dd className={styles['note']}>
              <Rate percent={apr} tone="fixed" /> from {formatDay(openedAt)} on
            </dd>
          )}
        </div>
        <div>
          <dt>{expiry > now ? 'Matures' : 'Has matured'}</dt>
          <dd className={styles['date']}>
            <Maturity expiry={expiry} />
          </dd>
        </div>
      </dl>
      <p>
        <AtMaturity position={position} pool={pool} matured={expiry <= now} />
      </p>
    </article>
  )
}

function AtMaturity(props: { position: FixedPosition; pool: Pool; matured: boolean }) {
  const { role, notional, cost, expiry } = props.position
  const token = props.pool.loanToken
  const when = props.matured
    ? 'It can be settled now, by anyone. Then'
    : `From ${formatDay(expiry)} on anyone can settle it. Then`
  if (role === 'maker') {
    return (
      <>
        {when} you get back your <Amount value={notional} token={token} /> less the floating interest on it since the
        opening, and the borrower's <Amount value={cost} token={token} />.
      </>
    )
  }
  return (
    <>
      {when} the pool pays you the floating interest that <Amount value={notional} token={token} /> has cost from the
      opening to the maturity, at most <Amount value={notional} token={token} />; the rest goes to the maker. Your debt
      itself stays yours to repay.
    </>
  )
}
