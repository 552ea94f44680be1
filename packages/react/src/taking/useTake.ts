import { type ExecutabilityRequest, hashQuote, type PriceLimit, type SignedQuote } from '@firmquote/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isNewerThan, type Transaction } from '../chain/transaction.ts'
import { useAtomicity } from '../chain/useAtomicity.ts'
import { useChain } from '../chain/useChain.ts'
import { type ExecutabilityReading, useExecutability } from '../chain/useExecutability.ts'
import { type TransactionResult, useTransaction } from '../chain/useTransaction.ts'
import { NotReadyError } from '../errors.ts'
import { awaitBlock } from '../service/awaitedBlock.ts'
import { queryKeys } from '../service/queryKeys.ts'
import { serverNow, useServerNow } from '../service/serverClock.ts'
import { useService } from '../service/serviceContext.ts'
import { type Agreement, judgeAgreement } from './agreement.ts'
import { enforceLimit } from './enforceLimit.ts'
import { type OpenedPosition, openedPosition } from './openedPosition.ts'
import { secondsToSubmit } from './submissionWindow.ts'
import { nextTakeStep, type TakeStep } from './takeStep.ts'

/** The quote to take, and the request and limit to check it against. */
export type TakeParameters = {
  signed: SignedQuote
  /** The request: an auction, or the terms of a published quote. */
  request: ExecutabilityRequest
  /**
   * The maximum price for the whole request. A quote for part of the request must not exceed its share of the maximum
   * price. `maxApr` requires the request's `expiry`, and its term starts when the hook first renders.
   */
  limit: PriceLimit
  /** Whether to accept a quote for less than the requested notional. Default false. */
  part?: boolean | undefined
}

/** The state of a take. */
export type TakeState =
  | TakeStep
  /** The wallet has accepted the take, but it has not been mined yet. */
  | { step: 'onItsWay'; transaction: Extract<Transaction, { state: 'called' | 'sent' }> }
  /** Confirmed. `position` is null if the pool opened no position; then, no rate is fixed. */
  | {
      step: 'taken'
      transaction: Extract<Transaction, { state: 'confirmed' }>
      position: OpenedPosition | null
    }

/** The state of taking a quote, and functions to perform the next step. */
export type TakeResult = {
  state: TakeState
  /** The six checks. */
  executability: ExecutabilityReading
  /** The pending transaction; otherwise the last one for the current step or, failing that, for the take. */
  transaction: Transaction
  /** Whole seconds left to submit the quote safely. */
  secondsLeft: number
  /** Whether a transaction is pending, or confirmed but not yet seen by the checks. */
  isPending: boolean
  /** Whether `mutate` can send a transaction now. */
  isReady: boolean
  /** Why the quote could not be checked or the last transaction was not sent. */
  error: Error | null
  /** Like {@link TakeResult.mutateAsync}, but reports failures only through `error`. */
  mutate(): void
  /**
   * Sends the current step: one call, or all remaining calls as a batch. Resolves once the wallet has accepted the
   * request. `state` tracks the outcome.
   *
   * @throws {NotReadyError} if nothing can be sent.
   * @throws viem's wallet errors.
   */
  mutateAsync(): Promise<void>
  /**
   * Sends the current step, then each later step once the previous one is confirmed and the checks have seen it. Use
   * this only if the account has agreed to all of the state's `calls`. Stops when the user rejects a call, when
   * anything changes (including the account), or when the component unmounts.
   */
  mutateAll(): void
  /** Whether `mutateAll` will send further steps. */
  isContinuing: boolean
  /** Gives up the pending transaction. See `giveUp` of `useTransaction`. */
  giveUp(): void
}

/**
 * Takes one quote, from the six checks to the opened position. The steps reset any earlier allowance, approve exactly
 * the cost, authorize the market, and take the quote. If the wallet supports atomic batches (EIP-5792), all steps need
 * only one confirmation. Call `mutate` for each step, or `mutateAll` once. The hook recomputes the next step at every
 * block. After a reload, the hook resumes tracking transactions that were already sent.
 *
 * The hook sends a transaction only if all checks other than the borrower's pass. The checks include the price limit.
 *
 * @throws {InvalidInputError} if the quote, the request or the limit is malformed.
 * @example
 * ```tsx
 * const { state, mutate, isReady, error } = useTake({ signed: quote, request: auction, limit: { maxApr: 8 } })
 *
 * if (state.step === 'taken') return <p>Position {state.position?.positionId.toString()}</p>
 * return <button disabled={!isReady} onClick={mutate}>{state.step}</button>
 * ```
 */
export function useTake({ signed, request, limit, part = false }: TakeParameters): TakeResult {
  const { config } = useService()
  const { chainId, contracts } = config
  const [at] = useState(() => BigInt(Math.floor(serverNow() / 1000)))
  const chain = useChain()
  const executability = useExecutability(signed, enforceLimit(request, limit, { size: signed.notional, part, at }))
  const atomic = useAtomicity()
  const secondsLeft = secondsToSubmit(signed.deadline, useServerNow(250))
  const { data: verdict, error: failure } = executability
  const next = nextTakeStep(chain.state, { signed, verdict, error: failure, atomic, contracts })

  const hash = hashQuote(signed, { chainId, quoteMarket: contracts.quoteMarket })
  const account = chain.state === 'ready' ? chain.client.account.address : ''
  const taking = useTransaction(hash)
  const steps: Record<string, TransactionResult> = {
    reset: useTransaction(`${hash}.reset.${account}`),
    approve: useTransaction(`${hash}.approve.${account}`),
    permit: useTransaction(`${hash}.permit.${account}`),
  }
  // Keep showing the pending transaction while reads change or fail.
  const step = [taking, ...Object.values(steps)].find((one) => one.isPending) ?? steps[next.step] ?? taking
  const { state } = taking.transaction

  const cache = useQueryClient()
  const takenAt = taking.transaction.state === 'confirmed' ? taking.transaction.block : null
  useEffect(() => {
    if (takenAt === null) return
    awaitBlock(takenAt)
    void cache.invalidateQueries({ queryKey: queryKeys.positions })
  }, [cache, takenAt])

  // Do not repeat a confirmed step before the checks have seen it.
  const isPending = step.isPending || isNewerThan(step.transaction, verdict?.block.number)
  const calls = 'calls' in next ? next.calls : []
  const together = next.step === 'takeTogether'
  const takes = together || next.step === 'take'
  const isReady = calls.length > 0 && !isPending && state !== 'confirmed' && (secondsLeft > 0 || !takes)
  const atOnce = together ? calls.length : 1
  const send = async () => {
    if (!isReady) throw new NotReadyError()
    await step.mutateAsync(calls.slice(0, atOnce))
  }
  const mutate = () => void send().catch(() => {})

  const [agreed, setAgreed] = useState<Agreement | null>(null)
  const verdictOnRest = agreed && judgeAgreement(agreed, { account, step: next, isPending, isReady })
  const mutateAll = () => {
    const rest = calls.slice(atOnce)
    setAgreed(isReady && rest.length > 0 ? { account, calls: rest } : null)
    mutate()
  }
  const goOn = useRef(mutateAll)
  useEffect(() => {
    goOn.current = mutateAll
  })
  // A rejection may render before `agreed` is updated. The ref prevents a second request for the same calls.
  const askedFor = useRef<Agreement | null>(null)
  useEffect(() => {
    if (verdictOnRest === 'stop') setAgreed(null)
    if (verdictOnRest !== 'send' || askedFor.current === agreed) return
    askedFor.current = agreed
    goOn.current()
  }, [verdictOnRest, agreed])
  return {
    state: stateOf(taking.transaction, next, contracts.interestRatePool),
    executability,
    transaction: step.transaction,
    secondsLeft,
    isPending,
    isReady,
    error: failure ?? step.error,
    mutate,
    mutateAsync: send,
    mutateAll,
    isContinuing: verdictOnRest === 'wait' || verdictOnRest === 'send',
    giveUp: step.giveUp,
  }
}

function stateOf(transaction: Transaction, next: TakeStep, interestRatePool: `0x${string}`): TakeState {
  if (transaction.state === 'called' || transaction.state === 'sent') return { step: 'onItsWay', transaction }
  if (transaction.state !== 'confirmed') return next
  return { step: 'taken', transaction, position: openedPosition(transaction.logs, interestRatePool) }
}
