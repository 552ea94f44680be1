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

/** The rate is fixed: the new position, and where to find it. */
export function Done(props: {
  transaction: Extract<Transaction, { state: 'confirmed' }>
  position: OpenedPosition | null
  pool: Pool
  expiry: number
}) {
  const { transaction, position, pool, expiry } = props
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  useEffect(() => {
    announce('Your rate is fixed.')
    void queryClient.invalidateQueries({ queryKey: ['positions'] })
  }, [announce, queryClient])
  return (
    <Panel title="Your rate is fixed" lead={`In block ${transaction.block}, by ${transaction.hash}`}>
      <div className={styles['done']}>
        {position && (
          <p>
            Position {position.positionId.toString()}: <Amount value={position.notional} token={pool.loanToken} /> fixed
            until {formatDay(expiry)} for <Amount value={position.cost} token={pool.loanToken} />.
          </p>
        )}
        <ButtonLink look="main" href="#/">
          See your positions
        </ButtonLink>
      </div>
    </Panel>
  )
}
