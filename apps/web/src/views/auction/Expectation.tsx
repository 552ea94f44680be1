import { formatDuration, formatRate } from '@firmquote/sdk'
import type { ReactNode } from 'react'
import { useChain } from '../../chain/useChain.ts'
import { floatingCost } from '../../service/floatingCost.ts'
import { useServerNow } from '../../service/serverClock.ts'
import { Amount, Rate } from '../../ui/figures.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import styles from './Expectation.module.css'
import { costAtApr } from './estimateCost.ts'
import type { ParsedAuctionForm } from './parseAuctionForm.ts'
import { useLoanTokenBalance } from './useLoanTokenBalance.ts'

/** What the terms would cost as far as one can know, against the floating rate and against what the account holds. */
export function Expectation(props: {
  parsed: ParsedAuctionForm
  /** What the account owes on the pool, raw units; unknown without a wallet. */
  debt: bigint | undefined
  /** The best rate known of the series, simple APR in percent. */
  bestApr: number | null | undefined
}) {
  const { parsed, debt, bestApr = null } = props
  const { pool, series, notional, cap, capApr } = parsed
  const now = useServerNow(60_000)
  const chain = useChain()
  const balance = useLoanTokenBalance(pool?.loanToken.address)
  const seconds = series ? series.expiry - Math.floor(now / 1000) : 0
  if (!pool || !series || seconds <= 0) {
    return (
      <Panel title="What to expect">
        <p className={styles['muted']}>Choose a pool and a maturity to see what fixing the rate may cost.</p>
      </Panel>
    )
  }
  const { loanToken: token, floating } = pool
  const estimate = notional !== null && bestApr !== null ? costAtApr(notional, bestApr, seconds) : null
  const atFloating = notional === null ? null : floatingCost(notional, floating.ratePerSec, seconds)
  const needed = estimate ?? atFloating
  return (
    <Panel title="What to expect" lead={`Over the ${formatDuration(seconds, { units: 1 })} until the maturity.`}>
      <dl className={styles['list']}>
        <Figure term="Best rate known">
          {bestApr === null ? <span className={styles['muted']}>none lately</span> : <Rate percent={bestApr} />}
        </Figure>
        <Figure term="Total cost at that rate" strong>
          {estimate === null ? <Unknown notional={notional} /> : <Amount value={estimate} token={token} />}
        </Figure>
        <Figure term="Floating today">
          <Rate percent={floating.apr} tone="floating" />
        </Figure>
        <Figure term="Total cost if it stays there">
          {atFloating === null ? <Unknown notional={notional} /> : <Amount value={atFloating} token={token} />}
        </Figure>
        <Figure term="You hold">
          {balance.data !== undefined ? (
            <Amount value={balance.data} token={token} />
          ) : (
            <span className={styles['muted']}>{holdings(chain.state, balance.isError)}</span>
          )}
        </Figure>
      </dl>
      <div className={styles['notes']}>
        <p className={styles['muted']}>
          You pay the cost once, when you take a quote, in {token.symbol}. Your debt stays where it is; the maker takes
          over its floating interest until the maturity.
        </p>
        {needed !== null && balance.data !== undefined && balance.data < needed && (
          <Notice tone="warning" title="More than you hold">
            <p>
              It may cost about as much as that. Fix a smaller amount or a shorter term, or get more {token.symbol}.
            </p>
          </Notice>
        )}
        {notional !== null && debt !== undefined && debt > 0n && notional > debt && (
          <Notice tone="warning" title="More than you owe">
            <p>Only what you owe bears the floating rate; the rest would be a bet on it.</p>
          </Notice>
        )}
        {cap !== null && capApr !== null && bestApr !== null && capApr < bestApr && (
          <Notice tone="warning" title="A low limit">
            <p>{formatRate(capApr)} APR is below the best rate seen lately. Perhaps nobody will quote.</p>
          </Notice>
        )}
      </div>
    </Panel>
  )
}

function Figure({ term, strong = false, children }: { term: string; strong?: boolean; children: ReactNode }) {
  return (
    <div className={strong ? styles['strong'] : undefined}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Unknown({ notional }: { notional: bigint | null }) {
  return <span className={styles['muted']}>{notional === null ? 'enter an amount' : 'no estimate'}</span>
}

function holdings(chain: ReturnType<typeof useChain>['state'], failed: boolean): string {
  if (failed) return 'could not be read'
  if (chain === 'none') return 'connect a wallet'
  if (chain === 'wrongNetwork') return 'switch the network'
  return '…'
}
