import type { Token } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import type { LoanHealth } from '../../fixing/debt/loanHealth.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Amount } from '../../ui/figures.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './DebtRow.module.css'

/** A debt's collateral and its distance from liquidation, which fixing does not change. */
export function DebtDetails({ health, token }: { health: LoanHealth; token: Token }) {
  const { texts, formats } = useWords()
  const { common, home } = texts
  const { loans } = home
  if (health.state === 'unknown') {
    return (
      <Disclosure title={common.details}>
        <p>{loans.healthUnknown}</p>
      </Disclosure>
    )
  }
  const { collateral, amount, value, liquidationPrice, price, hundredths, state } = health
  return (
    <>
      {state !== 'safe' && (
        <Notice tone="warning" title={state === 'close' ? loans.healthClose : loans.liquidatable}>
          <p>{loans.healthStays}</p>
        </Notice>
      )}
      <Disclosure title={common.details}>
        <dl className={styles['details']}>
          <div>
            <dt>{loans.collateral}</dt>
            <dd>{loans.worth(<Amount value={amount} token={collateral} />, <Amount value={value} token={token} />)}</dd>
          </div>
          {liquidationPrice !== null && (
            <div>
              <dt>{loans.liquidation}</dt>
              <dd>
                {loans.priceNow(
                  <Amount cost value={liquidationPrice} token={token} />,
                  collateral.symbol,
                  <Amount value={price} token={token} />,
                )}
              </dd>
            </div>
          )}
          <div>
            <dt>{loans.health}</dt>
            <dd>{formats.amount(hundredths, { decimals: 2 })}</dd>
          </div>
        </dl>
        <p className={styles['note']}>{loans.healthStays}</p>
      </Disclosure>
    </>
  )
}
