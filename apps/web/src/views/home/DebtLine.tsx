import type { Series, Token } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { type DebtShare, overfixedBy, restOf } from '../../fixing/debt/unfixed.ts'
import { Amount } from '../../ui/figures.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './FixCard.module.css'
import { availableOf } from './fillForm.ts'

/**
 * Compares the amount with the unfixed part of the account's debt: offers to use that part, and warns about an amount
 * that exceeds it. Renders nothing if they are the same.
 */
export function DebtLine(props: {
  share: DebtShare
  token: Token
  series: Series | null
  notional: bigint | null
  onUse: (amount: string) => void
}) {
  const { share, token, series, notional, onUse } = props
  const { texts, formats } = useWords()
  const { form } = texts.home
  const { owed, unfixed } = share
  if (owed === 0n) return <p className={styles['note']}>{form.noDebt}</p>
  const rest = restOf(share, token)
  const usable = series ? availableOf(rest, series) : rest
  const isTooMuch = notional !== null && overfixedBy(notional, share) > 0n
  return (
    <>
      {unfixed === 0n ? (
        <p className={styles['note']}>{form.allFixed(<Amount value={owed} token={token} />)}</p>
      ) : (
        usable !== notional && (
          <p className={styles['note']}>
            {form.unfixed(<Amount value={rest} token={token} />)}
            {usable > 0n && (
              <button type="button" className={styles['quiet']} onClick={() => onUse(formats.input(usable, token))}>
                {usable < rest ? form.useAvailable : form.useRest}
              </button>
            )}
          </p>
        )
      )}
      {isTooMuch && (
        <Notice tone="warning">
          <p>{form.overfixed(<Amount value={notional - rest} token={token} />)}</p>
        </Notice>
      )}
    </>
  )
}
