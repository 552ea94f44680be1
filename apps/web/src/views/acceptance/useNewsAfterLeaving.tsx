import { type Transaction, useChain } from '@firmquote/react'
import { useEffect, useRef } from 'react'
import type { Client } from 'viem'
import { waitForTransactionReceipt } from 'viem/actions'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useToast } from '../../ui/toasts.tsx'

/** Notifies visitors who have left the view of the outcome of their pending transaction. */
export function useNewsAfterLeaving(transaction: Transaction, href: string): void {
  const chain = useChain()
  const toast = useToast()
  const { news } = useAcceptanceTexts()
  const client: Client | null = chain.state === 'ready' ? chain.client : null
  const hash = transaction.state === 'sent' ? transaction.hash : null
  const tell = () => {
    if (!client || hash === null) return
    const say = (tone: 'pending' | 'good' | 'bad', title: string) =>
      toast({ name: hash, tone, title, children: <a href={href}>{news.look}</a> })
    say('pending', news.pending)
    waitForTransactionReceipt(client, { hash }).then(
      ({ status }) => (status === 'success' ? say('good', news.good) : say('bad', news.bad)),
      () => say('bad', news.unknown),
    )
  }
  const latest = useRef(tell)
  useEffect(() => {
    latest.current = tell
  })
  useEffect(() => () => latest.current(), [])
}
