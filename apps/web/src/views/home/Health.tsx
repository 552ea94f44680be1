import type { Token } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { Amount } from '../../ui/figures.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './LoanCard.module.css'
import type { LoanHealth } from './loanHealth.ts'

/** A loan's distance from liquidation, which fixing does not change. */
export function Health({ health, token }: { health: LoanHealth; token: Token }) {
  const { texts, formats } = useWords()
  const { loans } = texts.home
  if (health.state === 'unknown') {
    return (
      <p className={styles['health']}>
        {loans.healthUnknown} {loans.healthStays}
      </p>
    )
  }
  const factor = formats.amount(health.hundredths, { decimals: 2 })
  const prices =
    health.liquidationPrice === null
      ? loans.unhealthy(factor)
      : loans.health(
          <Amount cost value={health.liquidationPrice} token={token} />,
          health.collateral.symbol,
          <Amount value={health.price} token={token} />,
          factor,
        )
  if (health.state === 'liquidatable') {
    return (
      <Notice tone="warning" title={loans.liquidatable}>
        <p>
          {prices} {loans.healthStays}
        </p>
      </Notice>
    )
  }
  return (
    <p className={styles['health']}>
      {health.state === 'close' && <strong>{loans.healthClose} </strong>}
      {prices} {loans.healthStays}
    </p>
  )
}
