import { type Pool, positionsQuery, useService } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useTexts } from '../../copy/words.ts'
import { PositionRow } from '../../fixing/debt/PositionRow.tsx'
import { sortPositions } from '../../fixing/debt/sortPositions.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { positionsHref } from '../../routes.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Section } from '../../ui/Panel.tsx'
import styles from './Account.module.css'
import { Loans } from './Loans.tsx'

type Shown = { pools: UseQueryResult<Pool[]>; offers: KnownOffers; now: number }

/** An account's debts and how much of each is fixed. */
export function Account({ address, pools, offers, now }: Shown & { address: Address }) {
  const { client } = useService()
  const { positions } = useTexts()
  const account = useQuery(positionsQuery(client, address))
  return (
    <>
      <Loaded query={pools} what="markets" rows={9}>
        {(known) => (
          <Loaded query={account} what="debts" rows={9}>
            {(owned) => <Loans account={owned} pools={known} offers={offers} now={now} />}
          </Loaded>
        )}
      </Loaded>
      <Section title={positions.title} aside={<a href={positionsHref}>{positions.all}</a>}>
        <Loaded query={pools} what="markets">
          {(known) => (
            <Loaded query={account} what="positions">
              {(owned) => <Positions positions={owned.positions} pools={known} />}
            </Loaded>
          )}
        </Loaded>
      </Section>
    </>
  )
}

function Positions(props: { positions: AccountPositions['positions']; pools: Pool[] }) {
  const { positions } = useTexts()
  const rows = sortPositions(props.positions, props.pools)
  if (rows.length === 0) {
    return (
      <div className={styles['none']}>
        <p>{positions.none}</p>
        <p>{positions.noneWhy}</p>
      </div>
    )
  }
  return (
    <ul>
      {rows.map(({ position, pool }) => (
        <PositionRow key={`${position.positionId} ${position.role}`} position={position} pool={pool} />
      ))}
    </ul>
  )
}
