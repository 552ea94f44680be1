import { type Pool, usePayment, useServerNow } from '@firmquote/react'
import type { AccountPositions, FixedPosition } from '@firmquote/sdk'
import { isAddressEqual } from 'viem'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { CalendarButton } from '../../fixing/debt/CalendarButton.tsx'
import { payoutStage } from '../../fixing/outcome/payoutStage.ts'
import { useBlockTime } from '../../fixing/useBlockTime.ts'
import { Details } from '../../ui/Details.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Figures } from './Figures.tsx'
import { InterestAndCost } from './InterestAndCost.tsx'
import { Life } from './Life.tsx'
import { ObservePanel } from './ObservePanel.tsx'
import { SettlePanel } from './SettlePanel.tsx'

/**
 * A position: its result, available actions and timeline. An account on both sides sees both sides' figures.
 *
 * @param props.account The account, with only this position.
 */
export function Position(props: { account: AccountPositions; position: FixedPosition; pool: Pool }) {
  const { account, position, pool } = props
  const texts = usePositionsTexts()
  const { withdrawable = [], block } = account
  const credit = withdrawable.find(({ token }) => isAddressEqual(token, pool.loanToken.address))?.amount ?? 0n
  const { data: payment } = usePayment({ position, credit })
  const serverTime = Math.floor(useServerNow({ intervalMs: 60_000 }) / 1000)
  // Use the chain's clock. The wallet may have seen a newer block than the service.
  const blockTime = useBlockTime(BigInt(block)) ?? serverTime
  const now = Math.max(blockTime, payment?.settledAt ?? 0, payment?.withdrawal?.at ?? 0)
  const stage = payoutStage(position, now)
  const sides = account.positions.map((side) =>
    side.settlement && payment ? { ...side, settlement: { ...side.settlement, ...payment } } : side,
  )
  const borrowed = sides.find(({ role }) => role === 'borrower')
  return (
    <>
      {sides.map((side) => (
        <Figures key={side.role} position={side} pool={pool} stage={stage} isChainsWord={payment !== undefined} />
      ))}
      {payment === null && (
        <Notice tone="warning" title={texts.figures.notConfirmed}>
          {texts.figures.notConfirmedWhy}
        </Notice>
      )}
      {stage === 'observable' && <ObservePanel position={position} />}
      <SettlePanel sides={sides} stage={stage} pool={pool} credit={credit} payment={payment ?? null} />
      {borrowed && <InterestAndCost position={borrowed} pool={pool} now={now} />}
      <Section
        title={texts.timeline.title}
        aside={(stage === 'running' || stage === 'observable') && <CalendarButton position={position} pool={pool} />}
      >
        <Life position={sides[0] ?? position} pool={pool} payment={payment ?? null} stage={stage} now={now} />
      </Section>
      <Facts {...props} withdrawnBy={payment?.withdrawal?.transactionHash} />
    </>
  )
}

function Facts(props: { account: AccountPositions; position: FixedPosition; withdrawnBy: string | undefined }) {
  const { details } = usePositionsTexts()
  const { positionId, maker, borrower, openedAtBlock, settlement } = props.position
  const facts = [
    details.position(positionId.toString()),
    details.opened(openedAtBlock.toString()),
    details.maker(maker),
    details.borrower(borrower),
    ...(settlement ? [details.settled(settlement.blockNumber.toString(), settlement.transactionHash)] : []),
    ...(props.withdrawnBy === undefined ? [] : [details.withdrawn(props.withdrawnBy)]),
    details.readAt(props.account.block.toString()),
  ]
  return (
    <Details>
      <ul>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </Details>
  )
}
