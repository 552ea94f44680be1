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

/** Which quote is taken, and what it is held against. */
export type TakeParameters = {
  signed: SignedQuote
  /** What was asked for: an auction, or the terms of a published quote itself. */
  request: ExecutabilityRequest
  /**
   * The most to pay for all of the request; required. A quote for a part is held to its share. With `maxApr` the request needs its
   * `expiry`, and the term counts from when the hook was first drawn.
   */
  limit: PriceLimit
  /** Whether a quote for less than the request is taken, too. Default false. */
  part?: boolean | undefined
}

/** Where a take stands. */
export type TakeState =
  | TakeStep
  /** The wallet has sent it. */
  | { step: 'onItsWay'; transaction: Extract<Transaction, { state: 'called' | 'sent' }> }
  /** Confirmed. `position` is null where the pool has opened none: then nothing is fixed by it. */
  | {
      step: 'taken'
      transaction: Extract<Transaction, { state: 'confirmed' }>
      position: OpenedPosition | null
    }

/** A take, and a way to do what comes next. */
export type TakeResult = {
  state: TakeState
  /** The six checks. */
  executability: ExecutabilityReading
  /** The one that is under way; else the last of the step that the state names, or of the take itself where it names none. */
  transaction: Transaction
  /** Whole seconds for which the quote can still be submitted safely. */
  secondsLeft: number
  /** A transaction is under way, or is confirmed and not read by the checks yet. */
  isPending: boolean
  /** Whether `mutate` sends something. */
  isReady: boolean
  /** Why nothing is known of the quote, or why the last transaction was not sent. */
  error: Error | null
  /** As {@link TakeResult.mutateAsync}, with what has failed in `error` alone. */
  mutate(): void
  /**
   * Sends what the state names: one step, or all that is left as one. Resolves as soon as the wallet has taken it; the state says
   * what becomes of it.
   *
   * @throws {NotReadyError} when there is nothing to send now; viem's errors of the wallet.
   */
  mutateAsync(): Promise<void>
  /**
   * Sends what the state names, and by itself each step after it, once the one before is confirmed and the checks have seen it: what
   * `calls` of the state says, for an account that has agreed to all of it. Nothing more is sent as soon as the wallet refuses or
   * anything has changed, another account among it; nor after the component is gone.
   */
  mutateAll(): void
  /** Whether steps follow by themselves, after `mutateAll`. */
  isContinuing: boolean
  /** As `giveUp` of `useTransaction`, for what is under way. */
  giveUp(): void
}

/**
 * Takes one quote, from the six checks to the position: takes an old allowance back, allows exactly the cost, permits the market,
 * takes; or all of it as one confirmation, where the wallet sends several calls as one (EIP-5792). Each step is a call of `mutate`, or
 * all of them follow one of `mutateAll`; each is decided anew at every block. After a reload of the tab it goes on with what was sent.
 *
 * Nothing is sent unless all checks but the borrower's pass, the limit's among them.
 *
 * @throws {InvalidInputError} when the quote, the request or the limit is malformed.
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
  // What is under way stays what is shown, whatever is read, or cannot be read, meanwhile.
  const step = [taking, ...Object.values(steps)].find((one) => one.isPending) ?? steps[next.step] ?? taking
  const { state } = taking.transaction

  const cache = useQueryClient()
  const takenAt = taking.transaction.state === 'confirmed' ? taking.transaction.block : null
  useEffect(() => {
    if (takenAt === null) return
    awaitBlock(takenAt)
    void cache.invalidateQueries({ queryKey: queryKeys.positions })
  }, [cache, takenAt])

  // What is confirmed is not asked for again before the checks have seen it.
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
  // A refusal may be drawn before what is left has become less: nothing is asked for a second time.
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
