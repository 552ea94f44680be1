import type { Pool } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'
import { marketName } from '../../copy/marketName.ts'
import { useWords } from '../../copy/words.ts'
import { positionHref } from '../../routes.ts'
import { Amount, Rate } from '../../ui/figures.tsx'
import { effectiveApyOf } from '../outcome/effectiveApy.ts'
import { payoutOf } from '../outcome/payout.ts'
import { useBlockTime } from '../useBlockTime.ts'
import styles from './PositionRow.module.css'

/**
 * A position's row in a list: fixed amount, maturity, cost and result, with a link to its page.
 */
export function PositionRow({ position, pool }: { position: FixedPosition; pool: Pool }) {
  const words = useWords()
  const { common, positions } = words.texts
  const { positionId, role, notional, cost, expiry } = position
  const { loanToken: token } = pool
  const rate = usePositionRate(position)
  const payout = payoutOf(position)
  return (
    <li className={styles['row']}>
      <div>
        <h3 className={styles['name']}>
          <a href={positionHref(positionId)}>
            {common.amountUntil(<Amount value={notional} token={token} />, words.formats.day(expiry))}
          </a>
        </h3>
        <p className={styles['note']}>
          {marketName(pool, words)}
          {role === 'maker' && ` · ${positions.asMaker}`}
          {rate !== null && (
            <>
              {' · '}
              <Rate percent={rate} tone="fixed" />
            </>
          )}
        </p>
      </div>
      <dl className={styles['figures']}>
        <div>
          <dt>{role === 'maker' ? positions.earns : positions.paid}</dt>
          <dd>
            <Amount cost={role === 'borrower'} value={cost} token={token} />
          </dd>
        </div>
        <div>
          <dt>{positions.payout[role][payout?.state ?? 'soFar']}</dt>
          <dd>{payout ? <Amount value={payout.amount} token={token} /> : positions.unknown}</dd>
          {payout?.state === 'paid' && (
            <dd className={styles['note']}>
              {(payout.gain < 0n ? positions.less : positions.more)[role](
                <Amount value={payout.gain < 0n ? -payout.gain : payout.gain} token={token} />,
              )}
            </dd>
          )}
        </div>
      </dl>
    </li>
  )
}

/** Returns a position's effective APY in percent, or null while its opening time is unknown. */
export function usePositionRate({ notional, cost, expiry, openedAtBlock }: FixedPosition): number | null {
  const openedAt = useBlockTime(openedAtBlock)
  if (openedAt === undefined || openedAt >= expiry) return null
  return effectiveApyOf({ notional, vrtAmount: cost }, expiry, openedAt)
}
