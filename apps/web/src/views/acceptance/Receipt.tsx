import type { Pool, Token } from '@firmquote/react'
import type { SignedQuote } from '@firmquote/sdk'
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
import type { FoundQuotes } from './findQuote.ts'
import styles from './Receipt.module.css'

/** The amount being fixed, the rate and the exact cost. */
export function Receipt(props: {
  chosen: FoundQuotes['chosen']
  price: FixedPrice
  pool: Pool
  /** Whether the offer is still open: not sent, taken, cancelled or replaced. */
  takeable: boolean
  /** Whether the rate is fixed or can still be fixed. */
  alive: boolean
}) {
  const { chosen, price, pool, takeable, alive } = props
  const [first, ...more] = chosen
  const standing = takeable ? ([first.hash, ...more.map(({ hash }) => hash)] as const) : 'seen'
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
                <Time at={Math.min(...chosen.map(({ signed }) => Number(signed.deadline))) * 1000} exact />
              </dd>
            </>
          )}
          <dt>{common.names.maker}</dt>
          {chosen.map(({ hash, signed }) => (
            <dd key={hash}>
              <AddressLink address={signed.maker} />
              <span className={styles['aside']}>
                {more.length === 0 ? receipt.makerIs : receipt.makerPays(<Part {...{ signed, price, token }} />)}
              </span>
            </dd>
          ))}
        </dl>
      </div>
    </Panel>
  )
}

/** One of several offers: its amount, rate and cost. */
function Part({ signed, price, token }: { signed: SignedQuote; price: FixedPrice; token: Token }) {
  const { receipt } = useAcceptanceTexts()
  const { notional, vrtAmount } = signed
  return receipt.part(
    <Amount value={notional} token={token} />,
    <Rate percent={effectiveApyOf(signed, price.expiry, price.from)} />,
    <Amount cost value={vrtAmount} token={token} />,
  )
}
