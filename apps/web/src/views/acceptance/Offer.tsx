import { type Pool, poolsQuery, shareOfLimit, useExecutability, useService, useTake } from '@firmquote/react'
import type { Executability, RFQResult, SignedQuote } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { closeOf } from '../../fixing/auctions/closeOf.ts'
import { useSilent } from '../../fixing/auctions/useSilent.ts'
import { WhatToKnow } from '../../fixing/outcome/WhatToKnow.tsx'
import { useAsOf } from '../../fixing/useAsOf.ts'
import { acceptHref, auctionFormHref, auctionHref, quoteHref } from '../../routes.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ActionBar } from './ActionBar.tsx'
import { Allowed } from './Allowed.tsx'
import { Done } from './Done.tsx'
import type { ChosenQuote, FoundQuotes } from './findQuote.ts'
import { NextStep, Stages } from './NextStep.tsx'
import styles from './Offer.module.css'
import { OfferDetails } from './OfferDetails.tsx'
import { Progress } from './Progress.tsx'
import { Receipt } from './Receipt.tsx'
import { SafeToTake } from './SafeToTake.tsx'
import { useNewsAfterLeaving } from './useNewsAfterLeaving.tsx'

/** Shows the cost of offers and their caveats, whether they are safe to take as of the latest block, and the next action. */
export function Offer(
  props: FoundQuotes & {
    /** The price limit for the whole request. */
    limit: { maxVrtAmount: bigint }
    pool: Pool
    expiry: number
    /** The offers' auction; absent for a published quote. */
    auction?: RFQResult
    /** Called with the outcome's title once it is known. */
    onEnd: (title: string) => void
  },
) {
  const { chosen, others, request, limit, pool, expiry, auction, onEnd } = props
  const [{ hash, signed }, ...more] = chosen
  const { steps, unknownTerm, cannot, done, take: texts } = useAcceptanceTexts()
  // Taking less than requested requires the visitor's consent.
  const [takesLess, setTakesLess] = useState(false)
  const take = useTake({
    quotes: chosen.map((quote) => quote.signed),
    ...{ others, request, limit, part: takesLess || more.length > 0, key: auction?.rfqId },
  })
  const { state, executability, transaction, taken } = take
  const verdict = executability.data
  const silent = useSilent(transaction.state === 'asking')
  const hashes = more.length > 0 ? chosen.map((quote) => quote.hash) : []
  useNewsAfterLeaving(transaction, auction ? acceptHref(auction.rfqId, hash, hashes) : quoteHref(hash))

  const isOnItsWay = state.step === 'onItsWay'
  const isTaken = state.step === 'taken'
  // Once the offers are taken, the verdict no longer matters.
  useVerdictVoice(isTaken || isOnItsWay ? undefined : verdict)
  useEffect(() => {
    // The focused button is gone, so move focus to the result at the top of the page.
    if (isOnItsWay || isTaken) document.getElementById('main')?.focus()
  }, [isOnItsWay, isTaken])

  const end = isTaken ? (taken.some(({ positionId }) => positionId !== null) ? done.title : done.nothing) : null
  useEffect(() => {
    if (end !== null) onEnd(end)
  }, [end, onEnd])

  const asOf = useAsOf(useQuery(poolsQuery(useService().client)))
  const from = auction ? closeOf(auction) : asOf
  if (from >= expiry && !isTaken && !isOnItsWay) return <EmptyState title={cannot}>{unknownTerm}</EmptyState>
  const price = { ...priceOf(chosen), ...(more.length === 0 && verdict && { cost: verdict.cost }), from, expiry }
  const left = chosen.filter((quote) => !taken.some((fill) => fill.hash === quote.hash))
  const fixed = taken.reduce((sum, { notional }) => sum + notional, 0n)
  const takeable = !isTaken && !isOnItsWay && verdict?.checks[1].ok !== false
  return (
    <div className={styles['offer']}>
      {isTaken && (
        <Done
          taken={taken}
          pool={pool}
          from={from}
          expiry={expiry}
          restHref={auction && fixed < auction.notional ? auctionHref(auction.rfqId) : null}
        />
      )}
      {isOnItsWay && (
        <Panel title={steps.onItsWay.title} lead={steps.onItsWay.lead}>
          <div className={styles['way']}>
            <Stages take={take} />
            <Progress transaction={state.transaction} silent={false} />
          </div>
        </Panel>
      )}
      {from < expiry && !isTaken && (
        <Receipt chosen={chosen} price={price} pool={pool} takeable={takeable} alive={takeable || isOnItsWay} />
      )}
      {takeable && <WhatToKnow price={price} token={pool.loanToken} />}
      <div>
        {!isTaken && !isOnItsWay && (
          <SafeToTake reading={executability} token={pool.loanToken} onTakeLess={() => setTakesLess(true)} />
        )}
        <OfferDetails hash={hash} signed={signed} pool={pool} block={verdict?.block.number} />
        {more.map((quote) => (
          <OtherOffer key={quote.hash} {...quote} {...{ request, limit, pool }} isOpen={!isTaken && !isOnItsWay} />
        ))}
      </div>
      {state.step !== 'taken' && state.step !== 'onItsWay' && (
        <NextStep
          state={state}
          take={take}
          chosen={chosen}
          pool={pool}
          silent={silent}
          most={others.length > 0 ? shareOfLimit(limit.maxVrtAmount, price.notional, request) : null}
        />
      )}
      {verdict && !isOnItsWay && !take.isPending && <Allowed verdict={verdict} pool={pool} />}
      {state.step !== 'taken' && state.step !== 'onItsWay' && (
        <ActionBar
          state={state}
          take={take}
          price={{ ...priceOf(left), from, expiry }}
          signed={signed}
          pool={pool}
          silent={silent}
          instead={
            auction && others.length > 0
              ? { href: auctionHref(auction.rfqId), label: texts.seeOthers }
              : { href: auctionFormHref(signed), label: texts.askNew }
          }
        />
      )}
    </div>
  )
}

/** The checks and details of an offer that is taken together with the first one. */
function OtherOffer(
  props: ChosenQuote & Pick<Parameters<typeof Offer>[0], 'request' | 'limit' | 'pool'> & { isOpen: boolean },
) {
  const { hash, signed, request, limit, pool, isOpen } = props
  const { notional } = signed
  const maxVrtAmount = shareOfLimit(limit.maxVrtAmount, notional, request)
  const reading = useExecutability({ quote: signed, request: { ...request, notional, maxVrtAmount } })
  return (
    <>
      {isOpen && <SafeToTake reading={reading} token={pool.loanToken} />}
      <OfferDetails hash={hash} signed={signed} pool={pool} block={reading.data?.block.number} />
    </>
  )
}

function priceOf(chosen: readonly ChosenQuote[]): { notional: bigint; cost: bigint } {
  const sum = (amount: (signed: SignedQuote) => bigint) =>
    chosen.reduce((total, { signed }) => total + amount(signed), 0n)
  return { notional: sum(({ notional }) => notional), cost: sum(({ vrtAmount }) => vrtAmount) }
}

/** Announces when an offer becomes takeable or ceases to be. */
function useVerdictVoice(verdict: Executability | undefined): void {
  const announce = useAnnounce()
  const { checks } = useAcceptanceTexts()
  const executable = verdict?.executable
  const count = verdict?.checks.length ?? 0
  const before = useRef<boolean | undefined>(undefined)
  useEffect(() => {
    if (executable === undefined || executable === before.current) return
    if (executable) announce(checks.saidPassed(count))
    else if (before.current) announce(checks.saidFailed)
    before.current = executable
  }, [executable, count, announce, checks])
}
