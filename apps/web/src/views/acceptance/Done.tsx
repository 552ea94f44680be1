import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Transaction } from '../../chain/transaction.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Amount, formatDay } from '../../ui/figures.tsx'
import { Panel } from '../../ui/Panel.tsx'
import styles from './Done.module.css'
import type { OpenedPosition } from './openedPosition.ts'

/** What a confirmed transaction has come to: the new position, and where to find it. */
export function Done(props: {
  transaction: Extract<Transaction, { state: 'confirmed' }>
  position: OpenedPosition | null
  pool: Pool
  expiry: number
  /** Where more of what was asked for can be taken; null when this was all of it. */
  restHref: string | null
}) {
  const { transaction, position, pool, expiry, restHref } = props
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const opened = position !== null
  useEffect(() => {
    announce(opened ? 'Your rate is fixed.' : 'The transaction is confirmed, but it has opened no position.')
    void queryClient.invalidateQueries({ queryKey: ['positions'] })
  }, [announce, queryClient, opened])
  return (
    <Panel
      title={position ? 'Your rate is fixed' : 'No position was opened'}
      lead={`In block ${transaction.block}, by ${transaction.hash}`}
    >
      <div className={styles['done']}>
        {position ? (
          <p>
            Position {position.positionId.toString()}: <Amount value={position.notional} token={pool.loanToken} /> fixed
            until {formatDay(expiry)} for <Amount cost value={position.cost} token={pool.loanToken} />.
          </p>
        ) : (
          <p>The transaction is confirmed, but the pool has opened no position in it: your rate is not fixed by it.</p>
        )}
        {restHref !== null && (
          <ButtonLink look="main" href={restHref}>
            See what is left to fix
          </ButtonLink>
        )}
        <ButtonLink look={restHref === null ? 'main' : 'plain'} href="#/">
          See your positions
        </ButtonLink>
      </div>
    </Panel>
  )
}
