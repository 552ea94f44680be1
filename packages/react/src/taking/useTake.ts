import {
  type ExecutabilityRequest,
  hashQuote,
  InvalidInputError,
  type PriceLimit,
  type SignedQuote,
} from '@firmquote/sdk'
import {
  type AskedQuote,
  createJob,
  type Fill,
  fixedBy,
  type Job,
  type JobTakes,
  planJobTakes,
  type Request,
  takeCalls,
} from '@firmquote/sdk/jobs'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { useAtomicity } from '../chain/useAtomicity.ts'
import { useBlock } from '../chain/useBlock.ts'
import { useChain } from '../chain/useChain.ts'
import { type ExecutabilityReading, useExecutability } from '../chain/useExecutability.ts'
import { NotReadyError } from '../errors.ts'
import { type ActionResult, actionOf } from '../jobs/action.ts'
import { type CallPlan, hasAsked, type JobPlanner } from '../jobs/liveJobs.ts'
import { isTransactionPending, type Transaction } from '../jobs/transactionOf.ts'
import { useJob } from '../jobs/useJob.ts'
import { serverNow } from '../service/serverClock.ts'
import { type Service, useService } from '../service/serviceContext.ts'
import { useRefetchPositions } from '../service/useRefetchPositions.ts'
import { useServerNow } from '../service/useServerNow.ts'
import { enforceLimit } from './enforceLimit.ts'
import { secondsToSubmit } from './submissionWindow.ts'
import { costOf, nextTakeStep, type TakeStep } from './takeStep.ts'

/** The quotes to take, and the request and limit to check them against. */
export type TakeParameters = {
  /** The quotes to take, best first. At least one, and at most four. */
  quotes: readonly SignedQuote[]
  /** Quotes for the same request that may replace those that cannot be taken. Default none. */
  others?: readonly SignedQuote[] | undefined
  /** The request: an auction, or the terms of a published quote. */
  request: ExecutabilityRequest
  /**
   * The maximum price for the whole request. A quote for part of the request must not exceed its share of the maximum
   * price. `maxApr` requires the request's `expiry`, and its term starts when the hook first renders.
   */
  limit: PriceLimit
  /** Whether to accept less than the requested notional. Default false. */
  part?: boolean | undefined
  /**
   * Identifies the request, such as an auction's `rfqId`. What the account has taken under the same key counts towards
   * the request, also after a reload. Default: the hashes of `quotes`.
   */
  key?: string | undefined
  /** The pool's loan token, from the service. The hook sends no request if the wallet's node names another token. */
  loanToken?: Address | undefined
}

export type { Fill }

/** The state of a take. */
export type TakeState =
  | TakeStep
  /** The wallet has accepted a take, but it has not been mined yet. */
  | { step: 'onItsWay'; transaction: Extract<Transaction, { state: 'called' | 'sent' }> }
  /**
   * An earlier take of these hashes may still be mined. The chain decides by `until`, in Unix seconds. Until then, only
   * these quotes can be taken.
   */
  | { step: 'undecided'; hashes: readonly Hex[]; until: bigint }
  /** `taken` lists what the account has taken for this request. */
  | { step: 'taken'; taken: readonly Fill[] }

/** The state of taking quotes, and functions to continue. */
export type TakeResult = ActionResult & {
  state: TakeState
  /** The six checks of the first quote that is not taken. The borrower's check covers all quotes that are not taken. */
  executability: ExecutabilityReading
  /** The quotes that the account has taken for this request. */
  taken: readonly Fill[]
  /** While the take is running, the quotes that it is about to take. They may replace some of `quotes`. */
  planned: readonly AskedQuote[]
  /** Whole seconds left to submit the quotes safely. */
  secondsLeft: number
  /** Whether `mutate` can ask the wallet now. */
  isReady: boolean
}

const mostTakes = 4

/**
 * Takes one or more quotes, from the six checks to the opened positions: resets any earlier allowance, approves exactly
 * the cost, authorizes the market, and takes the quotes. If the wallet supports atomic batches (EIP-5792), one
 * confirmation suffices. After a reload, the hook tracks what was already sent, and asks the wallet only after another
 * `mutate`.
 *
 * `mutate` asks the wallet for each remaining call, or for all of them as a batch, until the quotes' notional is fixed. If
 * a quote cannot be taken, the next best of all quotes takes its place, within the limit, once the service confirms that
 * the take reverted. It stops when the user rejects a call, or when the account or the chain changes.
 *
 * Before each request, all quotes are checked again at the latest block, as by `planTakes`. The checks include the
 * price limit.
 *
 * @throws {InvalidInputError} if a quote, the request or the limit is malformed.
 * @example
 * ```tsx
 * const { state, mutate, isReady, error } = useTake({ quotes: [quote], request: auction, limit: { maxApr: 8 } })
 *
 * if (state.step === 'taken') return <p>{state.taken.map(({ positionId }) => `Position ${positionId}`)}</p>
 * return <button disabled={!isReady} onClick={mutate}>{state.step}</button>
 * ```
 */
export function useTake(parameters: TakeParameters): TakeResult {
  const { quotes, others = [], request, limit, part = false, loanToken } = parameters
  if (quotes.length < 1 || quotes.length > mostTakes) {
    throw new InvalidInputError(`must contain 1 to ${mostTakes} quotes.`, { path: 'quotes', given: quotes.length })
  }
  const { chainId, contracts } = useService().config
  const { quoteMarket, interestRatePool } = contracts
  const chain = useChain()
  const atomic = useAtomicity()
  const now = useServerNow({ intervalMs: 250 })
  const [at] = useState(() => BigInt(Math.floor(serverNow() / 1000)))
  const signed = new Map([...quotes, ...others].map((quote) => [hashQuote(quote, { chainId, quoteMarket }), quote]))
  const chosen = [...signed.keys()].slice(0, quotes.length)
  const size = sumOf(quotes)
  const isEnough = part || size >= request.notional
  const requestFor = (size: bigint) => enforceLimit(request, limit, { size, part: isEnough, at })
  const most = requestFor(request.notional).maxVrtAmount ?? 0n
  const key = parameters.key ?? chosen.join('.')

  const planner: JobPlanner = {
    signed,
    async plan(job, client, only) {
      const { notional } = request
      const first = quotes[0] as SignedQuote
      const read = (from: readonly SignedQuote[]) =>
        planJobTakes(
          job,
          from.map((quote) => ({ quote })),
          {
            request: { ...request, poolId: first.poolId, seriesKey: first.seriesKey, notional, loanToken },
            limit: { maxVrtAmount: most },
            // The press agreed to less than the request.
            fixed: notional - job.notional + fixedBy(job),
            borrower: job.account,
            publicClient: client,
            chainId,
            quoteMarketAddress: quoteMarket,
            interestRatePoolAddress: interestRatePool,
            now: Math.floor(serverNow() / 1000),
          },
          only,
        )
      const isFree = only === null && job.suspects.length === 0
      const preferred = isFree ? await read(quotes) : null
      const takes = preferred && preferred.quotes.length > 0 ? preferred : await read([...signed.values()])
      return { ...takes.known, quotes: takes.quotes, ...formsOf(takes, { atomic: atomic && !job.isApart, contracts }) }
    },
  }
  const run = useJob(
    (given) => createJob({ ...given, id: jobId(key, given.account), notional: size, limit: null, maxTakes: mostTakes }),
    planner,
    useBlock().data?.number,
  )
  const { snapshot, transaction, read, press } = run
  const { job } = snapshot ?? {}
  const taken = job?.taken ?? []
  const left = chosen.filter((hash) => !taken.some((fill) => fill.hash === hash))
  const toTake = left.length > 0 ? left : chosen
  const leader = signed.get(toTake[0] as Hex) as SignedQuote
  const rest = toTake.map((hash) => signed.get(hash) as SignedQuote)
  const needed = costOf(rest)
  const executability = useExecutability({ quote: leader, request: requestFor(leader.notional), needed })
  const { data: verdict, error: failure } = executability
  const next = nextTakeStep(chain.state, { quotes: rest, verdict, error: failure, atomic, contracts })
  const isSeen = !job || !verdict || verdict.block.number >= job.since
  const sent = job?.attempt ?? (isSeen ? null : job?.last?.attempt)
  const step = sent ? follow(next, sent.kind) : next
  const state = stateOf(step, { job, transaction, signed, left, notional: request.notional })

  useRefetchPositions(taken.at(-1) ?? {})

  const [deadline = 0n] = rest.map((quote) => quote.deadline).toSorted(ascending)
  const secondsLeft = secondsToSubmit(deadline, now)
  const isPending = job?.isRunning === true || isTransactionPending(transaction) || (!isSeen && state.step !== 'taken')
  const takes = next.step === 'takeTogether' || next.step === 'take'
  const isOwn = state.step !== 'undecided' || state.hashes.every((hash) => chosen.includes(hash))
  const isReady = 'calls' in next && state.step !== 'taken' && isOwn && !isPending && (secondsLeft > 0 || !takes)
  const mutateAsync = async () => {
    const latest = read()?.job
    if (!isReady || !latest) throw new NotReadyError()
    const [notional = 0n] = [fixedBy(latest) + sumOf(rest), request.notional].toSorted(ascending)
    await press({
      chosen,
      terms: {
        ...{ notional, maxTakes: latest.taken.length + mostTakes },
        // A job's limit is for its notional. Rounding up excludes no quote at exactly its share.
        limit: (most * notional + request.notional - 1n) / request.notional,
      },
    })
  }
  return {
    ...actionOf(run, mutateAsync, { isPending, job, error: failure }),
    ...{ state, executability, taken, secondsLeft, isReady },
    planned: (job?.isRunning && snapshot?.planned) || [],
  }
}

/** Whether this browser has asked an account's wallet to take a quote. */
export function hasTaken(hash: Hex, account: string): boolean {
  return hasAsked(jobId(hash, account))
}

const ascending = (a: bigint, b: bigint) => (a < b ? -1 : 1)
const jobId = (key: string, account: string) => `take.${key}.${account}`
const latest = (times: readonly bigint[]) => times.toSorted(ascending).at(-1) ?? 0n
const sumOf = (quotes: readonly SignedQuote[]) => quotes.reduce((sum, { notional }) => sum + notional, 0n)

/** The next request of a plan: all its calls as a batch, or only the first call. */
function formsOf(
  { plan, quotes }: JobTakes,
  { atomic, contracts }: { atomic: boolean; contracts: Service['config']['contracts'] },
): Pick<CallPlan, 'forms' | 'stop'> {
  const [take] = plan.takes
  if (!take) return { forms: [], stop: 'nothing' }
  if (plan.missing.includes('balance')) return { forms: [], stop: 'balance' }
  const { quoteMarket: quoteMarketAddress, interestRatePool: interestRatePoolAddress } = contracts
  const calls = takeCalls(plan.takes, take.verdict, { quoteMarketAddress, interestRatePoolAddress })
  const [first] = calls
  const forms: CallPlan['forms'][number][] = first
    ? [{ kind: first.purpose, quotes: first.purpose === 'take' ? quotes.slice(0, 1) : [], calls: [first] }]
    : []
  if (atomic && calls.length > 1) forms.unshift({ kind: 'batch', quotes, calls })
  return { forms, stop: null }
}

/** The step that the wallet is asked for, if the checks have not seen the previous one yet. */
function follow(next: TakeStep, asked: Request['kind']): TakeStep {
  if (!('calls' in next) || (asked !== 'permit' && asked !== 'take')) return next
  const from = next.calls.findIndex(({ purpose }) => purpose === asked)
  return from > 0 ? { step: asked, calls: next.calls.slice(from) } : next
}

function stateOf(
  next: TakeStep,
  known: {
    job: Job | undefined
    transaction: Transaction
    signed: ReadonlyMap<Hex, SignedQuote>
    left: readonly Hex[]
    notional: bigint
  },
): TakeState {
  const { job, transaction, signed, left, notional } = known
  if (!job) return next
  const { taken, phase, attempt, isRunning } = job
  const isAtRest = !isRunning && attempt === null
  const isOver = left.length === 0 || fixedBy(job) >= notional || (next.step === 'dead' && isAtRest)
  if (taken.length > 0 && isOver) return { step: 'taken', taken }
  if (attempt && attempt.quotes.length > 0 && (transaction.state === 'called' || transaction.state === 'sent')) {
    return { step: 'onItsWay', transaction }
  }
  const hashes = job.open.filter(({ isRefused }) => !isRefused).map(({ hash }) => hash)
  if (phase.name !== 'unknown' || hashes.length === 0 || next.step === 'connect' || next.step === 'switchNetwork') {
    return next
  }
  const deadlines = hashes.map((hash) => signed.get(hash)?.deadline ?? 0n)
  return { step: 'undecided', hashes, until: latest(deadlines) }
}
