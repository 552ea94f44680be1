import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { useChain } from '../../chain/useChain.ts'
import { auctionFormHref, type CurveAddress, curveHref } from '../../routes.ts'
import { formatAmount } from '../../service/formatAmount.ts'
import { recentQuery } from '../../service/queries.ts'
import { useServerNow } from '../../service/serverClock.ts'
import { type Pool, useService } from '../../service/serviceContext.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Loaded, Skeleton } from '../../ui/Loaded.tsx'
import { ErrorState, Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { CurveControls } from './CurveControls.tsx'
import { CurvePlot } from './CurvePlot.tsx'
import { CurveTable } from './CurveTable.tsx'
import { type CurveChoice, firmPoints, indicativePoints, orderPoints } from './curvePoints.ts'
import { Legend } from './Legend.tsx'
import { NoPoints } from './NoPoints.tsx'
import styles from './PoolCurve.module.css'
import { parseCurveAddress } from './parseCurveAddress.ts'
import { quoteBookQuery } from './quoteBookQuery.ts'

/** The curve of the pool and the size that stand in the address. */
export function PoolCurve({ pools }: { pools: readonly [Pool, ...Pool[]] }) {
  const { client } = useService()
  const address = parseCurveAddress(useSearch())
  const known = pools.find(({ poolId }) => poolId === address.poolId)
  const pool = known ?? pools[0]
  const { poolId, loanToken: token } = pool
  const size = address.size ?? 250_000n * 10n ** BigInt(token.decimals)
  const firmOnly = address.firmOnly ?? false
  const go = (change: CurveAddress) => location.replace(curveHref({ poolId, size, firmOnly, ...change }))

  const book = useQuery({
    ...quoteBookQuery(client, { poolId, minNotional: (size + 1n) / 2n, maxNotional: size }),
    placeholderData: keepPreviousData,
  })
  const recent = useQuery(recentQuery(client, { poolId }))
  const choice = useChoice(pool, size)
  const firm = firmPoints(book.data?.quotes ?? [], choice)
  const points = orderPoints([...firm, ...(firmOnly ? [] : indicativePoints(recent.data ?? [], choice))])
  const isEarly = points.length === 0 && (book.isPlaceholderData || (recent.isPending && !firmOnly))

  const amount = `${formatAmount(size, token)} ${token.symbol}`
  return (
    <>
      {address.poolId !== undefined && !known && (
        <Notice tone="warning" title="There is no such pool here">
          <p>The address names a pool that this service does not know. What you see is another one.</p>
        </Notice>
      )}
      <CurveControls pools={pools} pool={pool} size={size} firmOnly={firmOnly} onChange={go} />
      <Panel
        title={`Fixed rates for ${amount}`}
        lead={`Quotes are taken whole: one counts if it fixes at least half of ${amount}, and no more than all of it.`}
        aside={
          points.length > 0 && (
            <ButtonLink look="main" href={auctionFormHref({ poolId, notional: size })}>
              Ask for quotes
            </ButtonLink>
          )
        }
      >
        <Loaded query={book} what="the quotes" rows={8}>
          {({ more }) => (
            <div className={styles['curve']}>
              {recent.error && !recent.data && !firmOnly && (
                <ErrorState
                  title="Could not load what auctions have seen"
                  error={recent.error}
                  onRetry={() => void recent.refetch()}
                />
              )}
              {isEarly && <Skeleton rows={8} what="the quotes" />}
              {points.length === 0 && !isEarly && <NoPoints choice={choice} pool={pool} firmOnly={firmOnly} />}
              {points.length > 0 && (
                <>
                  {firm.length === 0 && (
                    <Notice title={`Nobody has published a quote for ${amount}`}>
                      <p>What auctions have seen shows the price, but cannot be taken. Ask for quotes of your own.</p>
                    </Notice>
                  )}
                  <CurvePlot points={points} pool={pool} size={size} now={choice.now} />
                  <Legend pool={pool} size={size} firmOnly={firmOnly} />
                  {more && <p className={styles['note']}>There are more quotes than the best 500 that were read.</p>}
                  <CurveTable points={points} pool={pool} size={size} now={choice.now} />
                </>
              )}
            </div>
          )}
        </Loaded>
      </Panel>
    </>
  )
}

function useChoice({ series }: Pool, size: bigint): CurveChoice {
  const now = Math.floor(useServerNow(5_000) / 1000)
  const chain = useChain()
  return { series, size, now, ...(chain.state === 'ready' && { account: chain.client.account.address }) }
}
