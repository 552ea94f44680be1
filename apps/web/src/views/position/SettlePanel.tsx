import { type Pool, type SettleResult, useService, useSettle, withdrawnAmount } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'
import { type Address, isAddressEqual } from 'viem'
import { useConnection } from 'wagmi'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { useRetryAuction } from '../../fixing/auctions/useRetryAuction.ts'
import { useSilent } from '../../fixing/auctions/useSilent.ts'
import { payoutOf } from '../../fixing/outcome/payout.ts'
import type { PayoutStage } from '../../fixing/outcome/payoutStage.ts'
import { SwitchNetwork } from '../../fixing/SwitchNetwork.tsx'
import { Button } from '../../ui/Button.tsx'
import { Amount, ShortAddress } from '../../ui/figures.tsx'
import { ErrorState, Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { StickyBar } from '../../ui/StickyBar.tsx'
import { Sending } from './Sending.tsx'
import styles from './SettlePanel.module.css'
import { SettleSteps } from './SettleSteps.tsx'

/**
 * Settles a matured position and withdraws its payout, in one confirmation if the wallet supports batches, otherwise in
 * two. Renders nothing before maturity or once everything is done.
 *
 * @param props.sides The position, once for each side that the account holds.
 * @param props.stage See `payoutStage`.
 * @param props.credit The account's withdrawable credit in the token, raw units.
 * @param props.settledBy The account that settled the position, if known.
 */
export function SettlePanel(props: {
  sides: readonly FixedPosition[]
  stage: PayoutStage | null
  pool: Pool
  credit: bigint
  settledBy: Address | undefined
}) {
  const [position] = props.sides
  return position && <OfPosition {...props} position={position} />
}

type OfPositionProps = Parameters<typeof SettlePanel>[0] & { position: FixedPosition }

function OfPosition({ sides, position, stage, pool, credit, settledBy }: OfPositionProps) {
  const { texts, formats } = useWords()
  const { settle: words, sending } = usePositionsTexts()
  const { address } = useConnection()
  const { config } = useService()
  const settle = useSettle({ positionId: position.positionId })
  const silent = useSilent(settle.transaction.state === 'asking')
  const { transaction, state } = settle
  const { loanToken: token } = pool
  const { settlement } = position
  const exact = (value: bigint) => formats.withSymbol(formats.exact(value, token), token)
  const payout = payoutTogether(sides)

  if (stage === 'running' || stage === 'observable') return null
  if (credit === 0n && payout === 0n) {
    return <Notice title={words.nothing}>{words.nothingWhy}</Notice>
  }
  const withdrawn =
    transaction.state === 'confirmed' && address
      ? withdrawnAmount(transaction.logs, {
          interestRatePool: config.contracts.interestRatePool,
          account: address,
          token: token.address,
        })
      : null
  if (settlement && credit === 0n) {
    if (withdrawn === null) return null
    return (
      <Panel title={words.done}>
        <p>{words.doneWhy(exact(withdrawn))}</p>
        <Sending of={settle} silent={silent} said={sending.saidPaid} />
      </Panel>
    )
  }
  const others = settlement ? credit - (payout ?? credit) : credit
  const isForeign = settlement && settledBy && address && !isAddressEqual(settledBy, address)
  const step = state.step === 'settleTogether' ? words.leadTogether : words.lead
  const lead = settlement ? words.withdrawLead : `${step} ${stage === 'final' ? words.finalLead : words.dueLead}`
  const amount = payout === null ? null : <Amount value={payout + credit} token={token} />
  return (
    <Panel title={settlement ? words.withdraw : words.both} lead={lead}>
      <div className={styles['panel']}>
        {isForeign && <p>{words.settledBy(<ShortAddress address={settledBy} />)}</p>}
        {state.step !== 'settleTogether' && !isForeign && (
          <SettleSteps isSettled={settlement !== undefined} settle={settle} />
        )}
        <StickyBar
          summary={
            <>
              <p className={styles['sum']}>
                {settlement ? (
                  <Amount value={credit} token={token} />
                ) : (
                  amount && (stage === 'final' ? amount : words.about(amount))
                )}
              </p>
              {others > 0n && <p>{words.withOthers(<Amount value={others} token={token} />)}</p>}
            </>
          }
        >
          <Action
            settle={settle}
            silent={silent}
            withdraw={words.withdrawAmount(exact(credit))}
            waiting={texts.common.waiting}
          />
        </StickyBar>
        <Sending of={settle} silent={silent} said={withdrawn === null ? sending.saidSettled : sending.saidPaid} />
      </div>
    </Panel>
  )
}

/** Returns the account's total payout from its sides, or null if unknown. */
function payoutTogether(sides: readonly FixedPosition[]): bigint | null {
  return sides.map(payoutOf).reduce<bigint | null>((sum, one) => (sum === null || !one ? null : sum + one.amount), 0n)
}

/** The next action. */
function Action(props: { settle: SettleResult; silent: boolean; withdraw: string; waiting: string }) {
  const { settle, silent, withdraw, waiting } = props
  const { settle: words } = usePositionsTexts()
  const { common } = useTexts()
  const askAgain = useRetryAuction({ ...settle, ask: settle.mutate })
  const { state, isPending, isReady, mutate } = settle
  const button = (label: string) => (
    <Button look="main" onClick={mutate} busy={isPending} disabled={!isReady}>
      {label}
    </Button>
  )
  if (silent) {
    return (
      <Button look="main" onClick={askAgain}>
        {common.tryAgain}
      </Button>
    )
  }
  switch (state.step) {
    case 'switchNetwork':
      return (
        <>
          <p>{common.walletElsewhere}</p>
          <SwitchNetwork />
        </>
      )
    case 'settleTogether':
      return button(words.both)
    case 'settle':
      return button(words.settleFirst)
    case 'withdraw':
      return button(withdraw)
    case 'unknown':
      return <ErrorState title={words.notKnown} error={state.error} />
    default:
      return (
        <Button look="main" disabled>
          {waiting}
        </Button>
      )
  }
}
