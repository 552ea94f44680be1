import { configQuery, type Pool, useService } from '@firmquote/react'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Hex } from 'viem'
import { marketName } from '../../copy/marketName.ts'
import { spellAmount } from '../../copy/readAmount.ts'
import { useWords } from '../../copy/words.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { auctionFormHref } from '../../routes.ts'
import { AmountInput } from '../../ui/AmountInput.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Amount } from '../../ui/figures.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel, Section } from '../../ui/Panel.tsx'
import { CalculatedPrice } from './CalculatedPrice.tsx'
import styles from './Calculator.module.css'
import { TermChoice } from './TermChoice.tsx'
import type { Calculation } from './useCalculator.ts'

/**
 * Calculates the cost of fixing an amount. Appears as the home view's main element, or below the visitor's loans
 * if `aside` is set.
 */
export function Calculator(props: {
  calculation: Calculation
  pools: readonly Pool[]
  offers: KnownOffers
  now: number
  aside: boolean
  /** The chart of past floating rates. */
  chart: ReactNode
}) {
  const { calculation, pools, offers, now, aside, chart } = props
  const { pool, terms, term, size, limit } = calculation
  const { client } = useService()
  const { texts, formats } = useWords()
  const { calculator, noTerms, noTermsWhy } = texts.home
  // Loaded before this view.
  const { data: config } = useSuspenseQuery(configQuery(client))
  const Frame = aside ? Section : Panel
  return (
    <Frame title={aside ? calculator.again : calculator.title}>
      <div className={`${styles['columns']} ${aside ? styles['aside'] : ''}`}>
        <div className={styles['inputs']}>
          <AmountField calculation={calculation} />
          {pools.length > 1 && <MarketField calculation={calculation} pools={pools} />}
          {terms.length === 0 ? (
            <EmptyState title={noTerms}>{noTermsWhy}</EmptyState>
          ) : (
            <TermChoice
              terms={terms}
              offers={offers}
              sized={size !== null}
              now={now}
              value={term?.series.seriesKey}
              onChange={(seriesKey) => calculation.change({ seriesKey })}
            />
          )}
        </div>
        <div className={styles['result']}>
          <CalculatedPrice pool={pool} term={size === null ? null : (term ?? null)} offers={offers} now={now} />
          <ButtonLink
            look="main"
            href={auctionFormHref({
              poolId: pool.poolId,
              ...(term && { seriesKey: term.series.seriesKey }),
              ...(size !== null && term && term.fixable.amount > 0n && { notional: term.fixable.amount }),
              ...(limit !== undefined && { limit }),
            })}
          >
            {calculator.ask}
          </ButtonLink>
          {limit !== undefined && (
            <p className={styles['note']}>{calculator.limit(<Amount cost value={limit} token={pool.loanToken} />)}</p>
          )}
          <p className={styles['note']}>{calculator.asking(formats.time(config.auction.durationMs / 1000))}</p>
        </div>
        <div className={styles['chart']}>{chart}</div>
      </div>
    </Frame>
  )
}

function AmountField({ calculation: { pool, text, typed, mistake, change } }: { calculation: Calculation }) {
  const words = useWords()
  const { amounts, home } = words.texts
  const { loanToken: token } = pool
  const example = amounts.example(words.formats.count(250_000), '250k')
  return (
    <Field
      label={home.calculator.amount}
      hint={typed === null ? example : spellAmount(typed, token, words)}
      error={mistake?.mistake}
      corrections={mistake?.corrections}
      onCorrect={(corrected) => change({ text: corrected })}
    >
      {(ids) => (
        <AmountInput ids={ids} symbol={token.symbol} value={text} onChange={(typed) => change({ text: typed })} />
      )}
    </Field>
  )
}

function MarketField({ calculation, pools }: { calculation: Calculation; pools: readonly Pool[] }) {
  const words = useWords()
  return (
    <Field label={words.texts.common.names.market}>
      {(ids) => (
        <select
          {...ids}
          value={calculation.pool.poolId}
          onChange={({ target }) => calculation.change({ poolId: target.value as Hex })}
        >
          {pools.map((pool) => (
            <option key={pool.poolId} value={pool.poolId}>
              {marketName(pool, words)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
