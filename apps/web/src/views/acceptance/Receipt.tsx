import type { Pool, Token } from '@firmquote/react'
import { quoteApr, type SignedQuote } from '@firmquote/sdk'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { marketName } from '../../copy/marketName.ts'
import { useWords } from '../../copy/words.ts'
import { roundUpToTwoDigits } from '../../fixing/networkFee.ts'
import { priceAttributes } from '../../fixing/offers/priceAttributes.ts'
import type { FixedPrice } from '../../fixing/outcome/comparison.ts'
import { effectiveApyOf } from '../../fixing/outcome/effectiveApy.ts'
import type { useNetworkFee } from '../../fixing/useNetworkFee.ts'
import { MakerLink } from '../../ui/AddressLink.tsx'
import { Amount, Rate } from '../../ui/figures.tsx'
import { HeroFigure } from '../../ui/HeroFigure.tsx'
import { Panel } from '../../ui/Panel.tsx'
import type { FoundQuotes } from './findQuote.ts'
import styles from './Receipt.module.css'

/** The amount being fixed, the rate, the cost and the network fee. */
export function Receipt(props: {
  chosen: FoundQuotes['chosen']
  price: FixedPrice
  pool: Pool
  /** Whether the quote is still open: not taken, canceled or replaced. */
  takeable: boolean
  /** The maximum cost if other quotes replace these, in raw units. Null if there are none. */
  most: bigint | null
  /** The estimated network fee. */
  fee: ReturnType<typeof useNetworkFee>
}) {
  const { chosen, price, pool, takeable, most, fee } = props
  const [first, ...more] = chosen
  const standing = takeable ? ([first.hash, ...more.map(({ hash }) => hash)] as const) : 'seen'
  const data = priceAttributes(price, standing)
  const words = useWords()
  const { formats, texts } = words
  const { receipt } = useAcceptanceTexts()
  const { loanToken: token, floating } = pool
  const apy = effectiveApyOf({ ...price, vrtAmount: price.cost }, price.expiry, price.from)
  const apr = quoteApr({ ...price, vrtAmount: price.cost }, price.expiry, price.from)
  return (
    <Panel title={marketName(pool, words)}>
      <div className={styles['receipt']}>
        <HeroFigure
          label={receipt.yourRate}
          {...(takeable && { tone: 'fixed' as const })}
          data={data}
          note={receipt.versus(formats.rate(apr), formats.rate(floating.apy))}
        >
          <Rate percent={apy} />
        </HeroFigure>
        <dl className={styles['rows']}>
          <div className={styles['total']}>
            <dt>{takeable ? receipt.cost : texts.common.names.totalCost}</dt>
            <dd {...data}>
              <Amount cost value={price.cost} token={token} />
            </dd>
          </div>
          {most !== null && (
            <div>
              <dt>{receipt.most}</dt>
              <dd>
                <Amount cost value={most} token={token} />
              </dd>
            </div>
          )}
          {fee && (
            <div>
              <dt>{receipt.fee}</dt>
              <dd>
                {(fee.isWithoutL1 ? receipt.feeWithoutL1 : receipt.feeAbout)(
                  formats.withSymbol(formats.exact(roundUpToTwoDigits(fee.fee), fee), fee),
                )}
              </dd>
            </div>
          )}
          <div>
            <dt>{receipt.payout}</dt>
            <dd>{receipt.cap(<Amount value={price.notional} token={token} />)}</dd>
          </div>
          {more.length === 0 ? (
            <div>
              <dt>{receipt.fundedBy}</dt>
              <dd>
                <MakerLink address={first.signed.maker} />
              </dd>
            </div>
          ) : (
            <div className={styles['parts']}>
              <dt>{receipt.combined(chosen.length)}</dt>
              {chosen.map(({ hash, signed }) => (
                <dd key={hash}>
                  <Part {...{ signed, price, token }} />
                </dd>
              ))}
            </div>
          )}
        </dl>
      </div>
    </Panel>
  )
}

/** One of several quotes: its amount, rate and cost. */
function Part({ signed, price, token }: { signed: SignedQuote; price: FixedPrice; token: Token }) {
  const { receipt } = useAcceptanceTexts()
  const { notional, vrtAmount } = signed
  return receipt.part(
    <Amount value={notional} token={token} />,
    <Rate percent={effectiveApyOf(signed, price.expiry, price.from)} />,
    <Amount cost value={vrtAmount} token={token} />,
  )
}
