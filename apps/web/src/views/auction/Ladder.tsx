import { type CollectedQuote, formatDuration, formatPrincipal, formatTimestamp, type RFQResult } from '@firmquote/sdk'
import { useId, useState } from 'react'
import { acceptHref } from '../../routes.ts'
import { explainRejection } from '../../service/explainRejection.ts'
import type { Token } from '../../service/serviceContext.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { explainError } from '../../ui/explainError.ts'
import { Amount, Rate, ShortAddress } from '../../ui/figures.tsx'
import { EmptyState, Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Tag } from '../../ui/Tag.tsx'
import type { AuctionLadder, LadderRow } from './judgeLadder.ts'
import styles from './Ladder.module.css'
import type { LadderStates } from './useLadderStates.ts'

/** The acceptance ladder: firm quotes, best first; those that cannot be taken on request, each with its reason. */
export function Ladder(props: {
  auction: RFQResult
  ladder: AuctionLadder
  states: LadderStates
  token: Token
  nowSeconds: number
}) {
  const { auction, ladder, states, token, nowSeconds } = props
  const [all, setAll] = useState(false)
  const id = useId()
  const { takeable, others, best } = ladder
  const isBest = (row: LadderRow) => row.basis !== 'none' && best.includes(row)
  const open = auction.status === 'open'
  const price = pricing(auction, token)
  const columns: Column<LadderRow>[] = [
    { heading: 'Rank', cell: ({ rank }) => rank },
    {
      heading: 'Fixed rate',
      cell: (row) => (
        <span className={styles['rate']}>
          <Rate percent={row.collected.apr} tone="fixed" />{' '}
          {isBest(row) && <span className={styles['best']}>best</span>}
        </span>
      ),
    },
    ...price,
    { heading: 'Maker', cell: ({ collected }) => <ShortAddress address={collected.quote.maker} /> },
    {
      heading: 'Valid for',
      figure: true,
      cell: ({ collected }) => <ValidFor deadline={Number(collected.quote.deadline)} nowSeconds={nowSeconds} />,
    },
    {
      heading: 'Action',
      silent: true,
      figure: true,
      cell: (row) =>
        row.basis !== 'none' ? (
          <ButtonLink look={row === best[0] ? 'main' : 'plain'} href={acceptHref(auction.rfqId, row.collected.hash)}>
            Review and take
          </ButtonLink>
        ) : (
          <span className={styles['muted']}>{states.source === 'unknown' ? 'not checked' : 'checking …'}</span>
        ),
    },
  ]
  const reasons: Column<LadderRow>[] = [
    { heading: 'Fixed rate', cell: ({ collected }) => <Rate percent={collected.apr} /> },
    ...price,
    { heading: 'Maker', cell: ({ collected }) => <ShortAddress address={collected.quote.maker} /> },
    {
      heading: 'Why not',
      cell: ({ rejection }) =>
        rejection && (
          <span className={styles['reason']}>
            {explainRejection(rejection, token)} <code>{rejection.code}</code>
          </span>
        ),
    },
  ]

  return (
    <Panel
      title="Acceptance ladder"
      lead={auction.quotes.length === 0 ? 'The service checks each quote before it appears here.' : basisOf(states)}
      aside={takeable.length > 0 && <Tag tone="firm">firm</Tag>}
    >
      {states.source === 'unknown' && (
        <div className={styles['notice']}>
          <Notice tone="warning" title="The chain cannot be read">
            <p>{explainError(states.error).message} Until it can, nobody knows what can be taken.</p>
          </Notice>
        </div>
      )}
      {takeable.length > 0 ? (
        <div className={styles['ladder']}>
          <Table
            caption="Quotes that can be taken, best first"
            columns={columns}
            rows={takeable}
            keyOf={({ collected }) => collected.hash}
            marked={isBest}
          />
        </div>
      ) : others.length > 0 ? (
        <EmptyState
          title={open ? 'None of the quotes so far can be taken' : 'None of the quotes can be taken any more'}
        >
          {open ? 'Others may still come.' : 'Firm quotes live for minutes. Ask again to get new ones.'}
        </EmptyState>
      ) : (
        <EmptyState title="Waiting for the first quote">
          Each maker may answer once. Their quotes appear here, the best on top.
        </EmptyState>
      )}
      {others.length > 0 && (
        <div className={styles['others']}>
          <Button aria-expanded={all} aria-controls={id} onClick={() => setAll(!all)}>
            {all ? 'Hide' : 'Show'} {others.length} that cannot be taken
          </Button>
          <div id={id}>
            {all && (
              <Table
                caption="Quotes that cannot be taken"
                columns={reasons}
                rows={others}
                keyOf={({ collected }) => collected.hash}
                faded={() => true}
              />
            )}
          </div>
        </div>
      )}
    </Panel>
  )
}

/** What it costs, and for how much of what was asked. */
function pricing(auction: RFQResult, token: Token): Column<LadderRow>[] {
  return [
    {
      heading: 'Total cost',
      figure: true,
      cell: ({ collected }) => <Amount cost value={collected.quote.vrtAmount} token={token} />,
    },
    {
      heading: 'Size',
      figure: true,
      cell: ({ collected }) => <Size quote={collected.quote} notional={auction.notional} token={token} />,
    },
  ]
}

function Size({ quote, notional, token }: { quote: CollectedQuote['quote']; notional: bigint; token: Token }) {
  return (
    <span>
      <Amount value={quote.notional} token={token} />
      {quote.notional < notional && (
        <span className={styles['part']}>of {formatPrincipal(notional, token.decimals, { maxFractionDigits: 2 })}</span>
      )}
    </span>
  )
}

function ValidFor({ deadline, nowSeconds }: { deadline: number; nowSeconds: number }) {
  const exact = formatTimestamp(deadline, { seconds: true })
  return (
    <time dateTime={new Date(deadline * 1000).toISOString()} title={exact}>
      {formatDuration(Math.max(0, deadline - nowSeconds))}
      <span className={styles['part']}>until {exact.slice(11)}</span>
    </time>
  )
}

function basisOf(states: LadderStates): string {
  switch (states.source) {
    case 'service':
      return `Checked by the service when it came in; ${states.wallet === 'none' ? 'connect a wallet' : "switch your wallet's network"} to check now.`
    case 'chain':
      return `Checked on the chain at block ${states.block.number}, and again at every new one.`
    case 'waiting':
      return 'Being checked on the chain.'
    case 'unknown':
      return 'Checked by the service when it came in, but not now.'
  }
}
