import { type Pool, poolsQuery, recentQuery, useService } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { useSearch } from 'wouter'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { useFormats } from '../../copy/words.ts'
import { defaultSeries } from '../../fixing/offers/defaultSeries.ts'
import { priceAttributes, standingOf } from '../../fixing/offers/priceAttributes.ts'
import { maxQuotes, quoteBookQuery } from '../../fixing/offers/quoteBookQuery.ts'
import { RatesOverTime } from '../../fixing/offers/RatesOverTime.tsx'
import { useKnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { useAsOf } from '../../fixing/useAsOf.ts'
import { type CurveAddress, curveHref } from '../../routes.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Choice } from '../../ui/Field.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { ErrorState, Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ChosenTerm } from './ChosenTerm.tsx'
import { CurveControls } from './CurveControls.tsx'
import { CurvePlot } from './CurvePlot.tsx'
import { CurveTable } from './CurveTable.tsx'
import { chooseCurve } from './chooseCurve.ts'
import { curvePoints } from './curvePoints.ts'
import { Legend } from './Legend.tsx'
import { NoPoints } from './NoPoints.tsx'
import styles from './PoolCurve.module.css'
import { parseCurveAddress } from './parseCurveAddress.ts'

/** The curve for the pool and size in the address, or for the account's unfixed amount. */
export function PoolCurve(props: {
  pools: readonly [Pool, ...Pool[]]
  /** The connected account and, if known, its debt. */
  account?: Address | undefined
  positions: AccountPositions | null
}) {
  const { pools, account, positions } = props
  const { client } = useService()
  const formats = useFormats()
  const { curve } = useRatesTexts()
  const now = useAsOf(useQuery(poolsQuery(client)))
  const address = parseCurveAddress(useSearch())
  const { pool, size, unfixed } = chooseCurve(pools, address, positions, now)
  const { poolId, loanToken: token, series } = pool
  const firmOnly = address.firmOnly ?? false
  const go = (change: CurveAddress) => location.replace(curveHref({ ...address, poolId, size, firmOnly, ...change }))

  const book = useQuery(quoteBookQuery(client, poolId))
  const recent = useQuery(recentQuery(client))
  const offers = useKnownOffers([pool], account, now)
  const known = curvePoints(pool, offers.bySeries, { size, now })
  const points = firmOnly ? known.filter(({ kind }) => kind === 'firm') : known
  const isEarly = recent.isPending && !firmOnly
  const there = series.filter(({ seriesKey }) => points.some((point) => point.seriesKey === seriesKey))
  const chosen =
    there.find(({ seriesKey }) => seriesKey === address.seriesKey)?.seriesKey ?? defaultSeries(there, now)?.seriesKey
  const point = points.find(({ seriesKey }) => seriesKey === chosen)

  const amount = formats.withSymbol(formats.amount(size, token), token)
  /** Returns the second line of a term's chip. A term without a rate cannot be chosen. */
  const chipOf = (seriesKey: Hex) => {
    const at = points.find((one) => one.seriesKey === seriesKey)
    if (!at) return { detail: curve.noRate, none: true }
    const said = at.kind === 'firm' ? formats.rate(at.effectiveApy) : curve.aboutRate(formats.rate(at.effectiveApy, 1))
    return { detail: <span {...priceAttributes(at, standingOf(at))}>{said}</span> }
  }
  return (
    <>
      {address.poolId !== undefined && pool.poolId !== address.poolId && (
        <Notice tone="warning" title={curve.unknownMarket}>
          <p>{curve.unknownMarketWhy}</p>
        </Notice>
      )}
      <CurveControls pools={pools} pool={pool} size={size} unfixed={unfixed} firmOnly={firmOnly} onChange={go} />
      <Panel title={curve.ratesFor(amount)}>
        <Loaded query={book} what="offers" rows={8}>
          {({ more }) => (
            <div className={styles['curve']}>
              {recent.error && !recent.data && !firmOnly && (
                <ErrorState title={curve.seenNotLoaded} error={recent.error} onRetry={() => void recent.refetch()} />
              )}
              {isEarly && <Skeleton rows={8} what="offers" />}
              {!isEarly && !point && (
                <>
                  <NoPoints offers={offers} size={size} pool={pool} firmOnly={firmOnly} />
                  <section className={styles['overTime']} aria-label={curve.noOffers.overTime}>
                    <h3>{curve.noOffers.overTime}</h3>
                    <RatesOverTime pool={pool} days={365} />
                  </section>
                </>
              )}
              {!isEarly && point && (
                <>
                  <div className={styles['terms']}>
                    <Choice
                      legend={curve.controls.term}
                      options={series
                        .filter(({ expiry }) => expiry > now)
                        .map(({ seriesKey, expiry }) => ({
                          value: seriesKey,
                          label: formats.day(expiry),
                          ...chipOf(seriesKey),
                        }))}
                      value={point.seriesKey}
                      onChange={(seriesKey) => go({ seriesKey })}
                    />
                  </div>
                  <CurvePlot
                    points={points}
                    pool={pool}
                    now={now}
                    chosen={point.seriesKey}
                    onChoose={(seriesKey) => go({ seriesKey })}
                  />
                  <Legend points={points} pool={pool} />
                  <ChosenTerm point={point} pool={pool} now={now} />
                  {more && <p className={styles['note']}>{curve.more(formats.count(maxQuotes))}</p>}
                  <Disclosure title={curve.table.title}>
                    <div className={styles['table']}>
                      <CurveTable points={points} pool={pool} now={now} />
                    </div>
                  </Disclosure>
                </>
              )}
            </div>
          )}
        </Loaded>
      </Panel>
    </>
  )
}
