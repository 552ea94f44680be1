import { type Pool, poolsQuery, useService, useTake } from '@firmquote/react'
import type { Executability, ExecutabilityRequest, PriceLimit, RFQResult, SignedQuote } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Hex } from 'viem'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useWords } from '../../copy/words.ts'
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
import { NextStep, Stages } from './NextStep.tsx'
import styles from './Offer.module.css'
import { OfferDetails } from './OfferDetails.tsx'
import { Progress } from './Progress.tsx'
import { Receipt } from './Receipt.tsx'
import { SafeToTake } from './SafeToTake.tsx'
import { useNewsAfterLeaving } from './useNewsAfterLeaving.tsx'

/** Shows an offer's cost and caveats, whether it is safe to take as of the latest block, and the next action. */
export function Offer(props: {
  hash: Hex
  signed: SignedQuote
  request: ExecutabilityRequest
  /** The price limit for the whole request. */
  limit: PriceLimit
  pool: Pool
  expiry: number
  /** The offer's auction; absent for a published quote. */
  auction?: RFQResult
  /** Hashes of the auction's offers to take in sequence. Empty if this offer is taken alone. */
  together: readonly Hex[]
  /** Called with the outcome's title once it is known. */
  onEnd: (title: string) => void
}) {
  const { hash, signed, request, limit, pool, expiry, auction, together, onEnd } = props
  const { steps, unknownTerm, cannot, done, parts, take: texts } = useAcceptanceTexts()
  const { formats } = useWords()
  // Taking less than requested requires the visitor's consent.
  const [takesLess, setTakesLess] = useState(false)
  const place = together.indexOf(hash)
  const take = useTake({ signed, request, limit, part: takesLess || place >= 0 })
  const { state, executability, transaction } = take
  const verdict = executability.data
  const silent = useSilent(transaction.state === 'asking')
  useNewsAfterLeaving(transaction, auction ? acceptHref(auction.rfqId, hash, together) : quoteHref(hash))

  const isOnItsWay = state.step === 'onItsWay'
  const isTaken = state.step === 'taken'
  // Once the offer is taken, its verdict no longer matters.
  useVerdictVoice(isTaken || isOnItsWay ? undefined : verdict)
  useEffect(() => {
    // The focused button is gone, so move focus to the result at the top of the page.
    if (isOnItsWay || isTaken) document.getElementById('main')?.focus()
  }, [isOnItsWay, isTaken])

  const end = isTaken ? (state.position ? done.title : done.nothing) : null
  useEffect(() => {
    if (end !== null) onEnd(end)
  }, [end, onEnd])

  const asOf = useAsOf(useQuery(poolsQuery(useService().client)))
  const from = auction ? closeOf(auction) : asOf
  const next = auction && place >= 0 ? nextOf(auction, together, place) : null
  const restHref =
    next ?? (auction && isLess(auction, place < 0 ? [hash] : together) ? auctionHref(auction.rfqId) : null)
  const price = { notional: signed.notional, cost: verdict?.cost ?? signed.vrtAmount, from, expiry }
  if (from >= expiry && !isTaken && !isOnItsWay) return <EmptyState title={cannot}>{unknownTerm}</EmptyState>
  const { loanToken: token } = pool
  const takeable = !isTaken && !isOnItsWay && verdict?.checks[1].ok !== false
  return (
    <div className={styles['offer']}>
      {isTaken && (
        <Done
          transaction={state.transaction}
          position={state.position}
          pool={pool}
          from={from}
          expiry={expiry}
          rest={restHref === null ? null : { href: restHref, label: next === null ? done.rest : parts.next }}
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
        <Receipt
          hash={hash}
          price={price}
          signed={signed}
          pool={pool}
          takeable={takeable}
          alive={takeable || isOnItsWay}
        />
      )}
      {auction && takeable && place >= 0 && (
        <p>
          {parts.place(place + 1, together.length, formats.withSymbol(formats.exact(auction.notional, token), token))}
        </p>
      )}
      {takeable && <WhatToKnow price={price} token={token} />}
      <div>
        {!isTaken && !isOnItsWay && (
          <SafeToTake reading={executability} token={token} onTakeLess={() => setTakesLess(true)} />
        )}
        <OfferDetails hash={hash} signed={signed} pool={pool} block={verdict?.block.number} />
      </div>
      {!isTaken && !isOnItsWay && <NextStep state={state} take={take} signed={signed} pool={pool} silent={silent} />}
      {verdict && !isOnItsWay && !take.isPending && !take.isContinuing && <Allowed verdict={verdict} pool={pool} />}
      {!isTaken && !isOnItsWay && (
        <ActionBar
          state={state}
          take={take}
          price={price}
          signed={signed}
          pool={pool}
          silent={silent}
          instead={
            auction && together.length > 1
              ? { href: auctionHref(auction.rfqId), label: done.rest }
              : { href: auctionFormHref(signed), label: texts.askNew }
          }
        />
      )}
    </div>
  )
}

/** Returns the address of the next offer to take, or null after the last. */
function nextOf({ rfqId }: RFQResult, together: readonly Hex[], place: number): string | null {
  const next = together[place + 1]
  return next === undefined ? null : acceptHref(rfqId, next, together)
}

/** Whether the offers together fix less than the requested amount. */
function isLess({ notional, quotes }: RFQResult, hashes: readonly Hex[]): boolean {
  const fixed = quotes.filter(({ hash }) => hashes.includes(hash)).reduce((sum, { quote }) => sum + quote.notional, 0n)
  return fixed < notional
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
