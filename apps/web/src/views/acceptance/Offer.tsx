import {
  type Pool,
  poolsQuery,
  shareOfLimit,
  useExecutability,
  usePositions,
  useService,
  useTake,
} from '@firmquote/react'
import type { Executability, RFQResult, SignedQuote } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useConnection } from 'wagmi'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useWords } from '../../copy/words.ts'
import { closeOf } from '../../fixing/auctions/closeOf.ts'
import { useSilent } from '../../fixing/auctions/useSilent.ts'
import { type LoanHealth, loanHealth } from '../../fixing/debt/loanHealth.ts'
import type { Standing } from '../../fixing/offers/priceAttributes.ts'
import { Comparison } from '../../fixing/outcome/Comparison.tsx'
import { compareAtRate, type FixedPrice } from '../../fixing/outcome/comparison.ts'
import { Scenarios } from '../../fixing/outcome/Scenarios.tsx'
import { WhatToKnow } from '../../fixing/outcome/WhatToKnow.tsx'
import { useAsOf } from '../../fixing/useAsOf.ts'
import { useNetworkFee } from '../../fixing/useNetworkFee.ts'
import { acceptHref, auctionHref, fixHref, quoteHref } from '../../routes.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Amount } from '../../ui/figures.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { ActionBar } from './ActionBar.tsx'
import { Allowed } from './Allowed.tsx'
import { Confirmations } from './Confirmations.tsx'
import { Done } from './Done.tsx'
import type { ChosenQuote, FoundQuotes } from './findQuote.ts'
import { NextStep } from './NextStep.tsx'
import styles from './Offer.module.css'
import { OfferDetails } from './OfferDetails.tsx'
import { Progress } from './Progress.tsx'
import { Receipt } from './Receipt.tsx'
import { SafeToTake } from './SafeToTake.tsx'
import { useNewsAfterLeaving } from './useNewsAfterLeaving.tsx'

/** The review of quotes: their cost and risks, the checks as of the latest block, and the next action. */
export function Offer(
  props: FoundQuotes & {
    /** The price limit for the whole request. */
    limit: { maxVrtAmount: bigint }
    pool: Pool
    expiry: number
    /** The quotes' auction; absent for a published quote. */
    auction?: RFQResult
    /** Called with the view's title. */
    onTitle: (title: string) => void
  },
) {
  const { chosen, others, request, limit, pool, expiry, auction, onTitle } = props
  const [{ hash, signed }, ...more] = chosen
  const { steps, unknownTerm, cannot, done, receipt, take: texts } = useAcceptanceTexts()
  const { formats } = useWords()
  // Taking less than requested requires the visitor's consent.
  const [takesLess, setTakesLess] = useState(false)
  const take = useTake({
    quotes: chosen.map((quote) => quote.signed),
    ...{
      others,
      request,
      limit,
      part: takesLess || more.length > 0,
      key: auction?.rfqId,
      loanToken: pool.loanToken.address,
    },
  })
  const { state, executability, transaction, taken } = take
  const verdict = executability.data
  const silent = useSilent(transaction.state === 'asking')
  const hashes = more.length > 0 ? chosen.map((quote) => quote.hash) : []
  useNewsAfterLeaving(transaction, auction ? acceptHref(auction.rfqId, hash, hashes) : quoteHref(hash, hashes))

  const isOnItsWay = state.step === 'onItsWay'
  const isTaken = state.step === 'taken'
  // Once the quotes are taken, the verdict no longer matters.
  useVerdictVoice(isTaken || isOnItsWay ? undefined : verdict)
  useEffect(() => {
    // The focused button is gone, so move focus to the result at the top of the page.
    if (isOnItsWay || isTaken) document.getElementById('main')?.focus()
  }, [isOnItsWay, isTaken])

  const health = useHealth(pool)
  const fee = useNetworkFee(state, pool.loanToken.address)
  const asOf = useAsOf(useQuery(poolsQuery(useService().client)))
  const from = auction ? closeOf(auction) : asOf
  const price = { ...priceOf(chosen), ...(more.length === 0 && verdict && { cost: verdict.cost }), from, expiry }
  const opened = taken.some(({ positionId }) => positionId !== null)
  const size = formats.withSymbol(formats.exact(price.notional, pool.loanToken), pool.loanToken)
  const title = isTaken
    ? opened
      ? done.title
      : done.nothing
    : isOnItsWay
      ? steps.onItsWay.title
      : receipt.title(size, formats.day(expiry))
  useEffect(() => onTitle(title), [title, onTitle])

  if (from >= expiry && !isTaken && !isOnItsWay) return <EmptyState title={cannot}>{unknownTerm}</EmptyState>
  const count = chosen.length
  const most = others.length > 0 ? shareOfLimit(limit.maxVrtAmount, price.notional, request) : null
  const left = chosen.filter((quote) => !taken.some((fill) => fill.hash === quote.hash))
  const fixed = taken.reduce((sum, { notional }) => sum + notional, 0n)
  const takeable = verdict?.checks[1].ok !== false
  const { loanToken: token } = pool
  const details = (
    <>
      <OfferDetails
        hash={hash}
        signed={signed}
        pool={pool}
        block={verdict?.block.number}
        {...(count > 1 && { index: 1 })}
      />
      {more.map((quote, index) => (
        <OfferDetails key={quote.hash} {...quote} pool={pool} index={index + 2} />
      ))}
    </>
  )
  const allowed = verdict && !take.isPending && <Allowed verdict={verdict} pool={pool} />
  if (isTaken) {
    return (
      <div className={styles['end']}>
        <Done
          taken={taken}
          pool={pool}
          from={from}
          expiry={expiry}
          rest={
            auction && fixed < auction.notional
              ? { href: auctionHref(auction.rfqId), notional: auction.notional - fixed }
              : null
          }
        />
        <div>
          {details}
          {allowed}
        </div>
      </div>
    )
  }
  if (isOnItsWay) {
    return (
      <div className={styles['end']}>
        <p>{steps.onItsWay.lead}</p>
        <Progress transaction={state.transaction} silent={false} />
      </div>
    )
  }
  return (
    <div className={styles['offer']}>
      <Receipt chosen={chosen} price={price} pool={pool} takeable={takeable} most={most} fee={fee} />
      <div className={styles['decision']}>
        {takeable && <WhatToKnow price={{ ...price, cost: null }} token={token} health={health} payoutShown />}
        <div>
          <SafeToTake
            reading={executability}
            token={token}
            onTakeLess={() => setTakesLess(true)}
            {...(count > 1 && { index: 1 })}
          />
          {more.map((quote, index) => (
            <OtherChecks key={quote.hash} {...quote} {...{ request, limit, pool }} index={index + 2} />
          ))}
          <Confirmations take={take} most={most} token={token} />
          {allowed}
        </div>
        <NextStep state={state} take={take} chosen={chosen} pool={pool} silent={silent} />
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
              : { href: fixHref(signed), label: texts.askNew }
          }
        />
      </div>
      <div>
        {takeable && (
          <ScenarioDisclosure price={price} pool={pool} standing={[hash, ...more.map((quote) => quote.hash)]} />
        )}
        {details}
      </div>
    </div>
  )
}

/** How much more or less than variable the quotes cost at today's rate, and at others inside. */
function ScenarioDisclosure({ price, pool, standing }: { price: FixedPrice; pool: Pool; standing: Standing }) {
  const { scenarios } = useAcceptanceTexts()
  const { difference } = compareAtRate(price, pool.floating.ratePerSec)
  const amount = <Amount value={difference < 0n ? -difference : difference} token={pool.loanToken} />
  const title = difference === 0n ? scenarios.same : (difference > 0n ? scenarios.more : scenarios.less)(amount)
  return (
    <Disclosure title={title}>
      <div className={styles['scenarios']}>
        <Comparison costShown moreShown price={price} pool={pool} standing={standing} />
        <Scenarios price={price} pool={pool} />
      </div>
    </Disclosure>
  )
}

/** The health of the connected account's debt in a pool, or undefined if it has none. */
function useHealth(pool: Pool): LoanHealth | undefined {
  const { address } = useConnection()
  const { data } = usePositions({ address })
  const debt = data?.debts.find(({ poolId }) => poolId === pool.poolId)
  return debt && loanHealth(debt, pool)
}

/** The checks of a quote that is taken together with the first one. */
function OtherChecks(
  props: ChosenQuote & Pick<Parameters<typeof Offer>[0], 'request' | 'limit' | 'pool'> & { index: number },
) {
  const { signed, request, limit, pool, index } = props
  const { notional } = signed
  const maxVrtAmount = shareOfLimit(limit.maxVrtAmount, notional, request)
  const reading = useExecutability({ quote: signed, request: { ...request, notional, maxVrtAmount } })
  return <SafeToTake reading={reading} token={pool.loanToken} index={index} />
}

function priceOf(chosen: readonly ChosenQuote[]): { notional: bigint; cost: bigint } {
  const sum = (amount: (signed: SignedQuote) => bigint) =>
    chosen.reduce((total, { signed }) => total + amount(signed), 0n)
  return { notional: sum(({ notional }) => notional), cost: sum(({ vrtAmount }) => vrtAmount) }
}

/** Announces when a quote becomes takeable or ceases to be. */
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
