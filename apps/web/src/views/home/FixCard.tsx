import { configQuery, type Pool, useService } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, Suspense, useRef } from 'react'
import { useConnection } from 'wagmi'
import { explainHalt } from '../../copy/explainHalt.ts'
import { marketName } from '../../copy/marketName.ts'
import { spellAmount } from '../../copy/readAmount.ts'
import { useWords } from '../../copy/words.ts'
import { useStartAuction } from '../../fixing/auctions/useStartAuction.tsx'
import { FixableNote } from '../../fixing/debt/FixableNote.tsx'
import { shareOfDebt } from '../../fixing/debt/unfixed.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { type AuctionDraft, quoteHref } from '../../routes.ts'
import { AmountInput } from '../../ui/AmountInput.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConnectButton } from '../../ui/ConnectButton.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Field } from '../../ui/Field.tsx'
import { loadView } from '../../ui/loadView.ts'
import { EmptyState, ErrorState, Notice } from '../../ui/Notice.tsx'
import { DebtLine } from './DebtLine.tsx'
import styles from './FixCard.module.css'
import { FixPrice } from './FixPrice.tsx'
import { MaxRateField } from './MaxRateField.tsx'
import { TermChoice } from './TermChoice.tsx'
import { type FixForm, useFixForm } from './useFixForm.ts'

// Only a connected account needs what reads the chain and asks the wallet.
const FundsWarning = loadView(async () => (await import('../../fixing/FundsWarning.tsx')).FundsWarning)
const ProveTaker = loadView(async () => (await import('./ProveTaker.tsx')).ProveTaker)

/**
 * Fixes an amount for a term: shows the rate of published quotes, leads to their review, and requests quotes in an
 * auction.
 */
export function FixCard(props: {
  pools: readonly [Pool, ...Pool[]]
  offers: KnownOffers
  /** When the prices were read, in Unix seconds. */
  now: number
  draft: AuctionDraft
  /** The connected account's debts, if they are known. */
  account?: AccountPositions | undefined
  /** Whether the card is for the account's debt in the only pool, so that it needs no amount and no market. */
  forDebt?: boolean
}) {
  const { pools, offers, now, draft, account, forDebt = false } = props
  const { client } = useService()
  const { data: config } = useSuspenseQuery(configQuery(client))
  const copy = useWords()
  const { texts, formats } = copy
  const { form: labels, price: words, noTerms, noTermsWhy } = texts.home
  const { address } = useConnection()
  const form = useFixForm({ pools, offers, now, draft, account, taker: address })
  const { text, parsed, prices, size, request, mistake } = form
  const { pool, series } = parsed
  const halted = series?.halted
  const element = useRef<HTMLFormElement>(null)
  const { start, busy, error } = useStartAuction({ replace: false })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (request) return start(request)
    form.tell()
    requestAnimationFrame(() => {
      const wrong = element.current?.querySelector<HTMLElement>(
        'fieldset[data-invalid] input, :is(input, select)[aria-invalid]',
      )
      // A field in a collapsed section cannot receive focus.
      wrong?.closest('details')?.setAttribute('open', '')
      wrong?.focus()
    })
  }

  const { term, firm: best = null } = prices ?? {}
  // A lower maximum rate leaves out published quotes.
  const isWithin = best !== null && (parsed.capApy === null || best.effectiveApy <= parsed.capApy)
  const firm = size !== null && !offers.pending && isWithin ? best : null
  const isWhole = firm !== null && firm.notional === size
  const isForAnyone = address === undefined
  // The row shows the whole debt.
  const isAll = forDebt && !form.isSized && pool && account && shareOfDebt(account, pool.poolId, now).fixed === 0n
  const connects = isForAnyone && firm !== null && Object.keys(draft).length === 0
  const maxRate = (
    <>
      <MaxRateField form={form} />
      {address && (
        <Suspense fallback={null}>
          <ProveTaker />
        </Suspense>
      )}
    </>
  )
  const amount = <AmountField form={form} now={now} account={account} />
  return (
    <form ref={element} className={styles['card']} onSubmit={submit} noValidate>
      <div className={styles['inputs']}>
        {!forDebt && amount}
        {!forDebt && (pools.length > 1 || !pool) && <MarketField form={form} pools={pools} />}
        {prices && prices.terms.length === 0 ? (
          <EmptyState title={noTerms}>{noTermsWhy}</EmptyState>
        ) : (
          prices &&
          pool && (
            <TermChoice
              terms={prices.terms}
              offers={offers}
              size={size}
              token={forDebt && !isAll && pool ? pool.loanToken : null}
              now={now}
              value={text.seriesKey}
              error={mistake('series')}
              onChange={(seriesKey) => form.change({ seriesKey })}
            />
          )
        )}
        {term && pool && !form.isSized && <FixableNote term={term} token={pool.loanToken} />}
        {forDebt ? (
          <Disclosure
            title={labels.change}
            open={form.isSized || mistake('amount') !== undefined || mistake('cap') !== undefined}
          >
            <div className={styles['inputs']}>
              {amount}
              {maxRate}
            </div>
          </Disclosure>
        ) : (
          !connects && (
            <Disclosure
              title={labels.maxRate}
              note={form.maxApy !== null && labels.upTo(formats.rate(form.maxApy))}
              open={mistake('cap') !== undefined}
            >
              <div className={styles['inputs']}>{maxRate}</div>
            </Disclosure>
          )
        )}
      </div>
      <div className={styles['result']}>
        {pool && (
          <FixPrice
            pool={pool}
            price={size === null ? null : (firm ?? term?.price ?? null)}
            isWhole={isWhole}
            expiry={term?.series.expiry ?? null}
            offers={offers}
            size={size}
          />
        )}
        {address && pool && size !== null && (
          <Suspense fallback={null}>
            <FundsWarning pool={pool} cost={(firm ?? term?.price)?.cost ?? null} />
          </Suspense>
        )}
        {halted && <Notice tone="warning">{explainHalt(halted.message, copy)}</Notice>}
        <div className={styles['actions']}>
          {connects ? (
            <ConnectButton />
          ) : (
            <>
              {firm && !isForAnyone && pool && (
                <ButtonLink look="main" href={quoteHref(firm.hash, firm.together)}>
                  {isWhole
                    ? words.fixAt(formats.rate(firm.effectiveApy))
                    : words.fixNow(formats.amount(firm.notional, pool.loanToken))}
                </ButtonLink>
              )}
              <Button
                type="submit"
                look={firm && !isForAnyone ? 'plain' : 'main'}
                busy={busy}
                disabled={halted !== undefined}
              >
                {words.getQuotes(formats.count(Math.round(config.auction.durationMs / 1000)))}
              </Button>
            </>
          )}
        </div>
        {!connects && isForAnyone && <p className={styles['note']}>{labels.forAnyone}</p>}
        {error && <ErrorState title={texts.auction.notStarted} error={error} />}
      </div>
    </form>
  )
}

function AmountField(props: { form: FixForm; now: number; account: AccountPositions | undefined }): ReactNode {
  const { form, now, account } = props
  const { parsed, text, isSized } = form
  const { pool, series, notional } = parsed
  const words = useWords()
  const { home, amounts } = words.texts
  const share = account && pool ? shareOfDebt(account, pool.poolId, now) : undefined
  const example = amounts.example(words.formats.count(250_000), '250k')
  const understood = pool && notional !== null ? spellAmount(notional, pool.loanToken, words) : example
  return (
    <div className={styles['group']}>
      <Field
        label={home.form.amount}
        hint={isSized ? understood : undefined}
        error={form.mistake('amount')}
        corrections={parsed.corrections.amount}
        onCorrect={(amount) => form.change({ amount })}
      >
        {(ids) => (
          <AmountInput
            ids={ids}
            symbol={pool?.loanToken.symbol}
            value={text.amount}
            onChange={(amount) => form.change({ amount })}
            onLeave={() => form.tell('amount')}
          />
        )}
      </Field>
      {pool && share && (
        <DebtLine
          share={share}
          token={pool.loanToken}
          series={series}
          notional={notional}
          onUse={(amount) => form.change({ amount })}
        />
      )}
    </div>
  )
}

function MarketField({ form, pools }: { form: FixForm; pools: readonly Pool[] }) {
  const words = useWords()
  const { common, home } = words.texts
  const { pool } = form.parsed
  return (
    <Field label={common.names.market} error={form.mistake('pool')}>
      {(ids) => (
        <select {...ids} value={form.text.poolId ?? ''} onChange={({ target }) => form.changeMarket(target.value)}>
          {pool === null && <option value="">{home.form.chooseMarket}</option>}
          {pools.map((other) => (
            <option key={other.poolId} value={other.poolId}>
              {marketName(other, words)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
