import type { Token } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { howHref } from '../../routes.ts'
import { Amount } from '../../ui/figures.tsx'
import type { FixedPrice } from './comparison.ts'
import styles from './WhatToKnow.module.css'

/** Explains, before a payment, what happens to the visitor's money and what the risks are. */
export function WhatToKnow(props: {
  price: Omit<FixedPrice, 'cost' | 'from'> & { cost: bigint | null }
  token: Token
  estimated?: boolean
}) {
  const { price, token, estimated = false } = props
  const { texts, formats } = useWords()
  const { know } = texts.fixing
  return (
    <section className={styles['know']} aria-label={know.title}>
      <h3>{know.title}</h3>
      <ul>
        {price.cost !== null && (
          <li>{(estimated ? know.estimatedNow : know.now)(<Amount cost value={price.cost} token={token} />)}</li>
        )}
        <li>{know.meanwhile}</li>
        <li>{know.afterwards(formats.day(price.expiry), <Amount value={price.notional} token={token} />)}</li>
        <li>
          {know.contracts} <a href={howHref()}>{know.more}</a>
        </li>
      </ul>
    </section>
  )
}
