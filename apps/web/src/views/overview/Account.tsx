import type { AccountPositions } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { poolName } from '../../service/poolName.ts'
import { positionsQuery } from '../../service/queries.ts'
import { type Pool, useService } from '../../service/serviceContext.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Debt } from './Debt.tsx'
import styles from './entries.module.css'
import { joinDebts } from './joinDebts.ts'
import { Position } from './Position.tsx'
import { sortPositions } from './sortPositions.ts'
import type { KnownOffers } from './useOffers.ts'

type Shown = { pools: UseQueryResult<Pool[]>; offers: KnownOffers; now: number }

/** What an account owes and what it has fixed. */
export function Account({ address, pools, offers, now }: Shown & { address: Address }) {
  const { client } = useService()
  const account = useQuery(positionsQuery(client, address))
  return (
    <>
      <Panel title="Your variable-rate debts" lead="What each costs today, and what a fixed rate would cost instead.">
        <Loaded query={pools} what="markets" rows={5}>
          {(known) => (
            <Loaded query={account} what="your debts" rows={5}>
              {(owned) => <Debts account={owned} pools={known} offers={offers} now={now} />}
            </Loaded>
          )}
        </Loaded>
      </Panel>
      <Panel title="Your fixed positions">
        <Loaded query={pools} what="markets">
          {(known) => (
            <Loaded query={account} what="your positions">
              {({ positions }) => <Positions positions={positions} pools={known} now={now} />}
            </Loaded>
          )}
        </Loaded>
      </Panel>
    </>
  )
}

function Debts(props: { account: AccountPositions; pools: Pool[]; offers: KnownOffers; now: number }) {
  const rows = joinDebts(props.account, props.pools, props.offers.bySeries, props.now)
  if (rows.length === 0) {
    return (
      <EmptyState title="This account owes nothing that could be fixed here">
        Fixed rates are offered for debts on {listed(props.pools.map(poolName))}.
      </EmptyState>
    )
  }
  return (
    <ul className={styles['entries']}>
      {rows.map((row) => (
        <li key={row.pool.poolId}>
          <Debt row={row} offers={props.offers} now={props.now} />
        </li>
      ))}
    </ul>
  )
}

function Positions(props: { positions: AccountPositions['positions']; pools: Pool[]; now: number }) {
  const rows = sortPositions(props.positions, props.pools)
  if (rows.length === 0) {
    return (
      <EmptyState title="No fixed position yet">
        Once you have taken a quote, it stands here until it has matured and is paid out.
      </EmptyState>
    )
  }
  return (
    <ul className={styles['entries']}>
      {rows.map(({ position, pool }) => (
        <li key={`${position.positionId} ${position.role}`}>
          <Position position={position} pool={pool} now={props.now} />
        </li>
      ))}
    </ul>
  )
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'no market yet' : new Intl.ListFormat('en').format(names)
}
