import { type Pool, poolsQuery, settledPositionsQuery, type Token, usePositions, useService } from '@firmquote/react'
import { type AccountPositions, type FixedPosition, formatAddress } from '@firmquote/sdk'
import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type Address, isAddressEqual } from 'viem'
import { useConnection } from 'wagmi'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { PositionRow } from '../../fixing/debt/PositionRow.tsx'
import { sortPositions } from '../../fixing/debt/sortPositions.ts'
import { Button } from '../../ui/Button.tsx'
import { Amount } from '../../ui/figures.tsx'
import { HeroFigure } from '../../ui/HeroFigure.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Section } from '../../ui/Panel.tsx'
import { useDocumentTitle } from '../../ui/useDocumentTitle.ts'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { NoWallet } from './NoWallet.tsx'
import styles from './PositionsView.module.css'
import { Records } from './Records.tsx'
import { SettleAll } from './SettleAll.tsx'

type Row = { position: FixedPosition; pool: Pool }

/** The account's positions: ready to settle, active or paid. */
export function PositionsView() {
  const { title, lead } = useTexts().openings.positions
  const { address } = useConnection()
  useDocumentTitle(title)
  return (
    <>
      <ViewHead title={title}>{lead}</ViewHead>
      {address ? <OfAccount address={address} /> : <NoWallet />}
    </>
  )
}

function OfAccount({ address }: { address: Address }) {
  const { client } = useService()
  const pools = useQuery(poolsQuery(client))
  const open = usePositions({ address })
  const settled = useInfiniteQuery(settledPositionsQuery(client, address))
  return (
    <Loaded query={pools} what="markets" rows={8}>
      {(known) => (
        <>
          <Loaded query={open} what="positions" rows={6}>
            {(account) => <Open account={account} pools={known} />}
          </Loaded>
          <Loaded query={settled} what="positions" rows={4}>
            {(pages) => (
              <Settled
                pages={pages}
                pools={known}
                onMore={settled.hasNextPage ? () => void settled.fetchNextPage() : null}
                busy={settled.isFetchingNextPage}
              />
            )}
          </Loaded>
          <Records address={address} pools={known} />
        </>
      )}
    </Loaded>
  )
}

function Open({ account, pools }: { account: AccountPositions; pools: Pool[] }) {
  const texts = usePositionsTexts()
  const rows = sortPositions(account.positions, pools)
  const due = rows.filter(({ position }) => position.settleable)
  const running = rows.filter(({ position }) => !position.settleable)
  return (
    <>
      <FixedNow rows={running} />
      <Credits account={account} pools={pools} />
      <SettleAll key={account.address} account={account} due={due} pools={pools} />
      {due.length > 0 && (
        <Section title={texts.matured}>
          <Rows rows={due} />
        </Section>
      )}
      <Section title={texts.running}>
        {running.length === 0 ? <p className={styles['none']}>{texts.noneRunning}</p> : <Rows rows={running} />}
        {rows.length < account.positions.length && (
          <p>{texts.unknownMarkets(account.positions.length - rows.length)}</p>
        )}
      </Section>
    </>
  )
}

/** How much of the account's debts is currently fixed, by token. */
function FixedNow({ rows }: { rows: readonly Row[] }) {
  const texts = usePositionsTexts()
  const sums = new Map<Address, { token: Token; sum: bigint }>()
  for (const { position, pool } of rows) {
    if (position.role === 'maker') continue
    const { sum = 0n } = sums.get(pool.loanToken.address) ?? {}
    sums.set(pool.loanToken.address, { token: pool.loanToken, sum: sum + position.notional })
  }
  if (sums.size === 0) return null
  return (
    <div className={styles['fixed']}>
      {[...sums.values()].map(({ token, sum }) => (
        <HeroFigure key={token.address} label={texts.fixedNow} tone="fixed">
          <Amount value={sum} token={token} />
        </HeroFigure>
      ))}
    </div>
  )
}

/** The account's withdrawable credits. Credits are withdrawn on a settled position's page. */
function Credits({ account, pools }: { account: AccountPositions; pools: Pool[] }) {
  const texts = usePositionsTexts()
  const { formats } = useWords()
  const { withdrawable = [] } = account
  if (withdrawable.length === 0) return null
  const amounts = withdrawable.map(({ token, amount }) => {
    const known = pools.find(({ loanToken }) => isAddressEqual(loanToken.address, token))?.loanToken
    return known
      ? formats.withSymbol(formats.amount(amount, known), known)
      : formats.withSymbol(formats.count(amount), { symbol: formatAddress(token) })
  })
  return <Notice>{texts.toWithdraw(formats.list(amounts))}</Notice>
}

function Settled(props: {
  pages: InfiniteData<AccountPositions>
  pools: Pool[]
  onMore: (() => void) | null
  busy: boolean
}) {
  const texts = usePositionsTexts()
  const positions = props.pages.pages.flatMap((page) => page.positions)
  const rows = positions.flatMap((position) => {
    const pool = props.pools.find(({ poolId }) => poolId === position.poolId)
    return pool ? [{ position, pool }] : []
  })
  return (
    <Section title={texts.settled}>
      {positions.length === 0 ? <p className={styles['none']}>{texts.noneSettledWhy}</p> : <Rows rows={rows} />}
      {rows.length < positions.length && <p>{texts.unknownMarkets(positions.length - rows.length)}</p>}
      {props.onMore && (
        <p>
          <Button onClick={props.onMore} busy={props.busy}>
            {texts.moreSettled}
          </Button>
        </p>
      )}
    </Section>
  )
}

function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <ul>
      {rows.map(({ position, pool }) => (
        <PositionRow key={`${position.positionId} ${position.role}`} position={position} pool={pool} />
      ))}
    </ul>
  )
}
