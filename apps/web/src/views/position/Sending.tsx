import type { TransactionResult } from '@firmquote/react'
import { useEffect } from 'react'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useTexts } from '../../copy/words.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Details } from '../../ui/Details.tsx'
import { ErrorState, Notice } from '../../ui/Notice.tsx'

/**
 * Progress of a transaction: in the wallet, sent, confirmed or failed.
 *
 * @param props.silent Whether the wallet is not responding.
 * @param props.said What to announce once it is confirmed.
 */
export function Sending(props: {
  of: Pick<TransactionResult, 'transaction' | 'isPending'>
  silent: boolean
  said: string
}) {
  const { silent, said } = props
  const { transaction, isPending } = props.of
  const announce = useAnnounce()
  const { sending } = usePositionsTexts()
  const { common } = useTexts()
  const { state: sent } = transaction
  useEffect(() => {
    if (sent === 'sent' || sent === 'called') announce(sending.saidSent)
    if (sent === 'confirmed') announce(said)
  }, [sent, said, announce, sending])
  switch (transaction.state) {
    case 'idle':
      return null
    case 'asking':
      return silent ? <Notice tone="warning">{common.walletSilent}</Notice> : <p>{sending.asking}</p>
    case 'called':
      return <p>{sending.called}</p>
    case 'sent':
      return (
        <div>
          <p>{sending.sent}</p>
          <Details>{transaction.hash}</Details>
        </div>
      )
    case 'confirmed':
      return isPending ? <p>{sending.seeing}</p> : null
    case 'reverted':
      return (
        <Notice tone="danger" title={sending.failedIn(transaction.block.toString())}>
          <p>{sending.failedWhy}</p>
          <Details>{transaction.hash}</Details>
        </Notice>
      )
    case 'failed':
      return <ErrorState title={transaction.sentAs ? sending.notFound : sending.notSent} error={transaction.error} />
  }
}
