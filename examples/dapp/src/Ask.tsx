import { type Pool, poolsQuery, useAuction, useService, useStartAuction } from '@firmquote/react'
import { formatRate, formatTimestamp, parsePrincipal } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Address } from 'viem'
import { Failure } from './Failure.tsx'
import { Take } from './Take.tsx'

/** The request form, then the auction. */
export function Ask({ taker }: { taker: Address }) {
  const { client } = useService()
  const pools = useQuery(poolsQuery(client))
  const start = useStartAuction()
  const [asked, setAsked] = useState<{ pool: Pool; maxApr: number }>()
  const [mistake, setMistake] = useState<Error | null>(null)
  const again = () => {
    start.reset()
    setAsked(undefined)
  }

  function ask(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [poolId, seriesKey] = String(form.get('series')).split(' ')
    const pool = pools.data?.find((candidate) => candidate.poolId === poolId)
    const series = pool?.series.find((candidate) => candidate.seriesKey === seriesKey)
    if (!pool || !series) return
    try {
      const notional = parsePrincipal(String(form.get('amount')), pool.loanToken.decimals)
      setMistake(null)
      setAsked({ pool, maxApr: Number(form.get('maxApr')) })
      // Accept only quotes for the whole amount.
      start.mutate({ poolId: pool.poolId, seriesKey: series.seriesKey, notional, minNotional: notional, taker })
    } catch (error) {
      setMistake(error as Error)
    }
  }

  if (start.data && asked) return <Auction rfqId={start.data.rfqId} {...asked} onAgain={again} />
  return (
    <form onSubmit={ask}>
      <label>
        Until{' '}
        <select name="series" required>
          {pools.data?.map(({ poolId, loanToken, collateral, floating, series }) => (
            <optgroup
              key={poolId}
              label={`${loanToken.symbol} / ${collateral?.symbol ?? '-'}, floating ${formatRate(floating.apr)}`}
            >
              {series.map(({ seriesKey, expiry }) => (
                <option key={seriesKey} value={`${poolId} ${seriesKey}`}>
                  {formatTimestamp(expiry)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <label>
        Debt to fix <input name="amount" inputMode="decimal" defaultValue="100,000" required />
      </label>
      <label>
        At most <input name="maxApr" type="number" min="0.01" max="1000" step="0.01" defaultValue="12" required /> % a
        year
      </label>
      <button type="submit" disabled={!pools.data || start.isPending}>
        Ask for quotes
      </button>
      <Failure error={mistake ?? start.error ?? pools.error} />
    </form>
  )
}

type AuctionProps = { rfqId: string; pool: Pool; maxApr: number; onAgain: () => void }

function Auction({ rfqId, pool, maxApr, onAgain }: AuctionProps) {
  const { data: auction, error } = useAuction({ rfqId })
  // Number of quotes skipped because they can no longer be taken. Quotes are tried best first.
  const [gone, setGone] = useState(0)
  const best = auction?.quotes[gone]
  return (
    <>
      <Failure error={error} />
      {auction?.status === 'open' && (
        <p role="status">
          {auction.quotes.length} quotes so far{best && `, the best at ${formatRate(best.apr)}`}
        </p>
      )}
      {auction?.status === 'closed' && best && (
        <Take
          key={best.hash}
          auction={auction}
          quote={best}
          token={pool.loanToken}
          maxApr={maxApr}
          onGone={() => setGone(gone + 1)}
        />
      )}
      {auction?.status === 'closed' && !best && (
        <p role="status">{gone === 0 ? 'Nobody has quoted.' : 'No other quote is left.'}</p>
      )}
      <button type="button" onClick={onAgain}>
        Ask again
      </button>
    </>
  )
}
