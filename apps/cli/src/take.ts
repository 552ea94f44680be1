import type { CollectedQuote } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import {
  type PlannedTake,
  type PriceLimit,
  TakeInterruptedError,
  type TakenQuote,
  type TakeRequest,
  type TakeResult,
  takeBest,
} from '@firmquote/sdk'
import type { Hex, TransactionReceipt } from 'viem'
import { type ApproveParts, approve, missingPermissions } from './approve.ts'
import type { Context } from './context.ts'
import { NotExecutableError } from './errors.ts'
import { showAmount, showRate } from './format/show.ts'
import { type ContractCall, sendAndWait } from './sendTransaction.ts'
import { aprNow, type PlanView, showPlan } from './showPlan.ts'

/** What is needed to take quotes. */
export type TakeParts = ApproveParts & {
  quotes: readonly CollectedQuote[]
  request: TakeRequest
  limit: PriceLimit
  view: PlanView
  /** Whether missing permissions are sent first. */
  approves: boolean | undefined
}

/**
 * Takes the best quotes that can be taken within the limit, one after the other, and shows each plan, each transaction and each
 * position.
 *
 * @throws what `sendTransaction` throws, but for a quote that can no longer be taken: the next best is taken instead.
 */
export async function take(context: Context, parts: TakeParts): Promise<TakeResult> {
  const { chain, account, client, quotes, request, limit, view, approves } = parts
  try {
    return await takeBest(quotes, {
      ...client.getConfig(),
      request,
      limit,
      borrower: account.address,
      publicClient: chain,
      onPlan: async (plan) => {
        showPlan(context, plan, view)
        return approves && missingPermissions(plan).length > 0 ? approve(context, parts, plan) : undefined
      },
      send: (call, planned) => send(context, parts, call, planned),
      onTaken: (taken) => tellTaken(context, taken, view),
    })
  } catch (error) {
    // Its cause has this program's own sentence and exit code.
    throw error instanceof TakeInterruptedError ? error.cause : error
  }
}

async function send(
  context: Context,
  { chain, rpcUrl, account, view: { json } }: TakeParts,
  call: ContractCall,
  { hash }: PlannedTake,
): Promise<TransactionReceipt> {
  const onSent = (transactionHash: Hex) =>
    context.write(
      json
        ? `${encodeJson({ type: 'sent', data: { transactionHash } })}\n`
        : `Sent ${transactionHash}, waiting for its block.\n`,
    )
  const tellFailed = (reason: string) =>
    context.write(
      json ? `${encodeJson({ type: 'failed', data: { hash, reason } })}\n` : `${reason} Looking for the next best.\n`,
    )
  try {
    const receipt = await sendAndWait(chain, rpcUrl, account, call, { ...context, onSent })
    if (receipt.status !== 'success') tellFailed(`The transaction ${receipt.transactionHash} was mined and reverted.`)
    return receipt
  } catch (error) {
    if (error instanceof NotExecutableError) tellFailed(error.shortMessage)
    throw error
  }
}

function tellTaken(context: Context, taken: TakenQuote, { token, json, expiry }: PlanView): void {
  const { hash, positionId, notional, cost, receipt, signed } = taken
  const { transactionHash, blockNumber } = receipt
  if (json) {
    const position = positionId === null ? {} : { positionId, notional, cost }
    context.write(`${encodeJson({ type: 'taken', data: { transactionHash, blockNumber, hash, ...position } })}\n`)
    return
  }
  const apr = aprNow(signed, expiry)
  const what =
    positionId === null
      ? `The quote is taken in block ${blockNumber}.`
      : `Position ${positionId} is open in block ${blockNumber}: ${showAmount(notional, token)} fixed at ${showRate(apr)} APR for ${showAmount(cost, token)}.`
  context.write(`${context.style.good(what)}\n`)
}
