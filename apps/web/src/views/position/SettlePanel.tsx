import { type Payment, type Pool, useService, useSettle, withdrawnAmount } from '@firmquote/react'
import { type FixedPosition, repaidAmount } from '@firmquote/sdk'
import { useState } from 'react'
import { isAddressEqual, zeroAddress } from 'viem'
import { useConnection } from 'wagmi'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { useWords } from '../../copy/words.ts'
import { useSilent } from '../../fixing/auctions/useSilent.ts'
import { payoutOf } from '../../fixing/outcome/payout.ts'
import type { PayoutStage } from '../../fixing/outcome/payoutStage.ts'
import { Amount, ShortAddress } from '../../ui/figures.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { StickyBar } from '../../ui/StickyBar.tsx'
import { FixAgain } from './FixAgain.tsx'
import { loanOf, RepayChoice, repayOfferOf } from './RepayChoice.tsx'
import { Sending } from './Sending.tsx'
import { SettleAction } from './SettleAction.tsx'
import { SettleOutcome } from './SettleOutcome.tsx'
import styles from './SettlePanel.module.css'
import { SettleSteps } from './SettleSteps.tsx'

/**
 * Settles a matured position, withdraws its payout and repays debt with it, after one press. Asks for one confirmation
 * if the wallet supports batches, otherwise for one each. Renders nothing before maturity or once everything is done.
 *
 * @param props.sides The position, once for each side that the account holds.
 * @param props.stage See `payoutStage`.
 * @param props.credit The account's withdrawable credit in the token, raw units.
 */
export function SettlePanel(props: {
  sides: readonly FixedPosition[]
  stage: PayoutStage | null
  pool: Pool
  credit: bigint
  payment: Payment | null
}) {
  const [position] = props.sides
  return position && <OfPosition {...props} position={position} />
}

type OfPositionProps = Parameters<typeof SettlePanel>[0] & { position: FixedPosition }

function OfPosition({ sides, position, stage, pool, credit, payment }: OfPositionProps) {
  const { formats } = useWords()
  const { settle: words, sending } = usePositionsTexts()
  const { address } = useConnection()
  const { config } = useService()
  const [isRepayChosen, setRepayChosen] = useState(true)
  /** Whether the last press was to repay. */
  const [hasAsked, setHasAsked] = useState(false)
  // The credit is of other positions if this one's payout has been withdrawn.
  const isUsed = credit > 0n && payment?.withdrawal != null
  const settle = useSettle({ positionId: position.positionId, repay: isRepayChosen && !isUsed })
  const silent = useSilent(settle.transaction.state === 'asking')
  const { state, isPending, logs } = settle
  const { loanToken: token } = pool
  const { settlement } = position
  const exact = (value: bigint) => formats.withSymbol(formats.exact(value, token), token)
  const payout = payoutTogether(sides)
  const borrowed = sides.find(({ role }) => role === 'borrower')
  const offer = borrowed && !isUsed ? repayOfferOf(settle, borrowed) : null
  const repays = isPending ? hasAsked : offer !== null && isRepayChosen

  if (stage === 'running' || stage === 'observable') return null
  if (credit === 0n && payout === 0n) {
    return <Notice title={words.nothing}>{words.nothingWhy}</Notice>
  }
  const account = address ?? zeroAddress
  const { interestRatePool } = config.contracts
  const withdrawn = withdrawnAmount(logs, { interestRatePool, account, token: token.address })
  const loan = loanOf(settle, position)
  const repaid = loan ? repaidAmount(logs, { ...loan, account }) : 0n
  const said = repaid > 0n ? sending.saidRepaid : withdrawn === null ? sending.saidSettled : sending.saidPaid
  const isPaid = settlement !== undefined && credit === 0n
  if (isPaid && !isPending && !('calls' in state)) {
    if (state.step === 'wait') return null
    if (withdrawn === null && repaid === 0n) {
      return borrowed ? <FixAgain {...{ account, pool }} position={borrowed} notional={borrowed.notional} /> : null
    }
    // A receipt is missing if the wallet was elsewhere when it came.
    const paid = withdrawn ?? payment?.withdrawal?.amount ?? null
    if (state.step === 'nothing') {
      return (
        <Panel title={words.done}>
          <SettleOutcome
            {...{ settle, account, hasAsked }}
            settled={sides.map((position) => ({ position, pool }))}
            paid={paid === null ? [] : [{ token, amount: paid }]}
            loans={settle.reading?.loans ?? []}
          />
          <Sending of={settle} silent={silent} said={said} />
        </Panel>
      )
    }
  }
  const others = settlement ? credit - (payout ?? credit) : credit
  const settledBy = payment?.settledBy
  const isForeign = settlement && settledBy && address && !isAddressEqual(settledBy, address)
  const isTogether = state.step === 'settleTogether' || state.step === 'repayTogether'
  const isReset = isPaid && state.step === 'reset' && !repays
  const repayTitle = isReset ? words.reset : words.repay
  const withdrawTitle = repays ? words.withdrawRepay : words.withdraw
  const title = isPaid ? repayTitle : settlement ? withdrawTitle : repays ? words.all : words.both
  const leads = () => {
    if (isPaid) return isReset ? words.resetLead : words.repayLead
    if (settlement) return words.withdrawLead
    return `${isTogether ? words.leadTogether : words.lead} ${stage === 'final' ? words.finalLead : words.dueLead}`
  }
  const label = () => {
    if (isPaid) return offer && repays ? words.repayAmount(exact(offer.amount)) : repayTitle
    return settlement && !repays ? words.withdrawAmount(exact(credit)) : title
  }
  const amount = payout === null ? null : <Amount value={payout + credit} token={token} />
  const press = () => {
    setHasAsked(repays)
    settle.mutate()
  }
  return (
    <Panel title={title} lead={leads()}>
      <div className={styles['panel']}>
        {isForeign && <p>{words.settledBy(<ShortAddress address={settledBy} />)}</p>}
        {!isTogether && (!isForeign || repays) && <SettleSteps settle={settle} repays={repays} />}
        {offer && <RepayChoice {...{ offer, token, settle }} checked={isRepayChosen} onChange={setRepayChosen} />}
        <StickyBar
          summary={
            <>
              <p className={styles['sum']}>
                {isPaid ? (
                  withdrawn !== null && <Amount value={withdrawn} token={token} />
                ) : settlement ? (
                  <Amount value={credit} token={token} />
                ) : (
                  amount && (stage === 'final' ? amount : words.about(amount))
                )}
              </p>
              {others > 0n && <p>{words.withOthers(<Amount value={others} token={token} />)}</p>}
            </>
          }
        >
          <SettleAction settle={settle} silent={silent} press={press} label={label()} />
        </StickyBar>
        <Sending of={settle} silent={silent} said={said} />
      </div>
    </Panel>
  )
}

/** Returns the account's total payout from its sides, or null if unknown. */
function payoutTogether(sides: readonly FixedPosition[]): bigint | null {
  return sides.map(payoutOf).reduce<bigint | null>((sum, one) => (sum === null || !one ? null : sum + one.amount), 0n)
}
