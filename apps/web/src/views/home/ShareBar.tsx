import type { Token } from '@firmquote/react'
import { useTexts } from '../../copy/words.ts'
import type { DebtShare } from '../../fixing/debt/unfixed.ts'
import { Amount } from '../../ui/figures.tsx'
import styles from './ShareBar.module.css'

/** Shows how much of a debt is fixed, up to 100 %, as a bar and in words. */
export function ShareBar({ share: { owed, fixed, unfixed }, token }: { share: DebtShare; token: Token }) {
  const { loans } = useTexts().home
  const amount = (value: bigint) => <Amount value={value} token={token} />
  const percent = unfixed === 0n ? 100 : Number((fixed * 1000n) / owed) / 10
  return (
    <div className={styles['share']}>
      <div className={styles['bar']} aria-hidden="true">
        <span style={{ width: `${percent}%` }} />
      </div>
      {fixed === 0n ? (
        <p>{loans.noneFixed(amount(unfixed))}</p>
      ) : unfixed > 0n ? (
        <p>{loans.partFixed(amount(fixed), amount(unfixed))}</p>
      ) : (
        <p>
          <strong>{loans.fullyFixed}</strong>. {loans.fullyFixedWhy(amount(fixed))}
        </p>
      )}
    </div>
  )
}
