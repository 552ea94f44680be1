import { type Transaction, TransactionReplacedError, useChain } from '@firmquote/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { Hash } from '../../ui/AddressLink.tsx'
import { useAnnounce } from '../../ui/announce.tsx'
import { Details } from '../../ui/Details.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { codeOf, explainFailure, explainRefusal } from './explainFailure.ts'
import styles from './Progress.module.css'
import { useContractRefusal } from './useContractRefusal.ts'

/**
 * A transaction's progress: in the wallet, sent, confirmed or failed. `inBar` means that the action bar already shows
 * the first two states.
 */
export function Progress(props: { transaction: Transaction; silent: boolean; inBar?: boolean }) {
  const { transaction, silent, inBar = false } = props
  const announce = useAnnounce()
  const chain = useChain()
  const { progress } = useAcceptanceTexts()
  const { common } = useTexts()
  const { state } = transaction
  useEffect(() => {
    if (state === 'sent') announce(progress.saidSent)
    if (state === 'confirmed') announce(progress.saidConfirmed)
  }, [state, announce, progress])

  switch (transaction.state) {
    case 'idle':
      return null
    case 'asking':
      if (inBar) return null
      return silent ? <Notice tone="warning">{common.walletSilent}</Notice> : <p>{progress.asking}</p>
    case 'called':
    case 'sent':
      if (chain.state === 'none') return <Notice tone="warning">{progress.disconnected}</Notice>
      if (chain.state === 'wrongNetwork') return <Notice tone="warning">{progress.elsewhere}</Notice>
      return (
        <div>
          {!inBar && <p>{transaction.state === 'sent' ? progress.sent : progress.called}</p>}
          {transaction.state === 'sent' && (
            <Details>
              <Hash hash={transaction.hash} />
            </Details>
          )}
        </div>
      )
    case 'confirmed':
      return <p>{progress.confirmed(transaction.block.toString())}</p>
    case 'reverted':
      return <Reverted transaction={transaction} />
    case 'failed':
      return <Failed {...transaction} />
  }
}

function Reverted({ transaction }: { transaction: Extract<Transaction, { state: 'reverted' }> }) {
  const { progress } = useAcceptanceTexts()
  const words = useWords()
  const refusal = useContractRefusal(transaction)
  return (
    <InSight>
      <Notice tone="danger" title={progress.failedIn(transaction.block.toString())}>
        <p>{refusal ? progress.failedBecause(explainRefusal(refusal, words)) : progress.failedWhy}</p>
        <Details>
          <p>
            <Hash hash={transaction.hash} />
          </p>
          {refusal && <p>{codeOf(refusal)}</p>}
        </Details>
      </Notice>
    </InSight>
  )
}

function Failed({ error, sentAs }: Extract<Transaction, { state: 'failed' }>) {
  const { progress } = useAcceptanceTexts()
  const { message, code, cause } = explainFailure(error, useWords())
  const title =
    sentAs !== null
      ? progress.notFound
      : error instanceof TransactionReplacedError
        ? progress.replaced
        : progress.notSent
  return (
    <InSight>
      <Notice tone="danger" title={title}>
        <p>{message}</p>
        <Details>
          <p>{[code, ...(sentAs === null ? [] : [sentAs])].join(' · ')}</p>
          <p>{cause}</p>
        </Details>
      </Notice>
    </InSight>
  )
}

/** Scrolls an error into view, because the sticky button can be pressed while the error is off screen. */
function InSight({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Do not return the result. Newer browsers return a promise, which React would treat as a cleanup function.
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={ref} className={styles['inSight']}>
      {children}
    </div>
  )
}
