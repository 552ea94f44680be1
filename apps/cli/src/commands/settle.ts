import { ChainUnavailableError, interestRatePoolAbi, keeperBundlerAbi } from '@firmquote/core'
import { encodeJson, parseUint256 } from '@firmquote/core/utils'
import {
  KEEPER_BUNDLER_ADDRESS,
  type ServiceClient,
  settleManyParameters,
  settleParameters,
  withdrawParameters,
} from '@firmquote/sdk'
import { type Address, formatEther, isAddressEqual, type PrivateKeyAccount, parseEventLogs } from 'viem'
import {
  type ChainOptions,
  type ConnectedChain,
  connectChain,
  connectService,
  requireRpcUrl,
  type ServiceOptions,
} from '../connect.ts'
import type { Context } from '../context.ts'
import { NotExecutableError, UsageError } from '../errors.ts'
import { showAmount, showInstant } from '../format/show.ts'
import { type AccountOptions, loadAccount } from '../loadAccount.ts'
import { parseAddress } from '../parseAddress.ts'
import { type ChainPosition, readPositions, requireExpired } from '../readPositions.ts'
import { repay } from '../repay.ts'
import type { ContractCall } from '../sendTransaction.ts'
import { type Settling, sendReported, tokenOf } from '../settling.ts'

/** Options for `firmquote settle`, as typed. */
export type SettleOptions = ServiceOptions &
  ChainOptions &
  AccountOptions & { all?: boolean; keeperBundler?: string; repay?: boolean; lender?: string }

/**
 * Maximum number of positions per transaction. Each settlement requires 300,000 gas to remain, so this many positions
 * fit into a block of 30 million gas with some margin.
 */
const batchSize = 40
/** Maximum number of pages, in case the service never returns a last page. */
const maxPages = 20

/**
 * Settles positions and withdraws the account's credits. Several positions are settled together through the keeper
 * bundler. Reads from the chain which positions can be settled. With `repay`, then repays debt with their payouts.
 *
 * @throws {NotExecutableError} `NOT_EXPIRED` or `POSITION_NOT_FOUND` for a named position, before anything is sent.
 * @throws the errors of `sendTransaction`.
 */
export async function settle(context: Context, typed: readonly string[], options: SettleOptions): Promise<void> {
  const named = [...new Set(typed.map(parsePositionId))]
  if (named.length === 0 && !options.all) {
    throw new UsageError('Pass the numbers of the positions to settle, or --all.')
  }
  const keeper = options.keeperBundler
    ? parseAddress(options.keeperBundler, '--keeper-bundler')
    : KEEPER_BUNDLER_ADDRESS
  const lender = options.lender ? parseAddress(options.lender, '--lender') : undefined
  const account = await loadAccount(context, options)
  const rpcUrl = requireRpcUrl(context, options)
  const client = connectService(context, options)
  const { chainId, interestRatePoolAddress: pool } = client.getConfig()
  const json = options.json === true
  const { signal } = context

  const owned = options.all ? await listOwned(client, account.address, signal) : { positionIds: [], tokens: [] }
  const pools = json ? [] : await client.getPoolRates({}, { signal })
  const chain = await connectChain(rpcUrl, chainId)
  const ofNamed = await readPositions(chain, pool, named)
  requireExpired(ofNamed)
  const others = owned.positionIds.filter((id) => !named.includes(id))
  const positions = [...ofNamed, ...(await readPositions(chain, pool, others))]
  const due = positions.filter(({ state }) => state === 'due').map(({ positionId }) => positionId)

  const parts: Settling = { context, json, chain, rpcUrl, account, pool, pools, receipts: [] }
  const calls = await settlementCalls(parts, due, keeper)
  await reportPlan(parts, positions, due, calls)
  for (const call of calls) await sendSettlement(parts, call)
  const loanTokens = positions.filter(({ state }) => state !== 'running').map(({ loanToken }) => loanToken)
  await withdrawAll(parts, [...new Set([...loanTokens, ...owned.tokens])])
  if (options.repay) await repay(parts, expiredOf(positions), lender)
  reportEnd(parts)
  await requireSettled(parts, due)
}

function expiredOf(positions: readonly ChainPosition[]): bigint[] {
  return positions.filter(({ state }) => state !== 'running').map(({ positionId }) => positionId)
}

function parsePositionId(text: string): bigint {
  const positionId = parseUint256(text)
  if (positionId !== null) return positionId
  throw new UsageError(`${JSON.stringify(text)} is not a position number; firmquote positions lists them.`)
}

/** Lists an account's open positions and the tokens in which it has credits, as reported by the service. */
async function listOwned(
  client: ServiceClient,
  account: Address,
  signal: AbortSignal,
): Promise<{ positionIds: bigint[]; tokens: Address[] }> {
  const positionIds = new Set<bigint>()
  const tokens = new Set<Address>()
  let cursor: string | null = null
  for (let page = 0; page < maxPages; page += 1) {
    const found = await client.getPositions(account, { signal, ...(cursor !== null && { cursor }) })
    for (const { positionId } of found.positions) positionIds.add(positionId)
    for (const { token } of found.withdrawable ?? []) tokens.add(token)
    cursor = found.nextCursor ?? null
    if (cursor === null) break
  }
  return { positionIds: [...positionIds], tokens: [...tokens] }
}

/**
 * Builds the settlement calls. Several positions are settled through the keeper bundler if it belongs to this pool.
 * Otherwise, each position is settled with a direct call.
 */
async function settlementCalls(
  { chain, pool }: Settling,
  positionIds: readonly bigint[],
  keeperBundlerAddress: Address,
): Promise<ContractCall[]> {
  const single = () => positionIds.map((positionId) => settleParameters({ positionId, interestRatePoolAddress: pool }))
  if (positionIds.length < 2) return single()
  const keeperOf = await chain
    .readContract({ address: keeperBundlerAddress, abi: keeperBundlerAbi, functionName: 'interestRatePool' })
    .catch(() => null)
  if (keeperOf === null || !isAddressEqual(keeperOf, pool)) return single()
  const parts: bigint[][] = []
  for (let start = 0; start < positionIds.length; start += batchSize) {
    parts.push(positionIds.slice(start, start + batchSize))
  }
  return parts.map((part) => settleManyParameters({ positionIds: part, keeperBundlerAddress }))
}

async function reportPlan(
  { context, json, chain, account }: Settling,
  positions: readonly ChainPosition[],
  due: readonly bigint[],
  calls: readonly ContractCall[],
): Promise<void> {
  const next = positions.reduce<bigint | null>(
    (least, { state, expiry }) => (state === 'running' && (least === null || expiry < least) ? expiry : least),
    null,
  )
  const withoutCheckpoint = positions.filter(({ state, checkpointed }) => state === 'due' && !checkpointed)
  const checkpoints = [...new Set(withoutCheckpoint.map(({ seriesKey }) => seriesKey))]
  const fee = await estimateFee(chain, account, calls)
  if (json) {
    const data = { positionIds: due, transactions: calls.length, estimatedFee: fee, nextExpiry: next, checkpoints }
    context.write(`${encodeJson({ type: 'plan', data })}\n`)
    return
  }
  const what =
    due.length === 0
      ? 'No positions to settle.'
      : `Settling ${count(due.length, 'position')} in ${count(calls.length, 'transaction')}${fee === null ? '' : `, for about ${formatEther(fee)} ETH of gas`}: ${due.join(', ')}.`
  context.write(`${what}\n`)
  if (checkpoints.length > 0) {
    const where = checkpoints.length === 1 ? 'it' : 'them'
    context.write(
      `This creates the checkpoint of ${checkpoints.length} series, which makes all payouts in ${where} final.\n`,
    )
  }
  if (next !== null) context.write(`The next position can be settled from ${showInstant(next)}.\n`)
}

/**
 * Estimates the fee in wei. Returns null if the node cannot estimate the fee; the reason is reported when the
 * transaction is sent.
 */
async function estimateFee(
  chain: ConnectedChain,
  { address }: PrivateKeyAccount,
  calls: readonly ContractCall[],
): Promise<bigint | null> {
  try {
    const [price, ...gas] = await Promise.all([
      chain.getGasPrice(),
      ...calls.map((call) => chain.estimateContractGas({ ...call, account: address })),
    ])
    return gas.reduce((sum, one) => sum + one, 0n) * price
  } catch {
    return null
  }
}

async function sendSettlement(parts: Settling, call: ContractCall): Promise<void> {
  const { context, json, pool, pools } = parts
  const receipt = await sendReported(parts, call)
  const { transactionHash, blockNumber } = receipt
  const logs = receipt.logs.filter(({ address }) => isAddressEqual(address, pool))
  const credited = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'Credited', logs })
  for (const { args } of parseEventLogs({ abi: interestRatePoolAbi, eventName: 'PositionSettled', logs })) {
    const data = { ...args, transactionHash, blockNumber }
    if (json) {
      context.write(`${encodeJson({ type: 'settled', data })}\n`)
      continue
    }
    const token = credited.find((credit) => credit.args.positionId === args.positionId)?.args.token
    const amount = (raw: bigint) => showAmount(raw, tokenOf(pools, token))
    const what = `Position ${args.positionId} was settled in block ${blockNumber}: ${amount(args.toBorrower)} to the borrower, ${amount(args.toMaker)} to the maker.`
    context.write(`${context.style.good(what)}\n`)
  }
}

/** Withdraws the credits in every token. A token that rejects its withdrawal does not block the others. */
async function withdrawAll(parts: Settling, tokens: readonly Address[]): Promise<void> {
  const refusals: NotExecutableError[] = []
  for (const token of tokens) {
    if ((await readCredit(parts, token)) === 0n) continue
    try {
      await withdraw(parts, token)
    } catch (error) {
      if (!(error instanceof NotExecutableError)) throw error
      refusals.push(error)
    }
  }
  const [refusal] = refusals
  if (refusal) throw refusal
}

async function withdraw(parts: Settling, token: Address): Promise<void> {
  const { context, json, pool, pools } = parts
  const { logs, transactionHash, blockNumber } = await sendReported(
    parts,
    withdrawParameters({ token, interestRatePoolAddress: pool }),
  )
  const ofPool = logs.filter(({ address }) => isAddressEqual(address, pool))
  const [withdrawn] = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'Withdrawn', logs: ofPool })
  const amount = withdrawn?.args.amount ?? 0n
  context.write(
    json
      ? `${encodeJson({ type: 'withdrawn', data: { token, amount, transactionHash, blockNumber } })}\n`
      : `${context.style.good(`Withdrew ${showAmount(amount, tokenOf(pools, token))} in block ${blockNumber}.`)}\n`,
  )
}

function readCredit({ chain, pool, account, receipts }: Settling, token: Address): Promise<bigint> {
  const blockNumber = receipts.at(-1)?.blockNumber
  return chain
    .readContract({
      address: pool,
      abi: interestRatePoolAbi,
      functionName: 'credits',
      args: [account.address, token],
      ...(blockNumber !== undefined && { blockNumber }),
    })
    .catch((cause: unknown) => {
      throw new ChainUnavailableError('Failed to read the withdrawable amount.', { cause })
    })
}

function reportEnd({ context, json, receipts }: Settling): void {
  const fee = receipts.reduce((sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice, 0n)
  if (json) context.write(`${encodeJson({ type: 'done', data: { transactions: receipts.length, fee } })}\n`)
  else if (receipts.length === 0) context.write('Nothing to withdraw; no transaction was sent.\n')
  else context.write(`${count(receipts.length, 'transaction')}, ${formatEther(fee)} ETH of gas.\n`)
}

/**
 * Checks that all positions have been settled, by this run or by another keeper. The keeper bundler skips positions
 * that it cannot settle.
 */
async function requireSettled({ chain, pool }: Settling, positionIds: readonly bigint[]): Promise<void> {
  const left = (await readPositions(chain, pool, positionIds)).filter(({ state }) => state !== 'settled')
  if (left.length === 0) return
  const ids = left.map(({ positionId }) => positionId).join(', ')
  throw new NotExecutableError(
    'TRANSACTION_REVERTED',
    `The contract did not settle these positions: ${ids}. Try them one at a time.`,
  )
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
