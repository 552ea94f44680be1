import { encodeJson } from '@firmquote/core/utils'
import {
  maxSettlements,
  planSettlement,
  type RepayCall,
  readSettlement,
  repaidAmount,
  type SettlementPlan,
  type SettlementReading,
} from '@firmquote/sdk'
import type { Address, Hex, TransactionReceipt } from 'viem'
import { NotExecutableError } from './errors.ts'
import { showAmount } from './format/show.ts'
import { type Settling, sendReported, tokenOf } from './settling.ts'

/** Maximum number of plans, in case the debt changes before each repayment. */
const maxPlans = 3
type Repaying = Settling & { lender: Address | undefined }

/** Gas for interest that a market accrues after the estimate. An estimate in the same second includes none. */
const accrualGas = 100_000n

/**
 * Repays debt with the payouts of settled positions, which must have been withdrawn. Reads the debt and plans again if
 * a call reverts, because the debt may have been repaid or liquidated. Leaves no allowance.
 *
 * @throws the errors of `sendTransaction`, and of `readSettlement`.
 */
export async function repay(
  parts: Settling,
  positionIds: readonly bigint[],
  lender: Address | undefined,
): Promise<void> {
  let repaid = false
  for (let start = 0; start < positionIds.length; start += maxSettlements) {
    if (await repayWith({ ...parts, lender }, positionIds.slice(start, start + maxSettlements))) repaid = true
  }
  if (!repaid && !parts.json) parts.context.write('No debt was repaid.\n')
}

/** @returns whether something was repaid. */
async function repayWith(parts: Repaying, positionIds: readonly bigint[]): Promise<boolean> {
  for (let plans = 1; ; plans += 1) {
    const reading = await readSettled(parts, positionIds)
    if (plans === 1) reportUnreadable(parts, reading)
    const plan = planSettlement(reading, { repay: true, withdrawn: true })
    try {
      await sendCalls(parts, plan)
      return plan.repayments.length > 0
    } catch (error) {
      if (!(error instanceof NotExecutableError)) throw error
      if (plans === maxPlans) {
        const left = await readSettled(parts, positionIds)
        await sendCalls(parts, planSettlement(left, { repay: false, withdrawn: true }))
        throw error
      }
      const { context, json } = parts
      const reason = error.shortMessage
      context.write(
        json ? `${encodeJson({ type: 'failed', data: { reason } })}\n` : `${reason} Reading the debt again.\n`,
      )
    }
  }
}

/** Reads the settled positions. Another account may have withdrawn for this one, so all of their payouts count. */
async function readSettled(
  { chain, account, pool, lender, receipts }: Repaying,
  positionIds: readonly bigint[],
): Promise<SettlementReading> {
  const since = receipts.at(-1)?.blockNumber
  const given = { account: account.address, positionIds, interestRatePoolAddress: pool, lenderAddress: lender, since }
  const reading = await readSettlement(chain, given)
  return { ...reading, positions: reading.positions.filter(({ state }) => state === 'settled') }
}

async function sendCalls(parts: Settling, plan: SettlementPlan): Promise<void> {
  for (const call of plan.calls) {
    if (call.purpose === 'repay')
      reportRepaid(parts, plan, call.market, await sendReported(parts, await withGas(parts, call)))
    else if (call.purpose === 'reset' || call.purpose === 'approve') {
      await sendReported(parts, call, (hash) => reportApproving(parts, call, hash))
    } else await sendReported(parts, call)
  }
}

/** If the estimate fails, sending reports the reason. */
async function withGas({ chain, account }: Settling, { to, data }: RepayCall) {
  const gas = await chain.estimateGas({ account, to, data }).catch(() => null)
  return { to, data, ...(gas !== null && { gas: gas + accrualGas }) }
}

function reportUnreadable({ context, json }: Settling, { positions, loans }: SettlementReading): void {
  const unreadable = positions.filter(
    ({ isBorrower, poolId }) => isBorrower && !loans.some((entry) => entry.poolId === poolId),
  )
  if (unreadable.length === 0) return
  const positionIds = unreadable.map(({ positionId }) => positionId)
  context.write(
    json
      ? `${encodeJson({ type: 'unreadable', data: { positionIds } })}\n`
      : `The debt of these positions cannot be read or repaid here: ${positionIds.join(', ')}.\n`,
  )
}

function reportApproving(
  { context, json, pools }: Settling,
  { token, spender, amount }: Extract<RepayCall, { amount: bigint }>,
  transactionHash: Hex,
): void {
  const effect =
    amount === 0n
      ? "resets the lender's allowance"
      : `lets the lender spend your ${showAmount(amount, tokenOf(pools, token))}`
  context.write(
    json
      ? `${encodeJson({ type: 'approving', data: { token, spender, amount, transactionHash } })}\n`
      : `Sent ${transactionHash}, which ${effect}; waiting for it to be mined.\n`,
  )
}

function reportRepaid(
  { context, json, pools, account }: Settling,
  { repayments }: SettlementPlan,
  market: Hex,
  { logs, transactionHash, blockNumber }: TransactionReceipt,
): void {
  for (const { lender, loanToken: token, all } of repayments.filter((each) => each.market === market)) {
    const amount = repaidAmount(logs, { lender, market, account: account.address })
    const what = `${showAmount(amount, tokenOf(pools, token))}${all ? ', all' : ''} of the debt${all ? ',' : ''}`
    context.write(
      json
        ? `${encodeJson({ type: 'repaid', data: { market, token, amount, all, transactionHash, blockNumber } })}\n`
        : `${context.style.good(`Repaid ${what} in block ${blockNumber}.`)}\n`,
    )
  }
}
