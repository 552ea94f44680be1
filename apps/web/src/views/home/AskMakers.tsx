import { configQuery, type Pool, useService } from '@firmquote/react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useConnection } from 'wagmi'
import { useWords } from '../../copy/words.ts'
import { auctionRequest } from '../../fixing/auctions/auctionRequest.ts'
import { useStartAuction } from '../../fixing/auctions/useStartAuction.tsx'
import type { TermPrice } from '../../fixing/offers/termPrices.ts'
import { auctionFormHref } from '../../routes.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/Notice.tsx'
import styles from './AskMakers.module.css'

/** Opens an auction, free of charge, for exactly the terms shown. The form has all other options. */
export function AskMakers({ pool: { poolId }, term: { series, fixable: part } }: { pool: Pool; term: TermPrice }) {
  const { client } = useService()
  const { texts, formats } = useWords()
  const { calculator, loans } = texts.home
  // Loaded before this view.
  const { auction } = useSuspenseQuery(configQuery(client)).data
  const { address } = useConnection()
  const { start, busy, error } = useStartAuction({ replace: false })
  const terms = { poolId, seriesKey: series.seriesKey, notional: part.amount }
  const time = formats.time(auction.durationMs / 1000)
  if (part.amount === 0n) return null
  return (
    <div className={styles['ask']}>
      <p className={styles['actions']}>
        <Button look="main" busy={busy} onClick={() => start(auctionRequest({ ...terms, taker: address }))}>
          {texts.auction.form.start(time)}
        </Button>
        <a href={auctionFormHref(terms)}>{loans.otherTerms}</a>
      </p>
      <p className={styles['note']}>{calculator.asking(time)}</p>
      {error && <ErrorState title={texts.auction.notStarted} error={error} />}
    </div>
  )
}
