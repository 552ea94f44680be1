// Why: docs/decisions/0034-client-side-choice.md
import { BaseError, InvalidInputError, interestRatePoolAbi, quoteMarketAbi, type SignedQuote } from '@firmquote/core'
import { type Hex, isAddressEqual, parseEventLogs, type TransactionReceipt } from 'viem'
import { takeQuoteParameters } from '../executability/takeQuote.ts'
import { type CheckedPlanParameters, checkPlanParameters, type PlanTakesParameters } from './checkPlanParameters.ts'
import { type PlannedTake, planTakes, type TakePlan } from './planTakes.ts'
import { isSignedByKey, type Offer, offersOf } from './readOffers.ts'

/** How quotes are taken: `{ ...client.getConfig(), request, limit, borrower, publicClient, send }`. */
export type TakeBestParameters = Omit<PlanTakesParameters, 'fixed' | 'now'> & {
  /**
   * Sends the call as the borrower and waits for its receipt. When it throws viem's error of a revert, or the receipt says
   * `reverted`, the quote is given up and the next best is taken; any other error ends the taking.
   */
  send(call: ReturnType<typeof takeQuoteParameters>, take: PlannedTake): Promise<TransactionReceipt>
  /**
   * Sends all takes of a plan, with the permissions that `plan.missing` names, as one transaction that succeeds or reverts as a
   * whole, and waits for its receipt: what `oneTransaction` gives. Null where that cannot be done: then they are taken one by one.
   */
  sendTogether?: ((plan: TakePlan) => Promise<TransactionReceipt | null>) | undefined
  /** Called with each plan before anything is sent for it. */
  onPlan?: ((plan: TakePlan) => Promise<void> | void) | undefined
  /**
   * Called when nothing can be taken without what `plan.missing` names. It sends that and gives the block from which on the chain
   * shows it: then everything is planned again. Undefined ends the taking.
   */
  onMissing?: ((plan: TakePlan) => Promise<bigint | undefined> | bigint | undefined) | undefined
  /** Called with each quote that was taken, once its block is known. */
  onTaken?: ((taken: TakenQuote) => void) | undefined
}

/** A quote that was taken. Amounts are raw units of the loan token. */
export type TakenQuote = {
  hash: Hex
  signed: SignedQuote
  notional: bigint
  cost: bigint
  /** Null when the interest-rate pool has told of no position. */
  positionId: bigint | null
  receipt: TransactionReceipt
}

/** What came of taking. Amounts are raw units of the loan token. */
export type TakeResult = {
  taken: readonly TakenQuote[]
  /** What is fixed: the requested notional, or less where the quotes did not cover it. */
  notional: bigint
  cost: bigint
  /** Quotes that could not be taken although the plan had them. */
  failed: readonly PlannedTake[]
  /** The plan that was made last: what the borrower lacks, and why quotes were left out. */
  plan: TakePlan
}

/**
 * Taking ended before its end. Code `TAKE_INTERRUPTED`; `cause` is why. What had been taken until then is in `taken`. With
 * `unknown` a transaction may have been sent of which it is not known what came of it: look before you try again.
 *
 * @example
 * ```ts
 * const send = () => Promise.reject(new Error('The user has refused.'))
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
  /** The take whose outcome is not known, or null; of several that were sent together, the first. */
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

/** How many plans are made at most; each take and each failure needs one. */
const mostPlans = 16

/**
 * Takes the best quotes that can be taken until the notional is fixed: all are checked and chosen at the newest block with
 * {@link planTakes}. They are taken together where `sendTogether` can, one after the other otherwise. When one can no
 * longer be taken (its maker has raised its nonce or moved its money, or somebody was faster), the next best is, for what is left.
 * It never pays above the limit.
 *
 * It ends without having taken everything when no more quotes can be taken, four have been, or the borrower lacks what
 * `plan.missing` names.
 *
 * @throws {TakeInterruptedError} when the chain could not be read or `send` failed otherwise than by a revert.
 * @throws {ChainUnavailableError} when the chain could not be read for the first plan.
 * @throws {InvalidInputError} when a quote or a parameter is malformed, or there is no limit.
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
      throw taken.length === 0 ? cause : interrupted('The chain could not be read after a quote had been taken.', cause)
    })

  const reached = (block: bigint) => {
    if (block > since) since = block
  }
  /** Sends takes and keeps what came of it; null when they were not sent. */
  const attempt = async (takes: readonly PlannedTake[], sending: () => Promise<TransactionReceipt | null>) => {
    const sent = await outcomeOf(takes, parameters, sending).catch((cause: unknown) => {
      throw interrupted('The quote was not taken, or it is not known whether it was.', cause, takes[0])
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
    // A contract that agrees to a check and to no transaction can do so under any number of addresses.
    const byKey = await Promise.all(takes.map(isSignedByKey))
    if (byKey.includes(false)) left = await signedByKeys(left)
  }

  let current = await plan()
  for (let plans = 1; plans < mostPlans; plans += 1) {
    const planned = current
    const { takes, missing } = planned
    const [next] = takes
    // Fixed at the first plan that has a quote: a limit as APR is one amount, whatever time taking needs.
    if (next) limit = { maxVrtAmount: planned.maxVrtAmount }
    await onPlan?.(planned)
    if (!next) break
    const together = sendTogether && (await attempt(takes, async () => sendTogether?.(planned) ?? null))
    if (together && together.failed.length > 0) {
      // One of them made all revert: the chain tells which is gone. Where it does not, they are taken one by one.
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

/** Sends takes. What was mined counts by its events: a wallet may have put another transaction in its place. */
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
    throw new InvalidInputError('is the receipt of another transaction.', { path: 'send' })
  }
  return { taken, block: receipt.blockNumber }
}

/** The takes that a transaction has made, each with the position that was opened for it. */
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
    // The market opens the position, and then tells of the quote.
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

/** Whether an error, or what caused it, is viem's for a call that the contract has refused: then nothing was sent. */
function isRevert(error: unknown): boolean {
  const seen = new Set<unknown>()
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    if (cause.name === 'ContractFunctionRevertedError' || cause.name === 'ExecutionRevertedError') return true
    seen.add(cause)
  }
  return false
}
