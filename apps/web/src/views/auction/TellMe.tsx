import { auctionQuery, type Pool, serverNow, useService } from '@firmquote/react'
import type { RFQResult } from '@firmquote/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWords } from '../../copy/words.ts'
import { whenClosed } from '../../fixing/auctions/whenClosed.ts'
import { priceLimitOf } from '../../service/priceLimit.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './AuctionView.module.css'
import { describeClose } from './describeClose.ts'
import { judgeOffers } from './offers/judgeOffers.ts'

/** Sends a browser notification when the auction has closed. Asks for permission only on click. */
export function TellMe({ auction, pool }: { auction: RFQResult; pool: Pool }) {
  const { client } = useService()
  const cache = useQueryClient()
  const words = useWords()
  const { live } = words.texts.auction
  const [state, setState] = useState<'off' | 'on' | 'refused' | 'missing'>('off')
  const { rfqId } = auction
  const tell = async () => {
    if (!('Notification' in globalThis)) return setState('missing')
    if ((await Notification.requestPermission()) !== 'granted') return setState('refused')
    try {
      // Some browsers define `Notification` but throw when one is created, so test this now.
      new Notification(live.willTell, { tag: rfqId, silent: true })
    } catch {
      return setState('missing')
    }
    setState('on')
    whenClosed(cache, auctionQuery(client, rfqId).queryKey, (closed) => {
      const limit = priceLimitOf(closed, pool)
      const { best } = judgeOffers(closed, { limit, states: null, now: serverNow() / 1000 })
      new Notification(live.news, { tag: rfqId, body: describeClose(closed, best, pool.loanToken, words) })
    })
  }
  const said = { on: live.willTell, refused: live.tellRefused, missing: live.tellMissing, off: null }[state]
  return (
    <div className={styles['tell']}>
      {state !== 'on' && <Button onClick={() => void tell()}>{live.tell}</Button>}
      {said !== null && (
        <p className={styles['note']} role="status">
          {said}
        </p>
      )}
    </div>
  )
}
