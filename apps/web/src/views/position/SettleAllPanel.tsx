import { type Pool, type Token, useService, useSettle, withdrawnAmount } from '@firmquote/react'
import { type AccountPositions, maxSettlements, repaidAmount, type SettlementReading } from '@firmquote/sdk'
import { useState } from 'react'
import { type Address, isAddressEqual } from 'viem'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useFormats } from '../../copy/words.ts'
import { useSilent } from '../../fixing/auctions/useSilent.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { StickyBar } from '../../ui/StickyBar.tsx'
import { Sending } from './Sending.tsx'
import { SettleAction } from './SettleAction.tsx'
import { SettleOutcome } from './SettleOutcome.tsx'
import styles from './SettlePanel.module.css'
import { SettleSteps } from './SettleSteps.tsx'
import { countPositions, type Due, totalsOf } from './settleTotals.ts'

export type SettleAllProps = {
  account: AccountPositions
  /** The account's matured positions, once for each of its sides. */
  due: readonly Due[]
  pools: readonly Pool[]
}

/** The positions and loans of all presses so far, and whether the last press repays. */
type Press = { due: readonly Due[]; loans: SettlementReading['loans']; repays: boolean }

/** Settles all matured positions after one press. Renders nothing with fewer than two positions and no press. */
export function SettleAllPanel({ account, due, pools }: SettleAllProps) {
  const { config } = useService()
  const formats = useFormats()
  const { settle: words, sending } = usePositionsTexts()
  const [isRepayChosen, setRepayChosen] = useState(true)
  const [pressed, setPressed] = useState<Press | null>(null)
  const settle = useSettle({ repay: isRepayChosen })
  const silent = useSilent(settle.transaction.state === 'asking')
  const { state, isPending, logs, reading, repayments, deferred } = settle
  const { address, withdrawable = [] } = account
  const count = countPositions(due)
  if (count < 2 && pressed === null) return null

  const { interestRatePool } = config.contracts
  const tokens = tokensOf(pools)
  const paid = tokens.flatMap((token) => {
    const amount = withdrawnAmount(logs, { interestRatePool, account: address, token: token.address })
    return amount === null ? [] : [{ token, amount }]
  })
  const repaid = pressed?.loans.some(({ loan }) => repaidAmount(logs, { ...loan, account: address }) > 0n)
  const said = repaid ? sending.saidRepaid : paid.length > 0 ? sending.saidPaid : sending.saidSettled
  if (pressed && !isPending && state.step === 'nothing') {
    return (
      <Panel title={words.done}>
        <SettleOutcome
          {...{ settle, paid }}
          account={address}
          settled={pressed.due}
          loans={pressed.loans}
          hasAsked={pressed.repays}
        />
        <Sending of={settle} silent={silent} said={said} />
      </Panel>
    )
  }
  const canRepay = repayments.length > 0 || deferred.length > 0
  const repays = isPending ? pressed?.repays === true : canRepay && isRepayChosen
  const totals = totalsOf(due, withdrawable)
  const amounts = tokens.flatMap((token) => {
    const total = totals.find((one) => isAddressEqual(one.token, token.address))
    return total ? [formats.withSymbol(formats.amount(total.amount, token), token)] : []
  })
  const isTogether = state.step === 'settleTogether' || state.step === 'repayTogether'
  // Positions that an interrupted press has settled.
  const earlier = (pressed?.due ?? []).filter(({ position: { positionId } }) =>
    due.every(({ position }) => position.positionId !== positionId),
  )
  const press = () => {
    setPressed({
      due: [...earlier, ...due],
      loans: [...(reading?.loans ?? []), ...(pressed?.loans ?? [])],
      repays,
    })
    settle.mutate()
  }
  return (
    <Panel title={words.allTitle} lead={isTogether ? words.allLeadTogether : words.allLead}>
      <div className={styles['panel']}>
        {count > maxSettlements && <p>{words.allMost(maxSettlements)}</p>}
        {!isTogether && <SettleSteps settle={settle} repays={repays} />}
        {canRepay && (
          <Checkbox checked={isRepayChosen} onChange={setRepayChosen} disabled={isPending}>
            {words.allRepay}
          </Checkbox>
        )}
        {repays && isTogether && deferred.length > 0 && <p>{words.repayLater}</p>}
        <StickyBar
          summary={amounts.length > 0 && <p className={styles['sum']}>{words.about(formats.list(amounts))}</p>}
        >
          <SettleAction
            settle={settle}
            silent={silent}
            press={press}
            label={count > 1 ? words.count(count) : words.both}
          />
        </StickyBar>
        <Sending of={settle} silent={silent} said={said} />
      </div>
    </Panel>
  )
}

/** The pools' loan tokens, each once. */
function tokensOf(pools: readonly Pool[]): Token[] {
  return [...new Map<Address, Token>(pools.map(({ loanToken }) => [loanToken.address, loanToken])).values()]
}
