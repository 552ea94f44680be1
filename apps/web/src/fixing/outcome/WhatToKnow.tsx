import type { Token } from '@firmquote/react'
import { useId } from 'react'
import { useWords } from '../../copy/words.ts'
import { howHref } from '../../routes.ts'
import { Amount } from '../../ui/figures.tsx'
import type { LoanHealth } from '../debt/loanHealth.ts'
import type { FixedPrice } from './comparison.ts'
import styles from './WhatToKnow.module.css'

/** Lists the risks of fixing, before a payment. Omits the cost if it is null, and the payout if it is shown elsewhere. */
export function WhatToKnow(props: {
  price: Omit<FixedPrice, 'cost' | 'from'> & { cost: bigint | null }
  token: Token
  estimated?: boolean
  payoutShown?: boolean
  /** The health of the debt, if the account has one. */
  health?: LoanHealth | undefined
}) {
  const { price, token, estimated = false, payoutShown = false, health } = props
  const { texts, formats } = useWords()
  const { know } = texts.fixing
  const id = useId()
  return (
    <section className={styles['know']} aria-labelledby={id}>
      <h3 id={id}>{know.title}</h3>
      <ul>
        {price.cost !== null && (
          <li>{(estimated ? know.estimatedNow : know.now)(<Amount cost value={price.cost} token={token} />)}</li>
        )}
        <li>
          {health === undefined || health.state === 'unknown'
            ? know.meanwhile
            : know.meanwhileHealth(formats.amount(health.hundredths, { decimals: 2 }))}
        </li>
        {!payoutShown && <li>{know.afterwards(<Amount value={price.notional} token={token} />)}</li>}
        <li>{know.outlives}</li>
        <li>
          {know.contracts} <a href={howHref()}>{know.more}</a>
        </li>
      </ul>
    </section>
  )
}
