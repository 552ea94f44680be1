import type { Pool } from '@firmquote/react'
import type { SignedQuote } from '@firmquote/sdk'
import type { Hex } from 'viem'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { marketName } from '../../copy/marketName.ts'
import { useWords } from '../../copy/words.ts'
import { priceAttributes } from '../../fixing/offers/priceAttributes.ts'
import { Comparison } from '../../fixing/outcome/Comparison.tsx'
import type { FixedPrice } from '../../fixing/outcome/comparison.ts'
import { effectiveApyOf } from '../../fixing/outcome/effectiveApy.ts'
import { AddressLink } from '../../ui/AddressLink.tsx'
import { Amount, Maturity, Rate, Time } from '../../ui/figures.tsx'
import { HeroFigure } from '../../ui/HeroFigure.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Tag } from '../../ui/Tag.tsx'
import styles from './Receipt.module.css'

/** The amount being fixed, the rate and the exact cost. */
export function Receipt(props: {
  hash: Hex
  price: FixedPrice
  signed: SignedQuote
  pool: Pool
  /** Whether the offer is still open: not sent, taken, cancelled or replaced. */
  takeable: boolean
  /** Whether the rate is fixed or can still be fixed. */
  alive: boolean
}) {
  const { hash, price, signed, pool, takeable, alive } = props
  const standing = takeable ? ([hash] as const) : 'seen'
  const data = priceAttributes(price, standing)
  const words = useWords()
  const { common } = words.texts
  const { receipt } = useAcceptanceTexts()
  const { loanToken: token } = pool
  const apy = effectiveApyOf({ ...price, vrtAmount: price.cost }, price.expiry, price.from)
  const amount = words.formats.withSymbol(words.formats.exact(price.notional, token), token)
  return (
    <Panel
      title={receipt.title(amount, words.formats.day(price.expiry))}
      aside={takeable && <Tag tone="firm">{common.firm}</Tag>}
    >
      <div className={styles['receipt']}>
        <HeroFigure label={common.names.fixedRate} {...(alive && { tone: 'fixed' as const })} data={data}>
          <Rate percent={apy} />
        </HeroFigure>
        <dl className={styles['total']}>
          <dt>{alive ? receipt.payNow : common.names.totalCost}</dt>
          <dd {...data}>
            <Amount exact value={price.cost} token={token} />
          </dd>
        </dl>
        <Comparison costShown price={price} pool={pool} standing={standing} />
        <dl className={styles['rows']}>
          <dt>{common.names.market}</dt>
          <dd>{marketName(pool, words)}</dd>
          <dt>{common.names.until}</dt>
          <dd>
            <Maturity expiry={price.expiry} />
          </dd>
          {takeable && (
            <>
              <dt>{common.names.validUntil}</dt>
              <dd>
                <Time at={Number(signed.deadline) * 1000} exact />
              </dd>
            </>
          )}
          <dt>{common.names.maker}</dt>
          <dd>
            <AddressLink address={signed.maker} />
            <span className={styles['aside']}>{receipt.makerIs}</span>
          </dd>
        </dl>
      </div>
    </Panel>
  )
}
