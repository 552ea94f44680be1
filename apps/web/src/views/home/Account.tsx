import { type Pool, positionsQuery, useService } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { marketName } from '../../copy/marketName.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { PositionRow } from '../../fixing/debt/PositionRow.tsx'
import { sortPositions } from '../../fixing/debt/sortPositions.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { type AuctionDraft, positionsHref } from '../../routes.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Panel, Section } from '../../ui/Panel.tsx'
import { DebtRow } from './DebtRow.tsx'
import { FixCard } from './FixCard.tsx'
import { joinLoans } from './joinLoans.ts'

type Shown = { pools: readonly [Pool, ...Pool[]]; offers: KnownOffers; now: number; draft: AuctionDraft }

/** An account's debts, each with the card that fixes it, and its positions. */
export function Account({ address, ...shown }: Shown & { address: Address }) {
  const { client } = useService()
  const account = useQuery(positionsQuery(client, address))
  return (
    <>
      <Loaded query={account} what="debts" rows={9}>
        {(owned) => <Debts account={owned} {...shown} />}
      </Loaded>
      {/* A rate can be fixed even if the debts cannot be loaded. */}
      {account.isError && !account.data && <AnyAmount {...shown} />}
      {account.data && <Positions positions={account.data.positions} pools={shown.pools} />}
    </>
  )
}

function Debts({ account, ...shown }: Shown & { account: AccountPositions }) {
  const { pools, now, draft } = shown
  const words = useWords()
  const { loans } = words.texts.home
  const rows = joinLoans(account, pools, now)
  const drafted = rows.find(({ pool, share }) => pool.poolId === draft.poolId && share.unfixed > 0n)
  const first = drafted ?? rows.find(({ share }) => share.unfixed > 0n)
  const isOther = drafted === undefined && Object.keys(draft).length > 0
  return (
    <>
      {(isOther || rows.length === 0) && <AnyAmount account={account} {...shown} />}
      {rows.length === 0 && (
        <Notice title={loans.none}>
          <p>{loans.quotedFor(words.formats.list(pools.map((pool) => marketName(pool, words))))}</p>
        </Notice>
      )}
      <div>
        {rows.map((loan) => (
          <DebtRow
            key={loan.pool.poolId}
            loan={loan}
            account={account}
            {...shown}
            draft={loan === drafted ? draft : {}}
            open={!isOther && loan === first}
          />
        ))}
      </div>
    </>
  )
}

/** The card for an amount that does not follow from a debt. */
function AnyAmount(shown: Shown & { account?: AccountPositions }) {
  const { home } = useTexts()
  return (
    <Panel title={home.anyAmount}>
      <FixCard {...shown} />
    </Panel>
  )
}

function Positions(props: { positions: AccountPositions['positions']; pools: readonly Pool[] }) {
  const { positions } = useTexts()
  const rows = sortPositions(props.positions, props.pools)
  if (rows.length === 0) return null
  return (
    <Section title={positions.title} aside={<a href={positionsHref}>{positions.all}</a>}>
      <ul>
        {rows.map(({ position, pool }) => (
          <PositionRow key={`${position.positionId} ${position.role}`} position={position} pool={pool} />
        ))}
      </ul>
    </Section>
  )
}
