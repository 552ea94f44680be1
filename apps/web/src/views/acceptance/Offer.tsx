import { type Pool, poolsQuery, useService, useTake } from '@firmquote/react'
import type { Executability, ExecutabilityRequest, PriceLimit, RFQResult, SignedQuote } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Hex } from 'viem'
import { useConnection } from 'wagmi'
import { closeOf } from '../../fixing/closeOf.ts'
import { useAsOf } from '../../fixing/useAsOf.ts'
import { WhatToKnow } from '../../fixing/WhatToKnow.tsx'
import { acceptHref, auctionHref, quoteHref } from '../../routes.ts'
import { useAcceptanceTexts } from '../../texts/acceptanceTexts.ts'
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
import { useLasts } from './useLasts.ts'
import { useNewsAfterLeaving } from './useNewsAfterLeaving.tsx'

/** How long a wallet may take to answer before the page says that it does not. */
const silentAfterMs = 60_000

/** An offer: what it costs, what to know, whether it is safe to take at the newest block, and the one button that comes next. */
export function Offer(props: {
  hash: Hex
  signed: SignedQuote
  request: ExecutabilityRequest
  /** For all of the request. */
  limit: PriceLimit
  pool: Pool
  expiry: number
  /** The auction that it was made in; absent for a published one. */
  auction?: RFQResult
}) {
  const { hash, signed, request, limit, pool, expiry, auction } = props
  const { steps, unknownTerm, cannot } = useAcceptanceTexts()
  const { isConnected } = useConnection()
  // A smaller offer than asked for is taken only by those who say so.
  const [takesLess, setTakesLess] = useState(false)
  const take = useTake({ signed, request, limit, part: takesLess })
  const { state, executability, transaction } = take
  const verdict = executability.data
  const silent = useLasts(transaction.state === 'asking', silentAfterMs)
  useNewsAfterLeaving(transaction, auction ? acceptHref(auction.rfqId, hash) : quoteHref(hash))

  const isOnItsWay = state.step === 'onItsWay'
  const isTaken = state.step === 'taken'
  // Of an offer that has been taken nothing more is to be said: the rate is fixed.
  useVerdictVoice(isTaken || isOnItsWay ? undefined : verdict)
  useEffect(() => {
    // The button that had the focus is gone: what has come of it stands where the page begins.
    if (isOnItsWay || isTaken) document.getElementById('main')?.focus()
  }, [isOnItsWay, isTaken])

  const asOf = useAsOf(useQuery(poolsQuery(useService().client)))
  const from = auction ? closeOf(auction) : asOf
  const restHref = auction && signed.notional < auction.notional ? auctionHref(auction.rfqId) : null
  const price = { notional: signed.notional, cost: verdict?.cost ?? signed.vrtAmount, from, expiry }
  if (from >= expiry && !isTaken && !isOnItsWay) return <EmptyState title={cannot}>{unknownTerm}</EmptyState>
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
          restHref={restHref}
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
      {takeable && <WhatToKnow price={price} token={pool.loanToken} />}
      <div>
        {!isTaken && !isOnItsWay && (
          <SafeToTake
            reading={executability}
            hasWallet={isConnected}
            token={pool.loanToken}
            onTakeLess={() => setTakesLess(true)}
          />
        )}
        <OfferDetails hash={hash} signed={signed} pool={pool} block={verdict?.block.number} />
      </div>
      {!isTaken && !isOnItsWay && <NextStep state={state} take={take} signed={signed} pool={pool} silent={silent} />}
      {verdict && !isOnItsWay && !take.isPending && <Allowed verdict={verdict} pool={pool} />}
      {!isTaken && !isOnItsWay && (
        <ActionBar state={state} take={take} price={price} signed={signed} pool={pool} silent={silent} />
      )}
    </div>
  )
}

/** Says when an offer has become usable, or no longer is. */
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
