import { formatRate } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useConnection } from 'wagmi'
import type { AuctionDraft } from '../../routes.ts'
import { poolName } from '../../service/poolName.ts'
import { defaultMaxApr, defaultPointsAbove } from '../../service/priceLimit.ts'
import { positionsQuery, recentQuery, sizedPoolQuery } from '../../service/queries.ts'
import { serverNow } from '../../service/serverClock.ts'
import { type Pool, useService } from '../../service/serviceContext.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, type FieldIds } from '../../ui/Field.tsx'
import { Amount, ShortAddress } from '../../ui/figures.tsx'
import { ErrorState } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { useSettled } from '../../ui/useSettled.ts'
import styles from './AuctionForm.module.css'
import { Expectation } from './Expectation.tsx'
import { knownRates } from './knownRates.ts'
import { ProveTaker } from './ProveTaker.tsx'
import { formatAmountInput } from './parseAmount.ts'
import { type AuctionFormText, type AuctionMistakes, parseAuctionForm } from './parseAuctionForm.ts'
import { SeriesChoice } from './SeriesChoice.tsx'
import { useStartAuction } from './useStartAuction.ts'

/** Pool, maturity, amount and perhaps a cap; beside it what to expect. */
export function AuctionForm({ pools, draft }: { pools: readonly Pool[]; draft: AuctionDraft }) {
  const { client } = useService()
  const { address } = useConnection()
  const [text, setText] = useState(() => openForm(pools, draft))
  // A mistake is shown once its field has been left, or when the form was sent.
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const form = useRef<HTMLFormElement>(null)
  const { start, busy, error } = useStartAuction()
  const positions = useQuery({ ...positionsQuery(client, address ?? '0x'), enabled: address !== undefined })

  const now = Math.floor(serverNow() / 1000)
  const parsed = parseAuctionForm(text, { pools, taker: address, now })
  const { pool, series } = parsed
  const debt = positions.data
    ? (positions.data.debts.find(({ poolId }) => poolId === text.poolId)?.debt ?? 0n)
    : undefined
  const recent = useQuery({ ...recentQuery(client, pool ? { poolId: pool.poolId } : {}), enabled: pool !== null })
  const size = useSettled(parsed.notional, 300)
  const sized = useQuery({
    ...sizedPoolQuery(client, { poolId: pool?.poolId ?? '0x', notional: size ?? 0n }),
    enabled: pool !== null && size !== null && size > 0n,
  })
  // Without observations, what the pools say of themselves is enough.
  const rates = pool && knownRates(sized.data?.[0] ?? pool, recent.data ?? [], { size, now: now * 1000 })
  const change = (part: Partial<AuctionFormText>) => setText((before) => ({ ...before, ...part }))
  const tell = (field: string) => setShown((before) => new Set(before).add(field))
  const mistake = (field: keyof AuctionMistakes) => (shown.has(field) ? parsed.mistakes[field] : undefined)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (parsed.request) return start(parsed.request)
    setShown(new Set(['pool', 'series', 'amount', 'cap']))
    requestAnimationFrame(() => {
      form.current
        ?.querySelector<HTMLElement>('[role=radiogroup][aria-invalid] input, :is(input, select)[aria-invalid]')
        ?.focus()
    })
  }
  const amountInput = (field: 'amount' | 'cap', ids: FieldIds) => (
    <span className={styles['withUnit']}>
      <input
        {...ids}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        value={text[field]}
        onChange={(event) => change({ [field]: event.target.value })}
        onBlur={() => text[field].trim() !== '' && tell(field)}
      />
      <span className={styles['unit']}>{pool?.loanToken.symbol}</span>
    </span>
  )

  return (
    <div className={styles['columns']}>
      <Panel title="Your terms">
        <form ref={form} className={styles['form']} onSubmit={submit} noValidate>
          <Field label="Pool" hint={pool && floatingHint(pool)} error={mistake('pool')}>
            {(ids) => (
              <select
                {...ids}
                value={text.poolId ?? ''}
                onChange={({ target }) => change(choosePool(pools, target.value, series?.expiry))}
              >
                {pool === null && <option value="">Choose a pool</option>}
                {pools.map((known) => (
                  <option key={known.poolId} value={known.poolId}>
                    {poolName(known)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {pool && rates && (
            <SeriesChoice
              pool={pool}
              rates={rates}
              value={text.seriesKey}
              error={mistake('series')}
              onChange={(seriesKey) => change({ seriesKey })}
            />
          )}
          <div>
            <Field label="Amount to fix" error={mistake('amount')} hint="Such as 250,000 or 250k.">
              {(ids) => amountInput('amount', ids)}
            </Field>
            {pool && debt !== undefined && (
              <p className={styles['owed']}>
                {debt === 0n ? (
                  'The connected account owes nothing here.'
                ) : (
                  <>
                    You owe <Amount value={debt} token={pool.loanToken} />
                    <button
                      type="button"
                      className={styles['quiet']}
                      onClick={() => {
                        const room = series ? series.capacity : debt
                        change({ amount: formatAmountInput(debt < room ? debt : room, pool.loanToken.decimals) })
                      }}
                    >
                      {series && series.capacity < debt ? 'use what the series can take' : 'use all'}
                    </button>
                  </>
                )}
              </p>
            )}
          </div>
          <Field
            label="Maximum total cost (optional)"
            error={mistake('cap')}
            hint={
              parsed.capApr === null
                ? `Makers who want more cannot answer.${pool ? ` Empty: you take nothing above ${formatRate(defaultMaxApr(pool))} APR, ${defaultPointsAbove} points above floating.` : ''}`
                : `Not more than ${formatRate(parsed.capApr)} APR.`
            }
          >
            {(ids) => amountInput('cap', ids)}
          </Field>
          <ProveTaker />
          {error && <ErrorState title="The auction could not be started" error={error} />}
          <div className={styles['send']}>
            <Button type="submit" look="main" busy={busy}>
              {busy ? 'Opening the auction …' : 'Start the auction'}
            </Button>
            <p className={styles['note']}>
              {address ? (
                <>
                  Quotes will be signed for <ShortAddress address={address} /> alone: nobody else can take them.
                </>
              ) : (
                'No wallet is connected, so quotes will be signed for anyone. Connect one to have them for yourself alone.'
              )}
            </p>
          </div>
        </form>
      </Panel>
      <Expectation parsed={parsed} debt={debt} bestApr={series && rates?.get(series.seriesKey)} />
    </div>
  )
}

function floatingHint({ floating }: Pool): string {
  return `Floating today: ${formatRate(floating.apr)} APR.`
}

function openForm(pools: readonly Pool[], { poolId, seriesKey, notional }: AuctionDraft): AuctionFormText {
  const pool = poolId === undefined ? pools[0] : pools.find((known) => known.poolId === poolId)
  const series = seriesKey === undefined ? pool?.series[0] : pool?.series.find((known) => known.seriesKey === seriesKey)
  return {
    poolId: pool?.poolId ?? null,
    seriesKey: series?.seriesKey ?? null,
    amount: pool && notional !== undefined ? formatAmountInput(notional, pool.loanToken.decimals) : '',
    cap: '',
  }
}

/** Another pool keeps the maturity, where it has one of that day. */
function choosePool(pools: readonly Pool[], poolId: string, expiry: number | undefined): Partial<AuctionFormText> {
  const pool = pools.find((known) => known.poolId === poolId)
  const series = pool?.series.find((known) => known.expiry === expiry)
  return { poolId: pool?.poolId ?? null, seriesKey: series?.seriesKey ?? null }
}
