// Why: docs/decisions/0034-client-side-choice.md
import { BaseError, InvalidInputError, interestRatePoolAbi, quoteMarketAbi, type SignedQuote } from '@firmquote/core'
import { type Hex, isAddressEqual, parseEventLogs, type TransactionReceipt } from 'viem'
import { takeQuoteParameters } from '../executability/takeQuote.ts'
import { type CheckedPlanParameters, checkPlanParameters, type PlanTakesParameters } from './checkPlanParameters.ts'
import { type PlannedTake, planTakes, type TakePlan } from './planTakes.ts'
import { isSignedByKey, type Offer, offersOf } from './readOffers.ts'

/** Parameters of `takeBest`: `{ ...client.getConfig(), request, limit, borrower, publicClient, send }`. */
export type TakeBestParameters = Omit<PlanTakesParameters, 'fixed' | 'now'> & {
  /**
   * Sends the call as the borrower and waits for the receipt. If `send` throws viem's revert error, or if the receipt's
   * status is `reverted`, the next best quote is taken. Any other error aborts `takeBest`.
   */
  send(call: ReturnType<typeof takeQuoteParameters>, take: PlannedTake): Promise<TransactionReceipt>
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
 *   await takeBest(result.quotes, { request, limit: { maxApr: 8 }, borrower, publicClient, send })
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

/** Maximum number of plans. Each take or failure requires another plan. */
const maxPlans = 16

/**
 * Takes the best executable quotes until the notional is fixed. {@link planTakes} checks and chooses quotes at the
 * latest block. The quotes are taken together if `sendTogether` supports it, and otherwise one by one. If a quote is no
 * longer executable (its maker raised the nonce or moved its funds, or another taker was faster), the next best quote
 * replaces it. Never pays more than the limit.
 *
 * Fixes less than the notional if no more quotes are executable, if four have been taken, or if the borrower lacks the
 * funds or permissions listed in `plan.missing`.
 *
 * @throws {TakeInterruptedError} if a read fails, or `send` fails for a reason other than a revert.
 * @throws {ChainUnavailableError} if a read for the first plan fails.
 * @throws {InvalidInputError} if a quote or a parameter is malformed, or the limit is missing.
 * @example
 * ```ts
 * const { notional, cost } = await takeBest(result.quotes, {
 *   request,
 *   limit: { maxApr: 8 },
 *   borrower: account.address,
 *   publicClient,
 *   send: async (call) => publicClient.waitForTransactionReceipt({ hash: await walletClient.writeContract(call) }),
 * })
 * ```
 */
export async function takeBest(
  quotes: readonly { quote: SignedQuote }[],
  given: TakeBestParameters,
): Promise<TakeResult> {
  const { send, onPlan, onMissing, onTaken, ...rest } = { ...given }
  if (typeof send !== 'function') throw new InvalidInputError('must be a function.', { path: 'send', given: send })
  const parameters = checkPlanParameters(given)
  const { room: _, ...checked } = parameters
  const { maxTakes, request, quoteMarketAddress } = parameters
  const taken: TakenQuote[] = []
  const failed: PlannedTake[] = []
  let { sendTogether } = rest
  let { limit, since } = parameters
  let left: readonly Offer[] = offersOf(quotes, parameters)
  const fixed = () => taken.reduce((sum, { notional }) => sum + notional, 0n)
  const plan = () => {
    const rest = { limit, since, fixed: fixed(), maxTakes: maxTakes - taken.length }
    const now = Math.floor(Date.now() / 1000)
    return planTakes(
      left.map(({ signed }) => ({ quote: signed })),
      { ...checked, ...rest, now },
    )
  }
  const interrupted = (message: string, cause: unknown, unknown: PlannedTake | null = null) =>
    new TakeInterruptedError(message, { taken, unknown, cause })
  const planAgain = () =>
    plan().catch((cause: unknown) => {
      throw taken.length === 0 ? cause : interrupted('Failed to read the chain after a quote was taken.', cause)
    })

  const reached = (block: bigint) => {
    if (block > since) since = block
  }
  /** Sends takes and records the outcome. Returns null if the takes were not sent. */
  const attempt = async (takes: readonly PlannedTake[], sending: () => Promise<TransactionReceipt | null>) => {
    const sent = await outcomeOf(takes, parameters, sending).catch((cause: unknown) => {
      throw interrupted('The quote was not taken, or its outcome is unknown.', cause, takes[0])
    })
    if (sent?.block) reached(sent.block)
    const hashes = new Set(sent?.taken.map(({ hash }) => hash))
    left = left.filter(({ hash }) => !hashes.has(hash))
    for (const take of sent?.taken ?? []) {
      taken.push(take)
      onTaken?.(take)
    }
    return sent && { failed: takes.filter(({ hash }) => !hashes.has(hash)) }
  }
  const giveUp = async (takes: readonly PlannedTake[]) => {
    failed.push(...takes)
    left = left.filter((offer) => !takes.some(({ hash }) => hash === offer.hash))
    // A malicious maker contract could pass the checks, make the transaction fail, and repeat this from many addresses.
    const byKey = await Promise.all(takes.map(isSignedByKey))
    if (byKey.includes(false)) left = await signedByKeys(left)
  }

  let current = await plan()
  for (let plans = 1; plans < maxPlans; plans += 1) {
    const planned = current
    const { takes, missing } = planned
    const [next] = takes
    // The first plan with a quote fixes the amount, so that an APR limit yields the same amount however long taking
    // lasts.
    if (next) limit = { maxVrtAmount: planned.maxVrtAmount }
    await onPlan?.(planned)
    if (!next) break
    const together = sendTogether && (await attempt(takes, async () => sendTogether?.(planned) ?? null))
    if (together && together.failed.length > 0) {
      // One failing take made all takes revert. The next plan reveals which quote is no longer executable. If the plan
      // reveals none, take the quotes one by one.
      const { refused } = await planAgain()
      const gone = together.failed.filter(({ hash }) => refused.some((quote) => quote.hash === hash))
      const suspects = gone.length > 0 ? gone : await signedByContracts(together.failed)
      if (suspects.length === 0) sendTogether = undefined
      await giveUp(suspects)
    }
    if (!together && missing.length > 0) {
      const from = await onMissing?.(planned)
      if (from === undefined) break
      reached(from)
    }
    if (!together && missing.length === 0) {
      const call = takeQuoteParameters(next.signed, { quoteMarketAddress, maxCost: next.maxCost })
      const alone = await attempt([next], () => send(call, next))
      await giveUp(alone?.failed ?? [])
    }
    if (fixed() >= request.notional || taken.length >= maxTakes) break
    current = await planAgain()
  }
  const cost = taken.reduce((sum, take) => sum + take.cost, 0n)
  return { taken, notional: fixed(), cost, failed, plan: current }
}

/** Sends takes. The outcome is based on the receipt's events, because a wallet may have replaced the transaction. */
async function outcomeOf(
  planned: readonly PlannedTake[],
  parameters: Pick<CheckedPlanParameters, 'quoteMarketAddress' | 'interestRatePoolAddress' | 'borrower'>,
  sending: () => Promise<TransactionReceipt | null>,
): Promise<{ taken: TakenQuote[]; block: bigint | null } | null> {
  let receipt: TransactionReceipt | null
  try {
    receipt = await sending()
  } catch (error) {
    if (isRevert(error)) return { taken: [], block: null }
    throw error
  }
  if (receipt === null) return null
  const taken = takenIn(receipt, planned, parameters)
  if (taken.length === 0 && receipt.status === 'success') {
    throw new InvalidInputError('must return the receipt of the transaction that it sent.', { path: 'send' })
  }
  return { taken, block: receipt.blockNumber }
}

/** Returns the takes executed by a transaction, each with its position. */
function takenIn(
  receipt: TransactionReceipt,
  planned: readonly PlannedTake[],
  { quoteMarketAddress, interestRatePoolAddress, borrower }: Parameters<typeof outcomeOf>[1],
): TakenQuote[] {
  const logsOf = (contract: Hex) => receipt.logs.filter(({ address }) => isAddressEqual(address, contract))
  const logs = logsOf(quoteMarketAddress)
  const filled = parseEventLogs({ abi: quoteMarketAbi, eventName: 'QuoteFilled', logs })
  const opened = parseEventLogs({
    abi: interestRatePoolAbi,
    eventName: 'PositionOpened',
    logs: logsOf(interestRatePoolAddress),
  })
  return planned.flatMap(({ hash, signed }) => {
    const fill = filled.find(({ args }) => args.hash === hash && isAddressEqual(args.taker, borrower))
    if (!fill) return []
    const { notional, cost } = fill.args
    // The market opens the position before it emits the fill.
    const position = opened.findLast(({ logIndex }) => logIndex < fill.logIndex)
    return [{ hash, signed, notional, cost, positionId: position?.args.positionId ?? null, receipt }]
  })
}

async function signedByContracts(takes: readonly PlannedTake[]): Promise<PlannedTake[]> {
  const byKey = await Promise.all(takes.map(isSignedByKey))
  return takes.filter((_, index) => !byKey[index])
}

async function signedByKeys(offers: readonly Offer[]): Promise<Offer[]> {
  const byKey = await Promise.all(offers.map(isSignedByKey))
  return offers.filter((_, index) => byKey[index])
}

/**
 * Returns whether an error, or one of its causes, is viem's revert error. Such an error means that nothing was sent.
 */
function isRevert(error: unknown): boolean {
  const seen = new Set<unknown>()
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    if (cause.name === 'ContractFunctionRevertedError' || cause.name === 'ExecutionRevertedError') return true
    seen.add(cause)
  }
  return false
}
