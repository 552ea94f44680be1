import {
  BaseError,
  guardInput,
  InvalidInputError,
  interestRatePoolAbi,
  quoteMarketAbi,
  type SignedQuote,
} from '@firmquote/core'
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
   * Called with each plan before its first quote is taken, for instance to send the allowance that `plan.missing` names. A block
   * number has everything planned again at that block or a later one.
   */
  onPlan?: ((plan: TakePlan) => Promise<bigint | undefined> | bigint | undefined) | undefined
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
 */
export class TakeInterruptedError extends BaseError {
  override name = 'TakeInterruptedError'
  readonly taken: readonly TakenQuote[]
  /** The take whose outcome is not known, or null. */
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
 * Takes the best quotes that can be taken, one after the other, until the notional is fixed: each is checked and chosen at the
 * newest block with {@link planTakes}. When one can no longer be taken (its maker has raised its nonce or moved its money, or
 * somebody was faster), the next best is, for what is left. It never pays above the limit.
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
  const { send, onPlan, onTaken } = guardInput('parameters', () => ({ ...given }))
  if (typeof send !== 'function') throw new InvalidInputError('must be a function.', { path: 'send', given: send })
  const parameters = checkPlanParameters(given)
  const { maxTakes, request } = parameters
  const taken: TakenQuote[] = []
  const failed: PlannedTake[] = []
  let { limit, since } = parameters
  let left: readonly Offer[] = offersOf(quotes, parameters)
  const fixed = () => taken.reduce((sum, { notional }) => sum + notional, 0n)
  const plan = () => {
    const rest = { limit, since, fixed: fixed(), maxTakes: maxTakes - taken.length }
    const now = Math.floor(Date.now() / 1000)
    return planTakes(
      left.map(({ signed }) => ({ quote: signed })),
      { ...parameters, ...rest, now },
    )
  }
  const interrupted = (message: string, cause: unknown, unknown: PlannedTake | null = null) =>
    new TakeInterruptedError(message, { taken, unknown, cause })

  const reached = (block: bigint) => {
    if (block > since) since = block
  }

  let current = await plan()
  for (let plans = 1; plans < mostPlans; plans += 1) {
    const [next] = current.takes
    // Fixed at the first plan that has a quote: a limit as APR is one amount, whatever time taking needs.
    if (next) limit = { maxVrtAmount: current.maxVrtAmount }
    const from = await onPlan?.(current)
    if (from !== undefined) {
      reached(from)
    } else {
      if (!next || current.missing.length > 0) break
      const { take, block } = await sendTake(next, parameters, send).catch((cause: unknown) => {
        throw interrupted('The quote was not taken, or it is not known whether it was.', cause, next)
      })
      if (block !== null) reached(block)
      left = left.filter(({ hash }) => hash !== next.hash)
      if (take) {
        taken.push(take)
        onTaken?.(take)
      } else failed.push(next)
      // A contract that agrees to a check and to no transaction can do so under any number of addresses.
      if (!take && !(await isSignedByKey(next))) left = await signedByKeys(left)
      if (fixed() >= request.notional || taken.length >= maxTakes) break
    }
    current = await plan().catch((cause: unknown) => {
      throw taken.length === 0 ? cause : interrupted('The chain could not be read after a quote had been taken.', cause)
    })
  }
  const cost = taken.reduce((sum, take) => sum + take.cost, 0n)
  return { taken, notional: fixed(), cost, failed, plan: current }
}

/** Sends one take. What was mined counts by its events: a wallet may have put another transaction in its place. */
async function sendTake(
  planned: PlannedTake,
  parameters: Pick<CheckedPlanParameters, 'quoteMarketAddress' | 'interestRatePoolAddress'>,
  send: TakeBestParameters['send'],
): Promise<{ take: TakenQuote | null; block: bigint | null }> {
  const { hash, signed, maxCost } = planned
  const { quoteMarketAddress, interestRatePoolAddress } = parameters
  let receipt: TransactionReceipt
  try {
    receipt = await send(takeQuoteParameters(signed, { quoteMarketAddress, maxCost }), planned)
  } catch (error) {
    if (isRevert(error)) return { take: null, block: null }
    throw error
  }
  const block = receipt.blockNumber
  if (receipt.status !== 'success') return { take: null, block }
  const logsOf = (contract: Hex) => receipt.logs.filter(({ address }) => isAddressEqual(address, contract))
  const filled = parseEventLogs({
    abi: quoteMarketAbi,
    eventName: 'QuoteFilled',
    logs: logsOf(quoteMarketAddress),
  }).find(({ args }) => args.hash === hash)
  if (!filled) throw new InvalidInputError('is the receipt of another transaction.', { path: 'send' })
  const opened = parseEventLogs({
    abi: interestRatePoolAbi,
    eventName: 'PositionOpened',
    logs: logsOf(interestRatePoolAddress),
  })
  const { notional, cost } = filled.args
  return { take: { hash, signed, notional, cost, positionId: opened[0]?.args.positionId ?? null, receipt }, block }
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
