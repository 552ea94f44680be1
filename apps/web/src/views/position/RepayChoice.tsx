import type { SettleResult, Token } from '@firmquote/react'
import type { FixedPosition } from '@firmquote/sdk'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { payoutOf } from '../../fixing/outcome/payout.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Amount } from '../../ui/figures.tsx'

/** A repayment that a payout allows. Amounts are in raw units. Before the checkpoint, `amount` is an estimate. */
export type RepayOffer = { amount: bigint; debt: bigint; all: boolean; isDeferred: boolean }

/** The account's loan in a position's market, or undefined if there is none that can be repaid here. */
export function loanOf({ reading }: SettleResult, { poolId }: FixedPosition) {
  return reading?.loans.find((entry) => entry.poolId === poolId)?.loan
}

/** Returns the repayment that a position's payout allows, or null if there is none. Pure. */
export function repayOfferOf(settle: SettleResult, position: FixedPosition): RepayOffer | null {
  const { repayments, deferred } = settle
  const loan = loanOf(settle, position)
  const planned = repayments.find(({ market, lender }) => market === loan?.market && lender === loan?.lender)
  if (planned) return { ...planned, isDeferred: false }
  const payout = payoutOf(position)?.amount ?? 0n
  if (!loan || !deferred.includes(position.positionId) || payout === 0n) return null
  const all = payout >= loan.debt
  return { amount: all ? loan.debt : payout, debt: loan.debt, all, isDeferred: true }
}

/** Asks whether to repay, and says how much and when. */
export function RepayChoice(props: {
  offer: RepayOffer
  token: Token
  settle: SettleResult
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  const { offer, token, settle, checked, onChange } = props
  const { settle: words } = usePositionsTexts()
  const { amount: value, debt, all, isDeferred } = offer
  const figure = <Amount value={value} token={token} />
  const amount = isDeferred ? words.roughly(figure) : figure
  const { step } = settle.state
  const isTogether = step === 'settleTogether' || step === 'repayTogether'
  const when = !isTogether ? words.repayApart : isDeferred ? words.repayLater : words.repayTogether
  return (
    <div>
      <Checkbox checked={checked} onChange={onChange} disabled={settle.isPending}>
        {all ? words.repayAll(amount) : words.repayPart(amount, <Amount value={debt} token={token} />)}
      </Checkbox>
      {checked && <p>{when}</p>}
    </div>
  )
}
