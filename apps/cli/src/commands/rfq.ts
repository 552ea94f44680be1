import { type CollectedQuote, InvalidInputError, type PoolRates, type RFQ, type RFQRequest } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import { type Executability, proveTaker, type ServiceClient, SignerError, type TakerProof } from '@firmquote/sdk'
import { type Address, isAddressEqual } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { approve, missingPermissions, withApprovals } from '../approve.ts'
import { createAuctionView } from '../auctionView.ts'
import { checkQuote } from '../checkQuote.ts'
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
import { choosePool, chooseSeries } from '../format/choosePool.ts'
import { parseInstant } from '../format/instant.ts'
import { chooseBest, describeQuote } from '../format/ladder.ts'
import { loadPrivateKey } from '../loadPrivateKey.ts'
import { parseAddress } from '../parseAddress.ts'
import { requireDecimals } from '../requireDecimals.ts'
import { take } from '../take.ts'

/** The options of `firmquote rfq`, as they were typed. */
export type RfqOptions = ServiceOptions &
  ChainOptions & {
    pool: string
    expiry?: string
    series?: string
    notional: string
    maxCost?: string
    taker?: string
    take?: boolean
    approve?: boolean
    /** False with `--no-proof`. */
    proof?: boolean
    keyFile?: string
  }

/** Runs an auction, checks its best quote on the chain, and takes it if that was asked for. */
export async function rfq(context: Context, options: RfqOptions): Promise<void> {
  if ((options.expiry === undefined) === (options.series === undefined)) {
    throw new UsageError('Give --expiry, or --series instead: exactly one of the two.')
  }
  if (options.approve && !options.take) throw new UsageError('--approve goes with --take.')
  const { signal } = context
  const account = options.take ? privateKeyToAccount(await loadPrivateKey(context, options.keyFile)) : undefined
  const taker = parseTaker(options.taker, account)
  const rpcUrl = account ? requireRpcUrl(context, options) : parseRpcUrl(context, options)
  const client = connectService(context, options)
  // A wrong chain is reported before any backer is asked for quotes.
  const chain = rpcUrl === undefined ? undefined : await connectChain(rpcUrl, client.getConfig().chainId)

  const pool = choosePool(await client.getPoolRates({ signal }), options.pool)
  if (chain) await requireDecimals(chain, pool)
  const proof = account && options.proof !== false ? await proveAccount(context, client, account, options.json) : {}
  const request = { ...createRequest(options, pool, taker), ...proof }
  const auction = await runAuction(context, client, request, pool, options.json)

  const best = chooseBest(auction.quotes, request)
  if (best === undefined) {
    const some = auction.quotes.length > 0
    throw new NotExecutableError('NOBODY_QUOTED', some ? 'Nobody quoted for all of it.' : 'Nobody quoted.')
  }
  if (!options.json) context.write(`Best: ${describeQuote(best, pool.loanToken, auction.rfq.closesAt)}\n`)
  if (chain === undefined || taker === undefined) return printUnchecked(context, options.json, chain)
  const { json } = options
  const parts = account && rpcUrl !== undefined && { chain, rpcUrl, account, best, client, token: pool.loanToken, json }
  const check = (since?: bigint) =>
    checkQuote(context, client, { chain, best, request, rfq: auction.rfq, taker, json, since })
  let verdict = await check()
  if (options.approve && parts && missingPermissions(verdict).length > 0) {
    verdict = await check(await approve(context, parts, verdict))
  }
  if (!verdict.executable) throw notExecutable(context, verdict)
  if (parts) await take(context, parts)
}

/** Backers offer more to a taker whose debt is proven. Without a proof the auction runs all the same. */
async function proveAccount(
  context: Context,
  client: ServiceClient,
  account: PrivateKeyAccount,
  json: boolean | undefined,
): Promise<Partial<TakerProof>> {
  try {
    return await proveTaker(client, { account, signal: context.signal })
  } catch (error) {
    if (!(error instanceof SignerError)) throw error
    const reason = `Asked without a proof of the taker: ${error.shortMessage}`
    context.write(json ? `${encodeJson({ type: 'unproven', data: { reason } })}\n` : `${reason}\n`)
    return {}
  }
}

function notExecutable(context: Context, verdict: Executability): NotExecutableError {
  const failed = verdict.checks.filter(({ ok }) => !ok).map(({ name }) => name)
  return new NotExecutableError('CHECKS_FAILED', `The best quote cannot be taken: ${failed.join(', ')}.`, {
    ...(missingPermissions(verdict).length > 0 ? { remedy: withApprovals(context.args) } : {}),
  })
}

function parseTaker(text: string | undefined, account: PrivateKeyAccount | undefined): Address | undefined {
  if (text === undefined) return account?.address
  const taker = parseAddress(text, '--taker')
  if (account && !isAddressEqual(taker, account.address)) {
    throw new UsageError(`--taker is not the account of the key, ${account.address}, which takes the quote.`)
  }
  return taker
}

function createRequest(options: RfqOptions, pool: PoolRates, taker: Address | undefined): RFQRequest {
  const { decimals } = pool.loanToken
  const notional = parseAmount(options.notional, decimals)
  if (notional === 0n) throw new InvalidInputError('The notional must be above zero.')
  return {
    poolId: pool.poolId,
    notional,
    ...(options.series === undefined
      ? { expiry: parseExpiry(options.expiry ?? '') }
      : { seriesKey: chooseSeries(pool.series, options.series).seriesKey }),
    ...(options.maxCost === undefined ? {} : { maxVrtAmount: parseAmount(options.maxCost, decimals) }),
    ...(taker === undefined ? {} : { taker }),
  }
}

/** The service takes the next later series: for a day of last year, a slip, that would be whichever ends first. */
function parseExpiry(text: string): number {
  const expiry = parseInstant(text)
  if (expiry * 1_000 > Date.now()) return expiry
  throw new InvalidInputError(`${text} is over; --expiry is the day until which the rate shall be fixed.`)
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

function printUnchecked(context: Context, json: boolean | undefined, chain: ConnectedChain | undefined): void {
  const missing = chain === undefined ? 'a node of the chain (--rpc)' : 'the account that would take it (--taker)'
  const reason = `Not checked on the chain: that needs ${missing}.`
  context.write(json ? `${encodeJson({ type: 'unchecked', data: { reason } })}\n` : `${reason}\n`)
}
