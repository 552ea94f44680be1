import type { CollectedQuote } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import {
  oneTransaction,
  type PriceLimit,
  TakeInterruptedError,
  type TakenQuote,
  type TakeRequest,
  type TakeResult,
  takeBest,
} from '@firmquote/sdk'
import type { Hex, TransactionReceipt } from 'viem'
import { type ApproveParts, approve, missingPermissions, type Permission, revokeApprovals } from './approve.ts'
import type { Context } from './context.ts'
import { NotExecutableError } from './errors.ts'
import { showAmount, showFixedRate } from './format/show.ts'
import { type ContractCall, sendAndWait } from './sendTransaction.ts'
import { type PlanView, rateNow, showPlan } from './showPlan.ts'
import { addTake } from './spending.ts'

/** Options of {@link take}. */
export type TakeParts = ApproveParts & {
  quotes: readonly CollectedQuote[]
  request: TakeRequest
  limit: PriceLimit
  view: PlanView
  /** Whether to grant missing permissions. */
  approves: boolean | undefined
  /** Whether to send a separate transaction for each take. */
  oneByOne: boolean | undefined
}

/**
 * Takes the best quotes within the limit, in one transaction if the account and the token allow it, and otherwise one
 * after another. Shows each plan, transaction and position. Revokes unused permissions.
 *
 * @throws the errors of `sendTransaction`. If a quote can no longer be taken, the next best is taken instead.
 */
export async function take(context: Context, parts: TakeParts): Promise<TakeResult> {
  const { chain, account, client, quotes, request, limit, view, approves, oneByOne } = parts
  const permitted = new Set<Permission>()
  const sendTogether = oneTransaction({
    ...client.getConfig(),
    borrower: account,
    publicClient: chain,
    send: (call) => send(context, parts, call),
    permits: approves === true,
  })
  try {
    const result = await takeBest(quotes, {
      ...client.getConfig(),
      client,
      request,
      limit,
      borrower: account.address,
      publicClient: chain,
      onPlan: (plan) => showPlan(context, plan, view),
      sendTogether: oneByOne ? undefined : sendTogether,
      onMissing: async (plan) => {
        const missing = missingPermissions(plan)
        if (!approves || missing.length === 0) return undefined
        for (const permission of missing) permitted.add(permission)
        return approve(context, parts, plan)
      },
      send: (call, { hash }) => send(context, parts, call, hash),
      onTaken: (taken) => {
        if (context.failure.spending) addTake(context.failure.spending, taken)
        reportTaken(context, taken, view)
      },
    })
    // A permission that was used must not be revoked.
    if (result.taken.length > 0) permitted.delete('operator')
    // The last plan names no token if no quote is left.
    await revokeApprovals(context, parts, permitted, result.plan.loanToken ?? request.loanToken ?? null)
    return result
  } catch (error) {
    // The cause carries this program's message and exit code.
    throw error instanceof TakeInterruptedError ? error.cause : error
  }
}

/** Sends the call that takes one quote or, if `hash` is omitted, several quotes. */
async function send(
  context: Context,
  { chain, rpcUrl, account, view: { json } }: TakeParts,
  call: ContractCall,
  hash?: Hex,
): Promise<TransactionReceipt> {
  const onSent = (transactionHash: Hex) =>
    context.write(
      json
        ? `${encodeJson({ type: 'sent', data: { transactionHash } })}\n`
        : `Sent ${transactionHash}, waiting for it to be mined.\n`,
    )
  const reportFailed = (reason: string) =>
    context.write(
      json
        ? `${encodeJson({ type: 'failed', data: { ...(hash && { hash }), reason } })}\n`
        : `${reason} Trying the next best quote.\n`,
    )
  try {
    const receipt = await sendAndWait(chain, rpcUrl, account, call, { ...context, onSent })
    if (receipt.status !== 'success') reportFailed(`The transaction ${receipt.transactionHash} was mined but reverted.`)
    return receipt
  } catch (error) {
    if (error instanceof NotExecutableError) reportFailed(error.shortMessage)
    throw error
  }
}

function reportTaken(context: Context, taken: TakenQuote, { token, json, expiry }: PlanView): void {
  const { hash, positionId, notional, cost, receipt, signed } = taken
  const { transactionHash, blockNumber } = receipt
  if (json) {
    const position = positionId === null ? {} : { positionId, notional, cost }
    context.write(`${encodeJson({ type: 'taken', data: { transactionHash, blockNumber, hash, ...position } })}\n`)
    return
  }
  const what =
    positionId === null
      ? `The quote was taken in block ${blockNumber}.`
      : `Position ${positionId} was opened in block ${blockNumber}: ${showAmount(notional, token)} fixed at ${showFixedRate(rateNow(signed, expiry))} for ${showAmount(cost, token)}.`
  context.write(`${context.style.good(what)}\n`)
}
