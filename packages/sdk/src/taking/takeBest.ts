// Why: docs/decisions/0034-client-side-choice.md
import { BaseError, type SignedQuote } from '@firmquote/core'
import type { Hex, TransactionReceipt } from 'viem'
import { InvalidInputError } from '../coreErrors.ts'
import { takeQuoteParameters } from '../executability/takeQuote.ts'
import { fillsOf } from '../jobs/fillsOf.ts'
import { isRevert } from '../jobs/isRevert.ts'
import { createJob, fixedBy, type Request } from '../jobs/job.ts'
import { planJobTakes } from '../jobs/planJobTakes.ts'
import { readOutcome } from '../jobs/readOutcome.ts'
import { type JobExecutor, runJob } from '../jobs/runJob.ts'
import { checkPlanParameters, type PlanTakesParameters } from './checkPlanParameters.ts'
import type { PlannedTake, TakePlan } from './planTakes.ts'
import { offersOf } from './readOffers.ts'
import { type FillWitness, requireReverted } from './requireReverted.ts'
import { createWalletSender } from './walletSender.ts'

/**
 * Parameters of `takeBest`: `{ client, request, limit, walletClient }`. The wallet grants the missing permissions for
 * exactly the cost, and sends everything in one transaction if it can. If `send` is given, it and its companions replace
 * this.
 */
export type TakeBestParameters = Omit<PlanTakesParameters, 'fixed' | 'now'> & {
  /**
   * Sends the call as the borrower and waits for the receipt. Required without a wallet client. If `send` throws viem's revert error, or if the receipt's
   * status is `reverted`, the next best quote is taken. Any other error aborts `takeBest`.
   */
  send?(call: ReturnType<typeof takeQuoteParameters>, take: PlannedTake): Promise<TransactionReceipt>
  /**
   * Sends all of a plan's takes and the permissions listed in `plan.missing` as one atomic transaction, and waits for
   * the receipt. Create it with `oneTransaction`. If it resolves to null because a single transaction is not possible,
   * the takes are sent one by one.
   */
  sendTogether?: ((plan: TakePlan) => Promise<TransactionReceipt | null>) | undefined
  /** Called with each plan before any of its transactions are sent. */
  onPlan?: ((plan: TakePlan) => Promise<void> | void) | undefined
  /**
   * Called if no quote can be taken without the permissions listed in `plan.missing`. Grant the permissions and return
   * the number of the block containing the last grant; `takeBest` then plans again. Return undefined to stop.
   */
  onMissing?: ((plan: TakePlan) => Promise<bigint | undefined> | bigint | undefined) | undefined
  /** Called with each taken quote once its block is known. */
  onTaken?: ((taken: TakenQuote) => void) | undefined
}

/** A taken quote. Amounts are in raw units of the loan token. */
export type TakenQuote = {
  hash: Hex
  signed: SignedQuote
  notional: bigint
  cost: bigint
  /** The new position, or null if the interest-rate pool emitted no event for it. */
  positionId: bigint | null
  receipt: TransactionReceipt
}

/** The result of `takeBest`. Amounts are in raw units of the loan token. */
export type TakeResult = {
  taken: readonly TakenQuote[]
  /** The fixed notional. Less than requested if the quotes did not cover the whole notional. */
  notional: bigint
  cost: bigint
  /** Planned takes that failed. */
  failed: readonly PlannedTake[]
  /** The last plan, including the borrower's missing funds or permissions and the rejected quotes. */
  plan: TakePlan
}

/**
 * `takeBest` was interrupted. Code `TAKE_INTERRUPTED`. `cause` is the reason, and `taken` lists the quotes already
 * taken. If `unknown` is set, a transaction with an unknown outcome may have been sent: check before you retry.
 *
 * @example
 * ```ts
 * const send = () => Promise.reject(new Error('The user rejected the request.'))
 * try {
 *   const borrower = account.address
 *   await takeBest(result.quotes, { client, request, limit: { maxApr: 8 }, borrower, publicClient, send })
 * } catch (error) {
 *   if (!(error instanceof TakeInterruptedError)) throw error
 *   error.taken.length // 0
 * }
 * ```
 */
export class TakeInterruptedError extends BaseError {
  override name = 'TakeInterruptedError'
  readonly taken: readonly TakenQuote[]
  /** The take whose outcome is unknown, or null. If several takes were sent together, the first of them. */
  readonly unknown: PlannedTake | null

  constructor(message: string, options: { taken: readonly TakenQuote[]; unknown: PlannedTake | null; cause: unknown }) {
    super('TAKE_INTERRUPTED', message, {
      docsPath: '@firmquote/sdk/ERRORS.md#takeinterruptederror',
      cause: options.cause,
    })
    this.taken = options.taken
    this.unknown = options.unknown
  }
}

/**
 * Takes the best executable quotes until the notional is fixed. {@link planTakes} checks and chooses quotes at the
 * latest block. The quotes are taken together if `sendTogether` supports it, and otherwise one by one. If a quote is no
 * longer executable (its maker raised the nonce or moved its funds, or another taker was faster), the next best quote
 * replaces it. Never pays more than the limit. If `client` is a service's, it must confirm that a take has reverted.
 *
 * Fixes less than the notional if no more quotes are executable, if four have been taken, or if the borrower lacks the
 * funds or permissions listed in `plan.missing`.
 *
 * @param quotes The auction's quotes.
 * @throws {TakeInterruptedError} if a read fails, or `send` fails for a reason other than a revert.
 * @throws {ChainUnavailableError} if a read for the first plan fails.
 * @throws {InvalidInputError} if a quote or a parameter is malformed, or the limit is missing.
 * @example
 * ```ts
 * const { notional, cost } = await takeBest(result.quotes, { client, request, limit: { maxApr: 8 }, walletClient })
 * ```
 */
export async function takeBest(
  quotes: readonly { quote: SignedQuote }[],
  given: TakeBestParameters,
): Promise<TakeResult> {
  const parameters = checkPlanParameters(given)
  const { walletClient, onPlan, onTaken } = given
  const { send, sendTogether, onMissing } =
    given.send || !walletClient ? given : { ...given, ...createWalletSender(walletClient, parameters) }
  if (typeof send !== 'function') {
    throw new InvalidInputError('must be a function, unless a walletClient is given.', { path: 'send', given: send })
  }
  const { request, quoteMarketAddress, publicClient, borrower } = parameters
  const witness = isWitness(given.client) ? given.client : null
  const signed = new Map(offersOf(quotes, parameters).map((offer) => [offer.hash, offer.signed]))
  const planned = new Map<Hex, PlannedTake>()
  const receipts = new Map<Hex, TransactionReceipt>()
  const taken: TakenQuote[] = []
  let current: TakePlan | undefined
  // The first error of the caller's own functions, which is thrown as it is.
  const failure: { thrown: { cause: unknown } | null } = { thrown: null }
  const guard = async <Result>(work: () => Promise<Result> | Result): Promise<Result> => {
    try {
      return await work()
    } catch (cause) {
      failure.thrown ??= { cause }
      throw cause
    }
  }

  const executor: JobExecutor = {
    persist() {},
    async readPlan(job) {
      const {
        plan,
        quotes: asked,
        known,
      } = await planJobTakes(job, quotes, {
        ...{ ...given, fixed: fixedBy(job) },
        limit: job.limit === null ? parameters.limit : { maxVrtAmount: job.limit },
      })
      if (job.suspects.length === 0) {
        current = plan
        await guard(() => onPlan?.(plan))
      }
      for (const take of plan.takes) planned.set(take.hash, take)
      const forms: Request[] = sendTogether && !job.isApart ? [{ kind: 'batch', quotes: asked }] : []
      forms.push(
        plan.missing.length > 0 ? { kind: 'permissions', quotes: [] } : { kind: 'take', quotes: asked.slice(0, 1) },
      )
      const isOver = asked.length === 0
      return { ...known, forms: isOver ? [] : forms, stop: isOver ? 'nothing' : null }
    },
    async readOutcome(_job, asked) {
      const { receipts: found, ...outcome } = await readOutcome(publicClient, asked, {
        ...{ ...parameters, account: borrower, signed },
      })
      for (const receipt of found) receipts.set(receipt.transactionHash, receipt)
      return outcome
    },
    async ask(_job, { kind, quotes: asked }) {
      const plan = current as TakePlan
      if (kind === 'permissions') {
        const block = await guard(() => onMissing?.(plan))
        return block === undefined
          ? { type: 'unsupported' }
          : { type: 'mined', hash: null, succeeded: true, fills: [], block }
      }
      const take = planned.get(asked[0]?.hash ?? '0x') as PlannedTake
      let receipt: TransactionReceipt | null
      try {
        receipt =
          kind === 'batch'
            ? ((await sendTogether?.(plan)) ?? null)
            : await send(takeQuoteParameters(take.signed, { quoteMarketAddress, maxCost: take.maxCost }), take)
      } catch (error) {
        if (isRevert(error)) return { type: 'wouldRevert' }
        throw error
      }
      if (receipt === null) return { type: 'unsupported' }
      const fills = fillsOf(receipt, parameters, borrower).filter(({ hash }) => asked.some((one) => one.hash === hash))
      const succeeded = receipt.status === 'success'
      if (fills.length === 0 && succeeded) {
        throw new InvalidInputError('must return the receipt of the transaction that it sent.', { path: 'send' })
      }
      if (!succeeded && witness) {
        await requireReverted(
          witness,
          publicClient,
          receipt,
          asked.map((one) => one.hash),
        )
      }
      receipts.set(receipt.transactionHash, receipt)
      const { transactionHash: hash, blockNumber: block } = receipt
      return { type: 'mined', hash, succeeded, fills, block }
    },
    watch: () => Promise.reject(new TypeError('send waits for its own transactions.')),
  }

  const { notional } = request
  const { maxTakes, since, chainId } = parameters
  const runner = runJob(
    createJob({ id: '', account: borrower, chainId, notional, limit: null, maxTakes, since }),
    executor,
  )
  runner.subscribe(() => {
    for (const fill of runner.read().job.taken.slice(taken.length)) {
      const { hash, notional, cost, positionId, transactionHash } = fill
      const { signed } = planned.get(hash) as PlannedTake
      const receipt = receipts.get(transactionHash) as TransactionReceipt
      const one = { hash, signed, notional, cost, positionId, receipt }
      taken.push(one)
      void guard(() => onTaken?.(one)).catch(() => {})
    }
  })
  runner.send({ type: 'pressed' })
  const { job, error } = await runner.settled()
  const interrupted = (message: string, unknown: PlannedTake | null = null) =>
    new TakeInterruptedError(message, { taken, unknown, cause: error })
  if (failure.thrown) throw failure.thrown.cause
  if (job.last?.how === 'failed') {
    const [unknown] = job.open
    throw interrupted('The quote was not taken, or its outcome is unknown.', unknown && planned.get(unknown.hash))
  }
  if (error) throw taken.length === 0 ? error : interrupted('Failed to read the chain after a quote was taken.')
  const cost = taken.reduce((sum, take) => sum + take.cost, 0n)
  const failed = job.gaveUp.flatMap((hash) => planned.get(hash) ?? [])
  return { taken, notional: fixedBy(job), cost, failed, plan: current as TakePlan }
}

/** A client may also be a plain configuration. */
function isWitness(client: TakeBestParameters['client']): client is NonNullable<typeof client> & FillWitness {
  return client !== undefined && 'getHealth' in client && 'getQuoteMarketQuote' in client
}
