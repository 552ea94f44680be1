import { configQuery, type Pool, poolsQuery, usePositions, useServerNow, useService } from '@firmquote/react'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useConnection } from 'wagmi'
import { marketName } from '../../../copy/marketName.ts'
import { spellAmount } from '../../../copy/readAmount.ts'
import { useWords } from '../../../copy/words.ts'
import { useStartAuction } from '../../../fixing/auctions/useStartAuction.tsx'
import { shareOfDebt } from '../../../fixing/debt/unfixed.ts'
import { termPrices } from '../../../fixing/offers/termPrices.ts'
import { useKnownOffers } from '../../../fixing/offers/useKnownOffers.ts'
import { useAsOf } from '../../../fixing/useAsOf.ts'
import type { AuctionDraft } from '../../../routes.ts'
import { AddressLink } from '../../../ui/AddressLink.tsx'
import { AmountInput } from '../../../ui/AmountInput.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Rate } from '../../../ui/figures.tsx'
import { ErrorState } from '../../../ui/Notice.tsx'
import { StickyBar } from '../../../ui/StickyBar.tsx'
import styles from './AuctionForm.module.css'
import { DebtLine } from './DebtLine.tsx'
import { Estimate } from './Estimate.tsx'
import { type ChosenTerms, chooseMarket, fillForm, openForm } from './fillForm.ts'
import { LimitField } from './LimitField.tsx'
import { ProveTaker } from './ProveTaker.tsx'
import { type AuctionMistakes, parseAuctionForm } from './parseAuctionForm.ts'
import { TermChoice } from './TermChoice.tsx'

/** The form for market, amount, term and optional limit, with an estimate and a button to open the auction. */
export function AuctionForm({ pools, draft }: { pools: readonly Pool[]; draft: AuctionDraft }) {
  const { client } = useService()
  const { data: config } = useSuspenseQuery(configQuery(client))
  const words = useWords()
  const { texts, formats } = words
  const { form: labels, notStarted } = texts.auction
  const { address, status } = useConnection()
  const now = Math.floor(useServerNow({ intervalMs: 10_000 }) / 1000)
  const [chosen, setChosen] = useState(() => openForm(draft, { pools, now, words }))
  // Fields whose errors are shown. A field's error appears only after blur or submit.
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const form = useRef<HTMLFormElement>(null)
  const { start, busy, error } = useStartAuction({ replace: true })
  const positions = usePositions({ address })

  const text = fillForm(chosen, { pools, account: positions.data, now, words })
  const parsed = parseAuctionForm(text, { pools, taker: address, now, words })
  const { pool, series, notional } = parsed
  const share = positions.data && pool ? shareOfDebt(positions.data, pool.poolId, now) : undefined
  // Use the response time that the home view uses, so that both show the same prices.
  const asOf = useAsOf(useQuery(poolsQuery(client)))
  const offers = useKnownOffers(pools, address, asOf)
  const terms = pool ? termPrices(pool, offers.bySeries, { wanted: notional ?? 0n, now: asOf }) : []
  const term = terms.find((one) => one.series.seriesKey === text.seriesKey)
  // Any change pins the current market, because the entered values are meant for it.
  const change = (part: ChosenTerms) => setChosen((before) => ({ ...before, poolId: text.poolId, ...part }))
  const tell = (field: string) => setShown((before) => new Set(before).add(field))
  const mistake = (field: keyof AuctionMistakes) => (shown.has(field) ? parsed.mistakes[field] : undefined)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (parsed.request) return start(parsed.request)
    setShown(new Set(['pool', 'series', 'amount', 'cap']))
    requestAnimationFrame(() => {
      const wrong = form.current?.querySelector<HTMLElement>(
        'fieldset[data-invalid] input, :is(input, select)[aria-invalid]',
      )
      // A field in a collapsed section cannot receive focus.
      wrong?.closest('details')?.setAttribute('open', '')
      wrong?.focus()
    })
  }
  const understood = pool && notional !== null ? spellAmount(notional, pool.loanToken, words) : undefined

  return (
    <form ref={form} className={styles['form']} onSubmit={submit} noValidate>
      <Field
        label={texts.common.names.market}
        hint={pool && labels.floating(<Rate percent={pool.floating.apy} tone="floating" />)}
        error={mistake('pool')}
      >
        {(ids) => (
          <select
            {...ids}
            value={text.poolId ?? ''}
            onChange={({ target }) => setChosen(chooseMarket(chosen, target.value, { pools, expiry: series?.expiry }))}
          >
            {pool === null && <option value="">{labels.chooseMarket}</option>}
            {pools.map((other) => (
              <option key={other.poolId} value={other.poolId}>
                {marketName(other, words)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className={styles['group']}>
        <Field
          label={labels.amount}
          error={mistake('amount')}
          corrections={parsed.corrections.amount}
          onCorrect={(amount) => change({ amount })}
          hint={understood ?? texts.amounts.example(formats.count(250_000), '250k')}
        >
          {(ids) => (
            <AmountInput
              ids={ids}
              symbol={pool?.loanToken.symbol}
              value={text.amount}
              onChange={(amount) => change({ amount })}
              onLeave={() => tell('amount')}
            />
          )}
        </Field>
        {pool && share && status !== 'reconnecting' && (
          <DebtLine
            share={share}
            token={pool.loanToken}
            series={series}
            notional={notional}
            onUse={(amount) => change({ amount })}
          />
        )}
        {/* Reserves the height of the line that is about to appear, to avoid a layout shift. */}
        {pool && (positions.isLoading || status === 'reconnecting') && (
          <p className={styles['note']}>{texts.common.waiting}</p>
        )}
        {positions.isError && !positions.data && (
          <p className={styles['note']}>{texts.common.notLoaded(texts.common.things.debts)}</p>
        )}
      </div>
      {pool && (
        <TermChoice
          pool={pool}
          notional={notional}
          terms={terms}
          offers={offers}
          now={now}
          value={text.seriesKey}
          error={mistake('series')}
          onChange={(seriesKey) => change({ seriesKey })}
        />
      )}
      {pool && term && <Estimate pool={pool} notional={notional} term={term} offers={offers} now={asOf} />}
      <div>
        <LimitField
          parsed={parsed}
          text={text.cap}
          error={mistake('cap')}
          bestApy={term?.price?.effectiveApy}
          onChange={(cap) => change({ cap })}
          onLeave={() => tell('cap')}
        />
        <ProveTaker />
      </div>
      <p className={styles['note']}>{address ? labels.forYou(<AddressLink address={address} />) : labels.forAnyone}</p>
      {error && <ErrorState title={notStarted} error={error} />}
      <StickyBar summary={labels.free}>
        <Button type="submit" look="main" busy={busy}>
          {busy ? labels.opening : labels.start(formats.time(config.auction.durationMs / 1000))}
        </Button>
      </StickyBar>
    </form>
  )
}
