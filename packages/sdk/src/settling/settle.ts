// Why: docs/decisions/0074-settle-and-repay.md
import { INTEREST_RATE_POOL_ADDRESS } from '@firmquote/addresses'
import { BaseError, interestRatePoolAbi } from '@firmquote/core'
import { type Address, type Client, isAddressEqual, parseEventLogs, type TransactionReceipt } from 'viem'
import type { BorrowerClient } from '../borrowerClient.ts'
import { checkedAddress, checkedChainId, defaultChainId, misnamedAddresses } from '../clientConfig.ts'
import { InvalidInputError } from '../coreErrors.ts'
import { isRevert } from '../jobs/isRevert.ts'
import { checkChain, checkClient } from '../readChain.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'
import { accountOf } from '../taking/accountOf.ts'
import { checkServiceClient } from '../taking/checkPlanParameters.ts'
import { readAtomicity, requestCalls, waitForCalls } from '../taking/sendCalls.ts'
import { createTransactionSender } from '../taking/walletSender.ts'
import { planSettlement, type Repayment, type SettlementCall, type SettlementPlan } from './planSettlement.ts'
import { readSettlement } from './readSettlement.ts'
import { repaidAmount } from './repayCalls.ts'

/** Parameters of `settle`: `{ client, walletClient, repay }`. */
export type SettleParameters = {
  /** Provides the chain and the contract's address. Default: the production deployment. */
  client?: Pick<BorrowerClient, 'getConfig'> | undefined
  chainId?: number | undefined
  interestRatePoolAddress?: Address | undefined
  /** The only lender to repay. Default: Morpho Blue of the production deployment. */
  lenderAddress?: Address | undefined
  /** The account that sends the calls, receives the payouts and repays its debt. */
  walletClient: Client
  /** Reads the chain. Default: the wallet client. */
  publicClient?: Client | undefined
  /** Whether to repay the account's debt with the payouts of the positions that it borrowed. Default: false. */
  repay?: boolean | undefined
  /**
   * Continues an interrupted call: payouts that are already in the account repay the debt as well. If they have been
   * used before, other tokens repay the debt. Default: false.
   */
  withdrawn?: boolean | undefined
  /** Called with each plan before its calls are sent. */
  onPlan?: ((plan: SettlementPlan) => Promise<void> | void) | undefined
}

/** The result of `settle`. Amounts are in raw units of the token. */
export type SettleResult = {
  /** The transactions, in order, including those that reverted. */
  receipts: readonly TransactionReceipt[]
  /** The amounts that the account received, by token. */
  withdrawn: readonly { token: Address; amount: bigint }[]
  /** The repaid amount of each market's debt. */
  repaid: readonly (Pick<Repayment, 'lender' | 'market' | 'loanToken'> & { amount: bigint })[]
  /** Positions that have not expired, which were left alone. */
  running: readonly bigint[]
}

/**
 * `settle` was interrupted after it had sent a transaction. Code `SETTLE_INTERRUPTED`. `cause` is the reason, and
 * `receipts` are those of the transactions so far. A last transaction without a receipt may still be mined. Call `settle` again
 * with the same positions. To repay with payouts that are already in the account, also pass `withdrawn: true`, but only
 * if none of the account's transactions has used them.
 *
 * @example
 * ```ts
 * const positionIds = [position.positionId]
 * const onPlan = () => Promise.reject(new Error('The user closed the page.'))
 * await settle(positionIds, { client, walletClient, onPlan }).catch((error) => {
 *   error instanceof SettleInterruptedError // false
 * })
 * ```
 */
export class SettleInterruptedError extends BaseError {
  override name = 'SettleInterruptedError'
  readonly receipts: readonly TransactionReceipt[]

  constructor(options: { receipts: readonly TransactionReceipt[]; cause: unknown }) {
    super('SETTLE_INTERRUPTED', 'The settlement was interrupted after its first transaction.', {
      docsPath: '@firmquote/sdk/ERRORS.md#settleinterruptederror',
      cause: options.cause,
    })
    this.receipts = options.receipts
  }
}

/** After this many reverts, the debt is not repaid. After twice as many, `settle` stops. */
const maxReverts = 3

/**
 * Settles matured positions, withdraws all credits in their tokens and, with `repay`, repays the account's debt with the
 * payouts. Sends one atomic batch if the wallet supports it (EIP-5792), and otherwise a transaction per call. If a call
 * reverts, reads and plans again, because another account may have settled a position or changed the debt. Settlement
 * and withdrawal never depend on the repayment.
 *
 * @param positionIds At most 16. The account need not be a party.
 * @throws {SettleInterruptedError} if a read or a transaction fails after the first transaction. Before it, the error
 * itself is thrown.
 * @throws {InvalidInputError} if a parameter is malformed, or a position does not exist.
 * @throws {ChainUnavailableError} if the positions cannot be read.
 * @example
 * ```ts
 * const { withdrawn, repaid } = await settle([position.positionId], { client, walletClient, repay: true })
 * withdrawn.length // 1
 * repaid.length // 0
 * ```
 */
export async function settle(positionIds: readonly bigint[], given: SettleParameters): Promise<SettleResult> {
  const { account, chainId, interestRatePoolAddress, publicClient, walletClient, onPlan, ...options } = checked(given)
  const { lenderAddress } = given
  const { address } = account
  const receipts: TransactionReceipt[] = []
  const result = { repaid: [] as SettleResult['repaid'][number][], running: [] as bigint[] }
  const read = (ids: readonly bigint[]) => {
    const since = receipts.at(-1)?.blockNumber
    return readSettlement(publicClient, {
      ...{ account: address, positionIds: ids, interestRatePoolAddress, lenderAddress, since },
    })
  }
  let hasSent = false
  const onSent = () => {
    hasSent = true
  }
  const send = createTransactionSender(walletClient, publicClient, chainId, onSent)
  /** Sends calls, and returns the receipt, or null if the calls would revert or a wallet dropped them. */
  const sendOnce = async (calls: readonly SettlementCall[], isBatch: boolean): Promise<TransactionReceipt | null> => {
    const [first] = calls
    if (!first) return null
    const sendBatch = async () => {
      const id = await requestCalls(walletClient, calls, { from: address, chainId })
      onSent()
      return waitForCalls(walletClient, { id, publicClient })
    }
    try {
      const receipt = await (isBatch ? sendBatch() : send(first.to, first.data))
      receipts.push(receipt)
      return receipt
    } catch (error) {
      if (isRevert(error)) return null
      throw error
    }
  }

  const run = async () => {
    let { repay, withdrawn } = options
    let rest = positionIds
    let isBatch: boolean | undefined
    for (let reverts = 0; ; ) {
      const reading = await read(rest)
      if (!hasSent && reverts === 0) {
        const missing = positionIds.find((id) => !reading.positions.some(({ positionId }) => positionId === id))
        if (missing !== undefined) {
          throw new InvalidInputError(`is not a position at block ${reading.block.number}.`, {
            path: `positionIds.${positionIds.indexOf(missing)}`,
            given: missing,
          })
        }
        result.running = reading.positions.flatMap(({ state, positionId }) => (state === 'running' ? [positionId] : []))
      }
      isBatch ??=
        account.type !== 'local' && (await readAtomicity(walletClient, { from: address, chainId })) !== 'unsupported'
      const plan = planSettlement(reading, { repay, withdrawn })
      const first = plan.calls.filter(({ purpose }) => purpose === 'settle' || purpose === 'withdraw')
      const isFirst = !isBatch && first.length > 0
      const groups = isBatch ? [plan.calls] : (isFirst ? first : plan.calls).map((call) => [call])
      if (plan.calls.length === 0) return
      await onPlan?.(plan)
      let hasReverted = false
      for (const calls of groups) {
        const receipt = await sendOnce(calls, isBatch)
        hasReverted = receipt?.status !== 'success'
        if (hasReverted) break
        for (const { lender, market, loanToken, positionIds: paid } of plan.repayments) {
          if (!calls.some((call) => call.purpose === 'repay' && call.market === market && call.to === lender)) continue
          const amount = repaidAmount(receipt?.logs ?? [], { lender, market, account: address })
          result.repaid.push({ lender, market, loanToken, amount })
          // A payout must not repay twice.
          rest = rest.filter((id) => !paid.includes(id))
        }
      }
      if (hasReverted) {
        reverts += 1
        if (reverts === maxReverts) repay = false
        if (reverts === 2 * maxReverts) throw new TypeError('The calls revert again and again.')
        continue
      }
      if (!repay || !(isFirst || plan.deferred.length > 0)) return
      withdrawn = true
      if (isBatch) rest = plan.deferred
    }
  }
  try {
    await run()
  } catch (cause) {
    throw hasSent ? new SettleInterruptedError({ receipts, cause }) : cause
  }
  return { ...result, receipts, withdrawn: withdrawals(receipts, interestRatePoolAddress, address) }
}

function checked(given: SettleParameters) {
  const {
    client,
    walletClient,
    publicClient = walletClient,
    repay = false,
    withdrawn = false,
    onPlan,
    ...options
  } = {
    ...given,
  }
  checkServiceClient(client)
  const parameters = { ...client?.getConfig(), ...options }
  rejectMisnamedOptions(parameters, {
    ...misnamedAddresses,
    lender: 'lenderAddress',
    wallet: 'walletClient',
    account: 'walletClient',
  })
  checkClient(walletClient, 'walletClient')
  checkClient(publicClient, 'publicClient')
  const chainId = checkedChainId(parameters.chainId ?? walletClient.chain?.id ?? defaultChainId)
  checkChain(publicClient, chainId, 'the positions are on')
  return {
    ...{ walletClient, publicClient, repay, withdrawn, chainId, onPlan },
    account: accountOf(walletClient),
    interestRatePoolAddress: checkedAddress(
      parameters.interestRatePoolAddress ?? INTEREST_RATE_POOL_ADDRESS,
      'interestRatePoolAddress',
    ),
  }
}

/** The payments of the pool to the account, by token. */
function withdrawals(receipts: readonly TransactionReceipt[], pool: Address, account: Address) {
  const amounts = new Map<Address, bigint>()
  for (const { logs } of receipts) {
    const ofPool = logs.filter(({ address }) => isAddressEqual(address, pool))
    for (const { args } of parseEventLogs({
      abi: interestRatePoolAbi,
      eventName: 'Withdrawn',
      args: { account },
      logs: ofPool,
    })) {
      amounts.set(args.token, (amounts.get(args.token) ?? 0n) + args.amount)
    }
  }
  return [...amounts].map(([token, amount]) => ({ token, amount }))
}
