import {
  type CollectedQuote,
  formatTimestamp,
  InvalidInputError,
  type PoolRates,
  type RFQ,
  type RFQRequest,
} from '@firmquote/core'
import { encodeJson } from '@firmquote/core/utils'
import {
  type PriceLimit,
  planTakes,
  proveTaker,
  type ServiceClient,
  SignerError,
  type TakePlan,
  type TakerProof,
} from '@firmquote/sdk'
import { type Address, type Hex, isAddressEqual } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { missingPermissions, withApprovals } from '../approve.ts'
import { createAuctionView } from '../auctionView.ts'
import {
  type ChainOptions,
  type ConnectedChain,
  connectChain,
  connectService,
  parseRpcUrl,
  requireRpcUrl,
  type ServiceOptions,
} from '../connect.ts'
import type { Context } from '../context.ts'
import { NotExecutableError, UsageError } from '../errors.ts'
import { parseAmount } from '../format/amount.ts'
import { reasonOf } from '../format/checks.ts'
import { choosePool, chooseSeries } from '../format/choosePool.ts'
import { parseInstant } from '../format/instant.ts'
import { chooseBest, describeQuote } from '../format/ladder.ts'
import { parsePercent } from '../format/percent.ts'
import { printable } from '../format/printable.ts'
import { showAmount, showFixedRate, type Token } from '../format/show.ts'
import { type AccountOptions, loadAccount } from '../loadAccount.ts'
import { parseAddress } from '../parseAddress.ts'
import { requireDecimals } from '../requireDecimals.ts'
import { type PlanView, rateNow, showPlan } from '../showPlan.ts'
import { noSpending } from '../spending.ts'
import { take } from '../take.ts'

/** Options for `firmquote rfq`, as typed. */
export type RfqOptions = ServiceOptions &
  ChainOptions &
  AccountOptions & {
    pool: string
    expiry?: string
    series?: string
    /** The latest end of the series that `expiry` selects. */
    until?: string
    notional: string
    minNotional?: string
    maxCost?: string
    maxApr?: string
    taker?: string
    take?: boolean
    approve?: boolean
    oneByOne?: boolean
    /** False with `--no-proof`. */
    proof?: boolean
    shareRecord?: boolean
  }

/** Runs an auction, checks its best quotes on-chain, and takes them with `--take`. */
export async function rfq(context: Context, options: RfqOptions): Promise<void> {
  validateOptions(options)
  const { signal } = context
  const account = options.take ? await loadAccount(context, options) : undefined
  const taker = parseTaker(options.taker, account)
  const rpcUrl = account ? requireRpcUrl(context, options) : parseRpcUrl(context, options)
  const client = connectService(context, options)
  // Detect a wrong chain before requesting quotes.
  const chain = rpcUrl === undefined ? undefined : await connectChain(rpcUrl, client.getConfig().chainId)

  const pool = choosePool(await client.getPoolRates({}, { signal }), options.pool)
  context.failure.token = pool.loanToken
  if (chain) await requireDecimals(chain, pool)
  const term = termOf(options, pool)
  const proof = account && options.proof !== false ? await proveAccount(context, client, account, options) : {}
  const request = { ...createRequest(options, pool, term, taker), ...proof }
  const limit = limitOf(options, request)
  if (account) context.failure.spending = noSpending()
  const auction = await runAuction(context, client, request, pool, options.json)

  const { rfq: opened, quotes } = auction
  if (quotes.length === 0) throw noQuotes(options)
  const view: PlanView = { token: pool.loanToken, json: options.json, expiry: opened.expiry, at: opened.closesAt }
  if (chain === undefined || taker === undefined) return printUnchecked(context, { request, quotes, view, chain })
  // Use the caller's request rather than the service's copy. The node must agree with the service about the expiry, with
  // which the limit grows, and about the token, of which the account grants an allowance.
  const { poolId, notional, minNotional } = request
  const { expiry, latestExpiry } = term
  const loanToken = pool.loanToken.address
  const wanted = { poolId, notional, expiry, latestExpiry, minNotional, loanToken, seriesKey: opened.seriesKey }
  if (account && rpcUrl !== undefined) {
    const { approve: approves, oneByOne } = options
    const parts = { chain, rpcUrl, account, client, quotes, request: wanted, limit, view, approves, oneByOne }
    const result = await take(context, parts)
    if (result.taken.length === 0) throw notExecutable(context, quotes, result.plan, view.token)
    return reportResult(context, notional, result, view)
  }
  const parameters = { ...client.getConfig(), request: wanted, limit, borrower: taker, publicClient: chain }
  const plan = await planTakes(quotes, parameters)
  showPlan(context, plan, view)
  if (plan.takes.length === 0 || plan.missing.length > 0) throw notExecutable(context, quotes, plan, view.token)
}

function noQuotes({ maxCost }: RfqOptions): NotExecutableError {
  const terms = `another --notional or --expiry${maxCost === undefined ? '' : ' or a higher --max-cost'}`
  const next = `try ${terms}, or list published quotes: firmquote quotes`
  return new NotExecutableError('NOBODY_QUOTED', 'No backer quoted.', { next })
}

/**
 * Proves that the taker controls its account, because backers offer more to takers with a proven debt. If signing
 * fails, the auction runs without a proof.
 */
async function proveAccount(
  context: Context,
  client: ServiceClient,
  account: PrivateKeyAccount,
  { json, shareRecord }: Pick<RfqOptions, 'json' | 'shareRecord'>,
): Promise<Partial<TakerProof>> {
  try {
    return await proveTaker(client, { account, shareRecord, signal: context.signal })
  } catch (error) {
    if (!(error instanceof SignerError)) throw error
    const reason = `Quotes requested without a taker proof: ${error.shortMessage}`
    context.write(json ? `${encodeJson({ type: 'unproven', data: { reason } })}\n` : `${reason}\n`)
    return {}
  }
}

function validateOptions(options: RfqOptions): void {
  const { pool, expiry, series, until, take, approve, oneByOne, proof, shareRecord, maxCost, maxApr } = options
  if ((expiry === undefined) === (series === undefined)) {
    throw new UsageError('Give either --expiry or --series.')
  }
  if (until !== undefined && expiry === undefined) throw new UsageError('--until requires --expiry.')
  // A malicious service could number its pools in a different order, or invent a pool or a series that matches the
  // text.
  if (take && !isWholeId(pool)) {
    throw new UsageError("--take requires the pool's full id in --pool; firmquote pools --json lists the ids.")
  }
  if (take && series !== undefined && !isWholeId(series)) {
    throw new UsageError("--take requires the series' full key in --series; firmquote pools --json lists the keys.")
  }
  if (approve && !take) throw new UsageError('--approve requires --take.')
  if (shareRecord && (!take || proof === false)) {
    throw new UsageError('--share-record requires --take and conflicts with --no-proof.')
  }
  if (oneByOne && !take) throw new UsageError('--one-by-one requires --take.')
  if (maxCost !== undefined && maxApr !== undefined)
    throw new UsageError('Give either --max-cost or --max-apr, not both.')
  if (take && maxCost === undefined && maxApr === undefined) {
    throw new UsageError('--take requires a price limit: --max-apr, such as --max-apr 8, or --max-cost.')
  }
}

/** Returns the user's limit or, without `--take`, the highest possible price. */
function limitOf({ maxApr }: RfqOptions, { maxVrtAmount, notional }: RFQRequest): PriceLimit {
  return maxApr === undefined
    ? { maxVrtAmount: maxVrtAmount ?? notional }
    : { maxApr: parsePercent(maxApr), unit: 'percent' }
}

function notExecutable(
  context: Context,
  quotes: readonly CollectedQuote[],
  plan: TakePlan,
  token: Token,
): NotExecutableError {
  const { takes, missing, refused } = plan
  if (takes.length > 0 && missing.length > 0) {
    return new NotExecutableError('CHECKS_FAILED', 'The borrower cannot take the best quote.', {
      ...(missingPermissions(plan).length > 0
        ? { remedy: withApprovals(context.args) }
        : { next: `request less, or get more ${token.symbol}: it costs ${showAmount(plan.cost, token)}` }),
    })
  }
  const what = quotes.length === 1 ? 'The quote cannot be taken.' : `None of the ${quotes.length} quotes can be taken.`
  const [first] = refused
  const why = first ? ` The best: ${printable(reasonOf(first, token) ?? '')}` : ''
  return new NotExecutableError('CHECKS_FAILED', `${what}${why}`, { next: nextAfter(refused) })
}

/** Suggests the next step. A higher limit helps only if a quote exceeds the current limit. */
function nextAfter(refused: TakePlan['refused']): string {
  const isAbove = refused.some(({ rejection }) => rejection?.code === 'VRT_AMOUNT_TOO_LARGE')
  return `run it again for new quotes${isAbove ? ', or with a higher limit: --max-apr or --max-cost' : ''}`
}

/** Reports the fixed amount, its rate, and the number of takes and transactions. */
function reportResult(
  context: Context,
  requested: bigint,
  result: Awaited<ReturnType<typeof take>>,
  view: PlanView,
): void {
  const { notional, cost, taken } = result
  const transactions = context.failure.spending?.mined ?? 0
  const { token, json } = view
  const rate = rateNow({ notional, vrtAmount: cost }, view.expiry)
  if (json) {
    const data = { requested, notional, cost, takes: taken.length, transactions, ...rate }
    context.write(`${encodeJson({ type: 'fixed', data })}\n`)
    return
  }
  const takes = taken.length === 1 ? '1 take' : `${taken.length} takes`
  const sent = transactions === 1 ? '1 transaction' : `${transactions} transactions`
  const amounts = `${showAmount(notional, token)} of ${showAmount(requested, token)}`
  const what = `Fixed ${amounts} in ${takes}, ${sent}, at ${showFixedRate(rate)} for ${showAmount(cost, token)}.`
  context.write(`${context.style.good(what)}\n`)
  if (notional === requested) return
  const why = result.plan.missing.length > 0 ? ': your account lacks the funds for the next one' : ''
  context.write(`The rest stays at the floating rate, because no other quote can be taken${why}.\n`)
}

function parseTaker(text: string | undefined, account: PrivateKeyAccount | undefined): Address | undefined {
  if (text === undefined) return account?.address
  const taker = parseAddress(text, '--taker')
  if (account && !isAddressEqual(taker, account.address)) {
    throw new UsageError(`--taker must be the key's account, ${account.address}, because that account takes the quote.`)
  }
  return taker
}

const isWholeId = (text: string) => /^0x[0-9a-f]{64}$/i.test(text)

/** The requested series and the bounds of its expiry in Unix seconds. */
type Term = { seriesKey?: Hex; expiry?: number; latestExpiry?: number }

/** Maximum number of seconds between `--expiry` and the end of the series, unless `--until` is given. */
const toleranceSeconds = 7 * 86_400

/**
 * Chooses the series locally rather than leaving it to the service: the one that `--series` names, or the first that
 * ends at or after `--expiry`. With `--take`, the series must not end much later than `--expiry`.
 */
function termOf({ series, expiry: text = '', until, take }: RfqOptions, pool: PoolRates): Term {
  if (series !== undefined) return exactTerm(chooseSeries(pool.series, series))
  const expiry = parseExpiry(text)
  const latestExpiry = until === undefined ? expiry + toleranceSeconds : parseInstant(until)
  if (latestExpiry < expiry) throw new InvalidInputError('--until must not be before --expiry.')
  const bounds = { expiry, ...((take || until !== undefined) && { latestExpiry }) }
  const [nearest] = pool.series.filter((item) => item.expiry >= expiry).sort((a, b) => a.expiry - b.expiry)
  // The service names the active expiries when it refuses a request.
  if (!nearest) return bounds
  if (bounds.latestExpiry !== undefined && nearest.expiry > latestExpiry) {
    const end = formatTimestamp(nearest.expiry)
    throw new InvalidInputError(
      `The first series that ends at or after --expiry ends on ${end}. To accept it, add --until ${nearest.expiry}.`,
    )
  }
  return exactTerm(nearest)
}

/** A series' expiry never changes. */
function exactTerm({ seriesKey, expiry }: PoolRates['series'][number]): Term {
  return { seriesKey, expiry, latestExpiry: expiry }
}

function createRequest(options: RfqOptions, pool: PoolRates, term: Term, taker: Address | undefined): RFQRequest {
  const { decimals } = pool.loanToken
  const notional = parseAmount(options.notional, decimals)
  if (notional === 0n) throw new InvalidInputError('The notional must be above zero.')
  return {
    poolId: pool.poolId,
    notional,
    ...(term.seriesKey === undefined ? { expiry: term.expiry ?? 0 } : { seriesKey: term.seriesKey }),
    ...(options.maxCost === undefined ? {} : { maxVrtAmount: parseAmount(options.maxCost, decimals) }),
    ...(options.minNotional === undefined ? {} : { minNotional: parseLeast(options.minNotional, notional, decimals) }),
    ...(taker === undefined ? {} : { taker }),
  }
}

function parseLeast(text: string, notional: bigint, decimals: number): bigint {
  const least = parseAmount(text, decimals)
  if (least > 0n && least <= notional) return least
  throw new InvalidInputError('--min-notional must be above zero and at most --notional.')
}

/** Rejects a past day, which is probably a typo. The service would accept such a day and choose the next series. */
function parseExpiry(text: string): number {
  const expiry = parseInstant(text)
  if (expiry * 1_000 > Date.now()) return expiry
  throw new InvalidInputError(`${text} is in the past; --expiry is the day until which the rate is fixed.`)
}

async function runAuction(
  context: Context,
  client: ServiceClient,
  request: RFQRequest,
  pool: PoolRates,
  json: boolean | undefined,
): Promise<{ rfq: RFQ; quotes: CollectedQuote[] }> {
  const view = createAuctionView(context, json, pool.loanToken)
  const quotes: CollectedQuote[] = []
  let started: RFQ | undefined
  try {
    for await (const event of client.streamQuotes(request, { signal: context.signal })) {
      if (event.type === 'started') started = event.data
      if (event.type === 'quote') quotes.push(event.data)
      view.show(event)
    }
  } finally {
    view.end()
  }
  if (started) return { rfq: started, quotes }
  throw new NotExecutableError('NOBODY_QUOTED', 'The auction did not start.')
}

/** Prints the service's data about the best quotes, without on-chain checks. */
function printUnchecked(
  context: Context,
  {
    request,
    quotes,
    view: { json, token, at },
    chain,
  }: { request: RFQRequest; quotes: readonly CollectedQuote[]; view: PlanView; chain: ConnectedChain | undefined },
): void {
  const best = chooseBest(quotes, request)
  for (const [index, quote] of best.entries()) {
    const place = best.length === 1 ? 'Best' : `Best, ${index + 1} of ${best.length}`
    if (!json) context.write(`${place}: ${describeQuote(quote, token, at)}\n`)
  }
  const missing = chain === undefined ? 'a chain node (--rpc)' : "the taker's account (--taker)"
  const reason = `Not checked on-chain: this requires ${missing}.`
  context.write(json ? `${encodeJson({ type: 'unchecked', data: { reason } })}\n` : `${reason}\n`)
}
