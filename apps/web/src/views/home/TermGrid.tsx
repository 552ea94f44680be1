import type { Pool } from '@firmquote/react'
import { marketName } from '../../copy/marketName.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { priceAttributes, standingOf } from '../../fixing/offers/priceAttributes.ts'
import type { RateAtSize } from '../../fixing/offers/rateAtSize.ts'
import { type TermPrice, termPrices } from '../../fixing/offers/termPrices.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { compareAtRate } from '../../fixing/outcome/comparison.ts'
import { auctionFormHref } from '../../routes.ts'
import { Amount, Rate } from '../../ui/figures.tsx'
import { Section } from '../../ui/Panel.tsx'
import styles from './TermGrid.module.css'

/**
 * The cost of fixing a given size in every term with capacity, in every market. Terms without a known rate are
 * collapsed into one line.
 */
export function TermGrid(props: {
  pools: readonly Pool[]
  offers: KnownOffers
  /** In raw units of pool `of`'s loan token. In other pools, the size is the same number of whole tokens. */
  size: bigint
  of: Pool
  now: number
}) {
  const { grid } = useTexts().home
  const { pools, offers, size, of, now } = props
  const markets = pools
    .map((pool) => {
      const wanted = inToken(size, of, pool)
      return { pool, wanted, terms: termPrices(pool, offers.bySeries, { wanted, now }) }
    })
    .filter(({ terms }) => terms.some(({ fixable }) => fixable.amount > 0n))
  if (markets.length === 0) return null
  return (
    <Section title={grid.title} lead={grid.lead}>
      <ul className={styles['markets']}>
        {markets.map(({ pool, wanted, terms }) => (
          <li key={pool.poolId}>
            <Market pool={pool} offers={offers} size={wanted} terms={terms} now={now} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

type Row = TermPrice & { price: RateAtSize }

function Market(props: { pool: Pool; offers: KnownOffers; size: bigint; terms: readonly TermPrice[]; now: number }) {
  const { pool, offers, size, terms, now } = props
  const words = useWords()
  const { texts, formats } = words
  const { common, home } = texts
  const { grid } = home
  const { loanToken: token, floating, poolId } = pool
  const name = marketName(pool, words)
  const rows = terms.filter((term): term is Row => term.price !== null)
  const without = terms.filter(({ price, fixable }) => price === null && fixable.amount > 0n)
  const ask = ({ series: { seriesKey, expiry }, fixable: { amount } }: TermPrice) => (
    <a
      key={seriesKey}
      href={auctionFormHref({ poolId, seriesKey, notional: amount })}
      aria-label={grid.askFor(name, formats.day(expiry))}
    >
      {formats.day(expiry)}
    </a>
  )
  return (
    <article className={styles['market']}>
      <header>
        <h3>{name}</h3>
        <p className={styles['note']}>
          {grid.market(<Amount value={size} token={token} />, <Rate percent={floating.apy} tone="floating" />)}
        </p>
      </header>
      {rows.length > 0 && (
        <table className={styles['table']}>
          <caption className="unseen">{grid.caption(name)}</caption>
          <thead>
            <tr>
              <th scope="col">{home.terms.title}</th>
              <th scope="col">{common.names.fixedRate}</th>
              <th scope="col">{home.price.payNow}</th>
              <th scope="col">{grid.against}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr
                key={row.series.seriesKey}
                {...priceAttributes({ ...row.price, expiry: row.series.expiry }, standingOf(row.price))}
              >
                <td>{ask(row)}</td>
                <td>
                  <FixedRate price={row.price} />
                </td>
                <td>
                  <Amount cost value={row.price.cost} token={token} />
                  {row.fixable.limit !== undefined && (
                    <p className={styles['note']}>
                      {grid.forSize(<Amount value={row.price.notional} token={token} />)}
                    </p>
                  )}
                </td>
                <td>
                  <AgainstFloating price={row.price} pool={pool} expiry={row.series.expiry} now={now} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {without.length > 0 && !offers.pending && offers.error === null && (
        <p className={styles['without']}>
          {grid.noRates} {without.map(ask)}
        </p>
      )}
    </article>
  )
}

function FixedRate({ price }: { price: RateAtSize }) {
  const { terms } = useTexts().home
  if (price.kind === 'firm') return <Rate percent={price.effectiveApy} tone="fixed" />
  return terms.about(<Rate percent={price.effectiveApy} />)
}

function AgainstFloating(props: { price: RateAtSize; pool: Pool; expiry: number; now: number }) {
  const { price, pool, expiry, now } = props
  const { grid } = useTexts().home
  const { difference } = compareAtRate({ ...price, from: now, expiry }, pool.floating.ratePerSec)
  if (difference === 0n) return grid.same
  const amount = <Amount value={difference < 0n ? -difference : difference} token={pool.loanToken} />
  return difference > 0n ? grid.more(amount) : grid.less(amount)
}

function inToken(size: bigint, from: Pool, to: Pool): bigint {
  const digits = to.loanToken.decimals - from.loanToken.decimals
  return digits < 0 ? size / 10n ** BigInt(-digits) : size * 10n ** BigInt(digits)
}
