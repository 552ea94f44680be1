import { useEffect } from 'react'
import type { Transaction } from '../../chain/transaction.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { ErrorState, Notice } from '../../ui/Notice.tsx'
import styles from './Progress.module.css'

/** How a transaction goes: in the wallet, on its way, in a block, or not. */
export function Progress({ transaction }: { transaction: Transaction }) {
  const announce = useAnnounce()
  const { state } = transaction
  useEffect(() => {
    if (state === 'sent') announce('The transaction is on its way.')
    if (state === 'confirmed') announce('The transaction is confirmed.')
  }, [state, announce])

  switch (transaction.state) {
    case 'idle':
      return null
    case 'asking':
      return <p className={styles['line']}>Confirm it in your wallet …</p>
    case 'called':
      return <p className={styles['line']}>Your wallet sends it, waiting for its transaction …</p>
    case 'sent':
      return (
        <p className={styles['line']}>
          Sent, waiting for its block … <span className={styles['hash']}>{transaction.hash}</span>
        </p>
      )
    case 'confirmed':
      return <p className={styles['line']}>Confirmed in block {transaction.block.toString()}.</p>
    case 'reverted':
      return (
        <Notice tone="danger" title={`It failed in block ${transaction.block}`}>
          <p>
            The contract has refused it; only gas was paid. The checks above say what has changed.{' '}
            <span className={styles['hash']}>{transaction.hash}</span>
          </p>
        </Notice>
      )
    case 'failed':
      return (
        <div className={styles['line']}>
          <ErrorState
            title={transaction.sentAs ? 'Its block could not be found' : 'It was not sent'}
            error={transaction.error}
          />
        </div>
      )
  }
}
