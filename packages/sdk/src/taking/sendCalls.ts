import { guardInput } from '@firmquote/core/utils'
import {
  type Address,
  type Client,
  ExecutionRevertedError,
  numberToHex,
  type TransactionReceipt,
  type WalletSendCallsParameters,
} from 'viem'
import { getCapabilities, waitForCallsStatus, waitForTransactionReceipt } from 'viem/actions'
import { ChainUnavailableError, InvalidInputError } from '../coreErrors.ts'
import type { TakeCall } from './takeCalls.ts'

/** The sending account and the chain. */
export type CallsSender = { from: Address; chainId: number }

const waitMs = 180_000

/**
 * Reads whether a wallet can send calls atomically for an account (EIP-5792): `supported`, or `ready` if the user must
 * first agree to upgrade the account. A wallet that does not answer is treated as unsupported.
 *
 * @param client The wallet's client.
 * @throws {InvalidInputError} if the sender is malformed.
 * @example
 * ```ts
 * await readAtomicity(walletClient, { from: account.address, chainId }) // 'supported'
 * ```
 */
export async function readAtomicity(
  client: Client,
  sender: CallsSender,
): Promise<'supported' | 'ready' | 'unsupported'> {
  const { from, chainId } = guardInput('sender', () => ({ from: sender.from, chainId: sender.chainId }))
  const all = await getCapabilities(client, { account: from }).catch(() => ({}) as Record<number, undefined>)
  // Chain 0 means all chains.
  const { atomic = all[0]?.atomic } = all[chainId] ?? {}
  const status: unknown = atomic?.status
  return status === 'supported' || status === 'ready' ? status : 'unsupported'
}

/**
 * Returns the parameters of `wallet_sendCalls` (EIP-5792) for an atomic batch of calls.
 *
 * @example
 * ```ts
 * const calls = takeCalls(plan.takes, verdict)
 * const parameters = sendCallsParameters(calls, { from: account.address, chainId })
 * await walletClient.request({ method: 'wallet_sendCalls', params: [parameters] })
 * ```
 */
export function sendCallsParameters(
  calls: readonly Pick<TakeCall, 'to' | 'data' | 'value'>[],
  sender: CallsSender,
): WalletSendCallsParameters[0] {
  return guardInput('calls', () => ({
    version: '2.0.0',
    chainId: numberToHex(sender.chainId),
    from: sender.from,
    atomicRequired: true,
    calls: calls.map(({ to, data, value }) => ({ to, data, value: numberToHex(value) })),
  }))
}

/**
 * Asks a wallet to send calls as one atomic batch, without waiting for the receipt.
 *
 * @param walletClient The wallet's client.
 * @returns The wallet's id for the batch, to pass to {@link waitForCalls}. The transaction may not exist yet.
 * @throws viem's wallet errors.
 * @throws {ChainUnavailableError} if the wallet returns no id.
 * @example
 * ```ts
 * const calls = takeCalls(plan.takes, verdict)
 * const id = await requestCalls(walletClient, calls, { from: account.address, chainId })
 * const { status } = await waitForCalls(walletClient, { id, publicClient })
 * status // 'success'
 * ```
 */
export async function requestCalls(
  walletClient: Client,
  calls: readonly Pick<TakeCall, 'to' | 'data' | 'value'>[],
  sender: CallsSender,
): Promise<string> {
  const params = [sendCallsParameters(calls, sender)] as const
  const { id } = await walletClient.request({ method: 'wallet_sendCalls', params: [...params] }, { retryCount: 0 })
  if (typeof id === 'string') return id
  throw new ChainUnavailableError('The wallet returned no id for the calls. Check its activity before you retry.')
}

/**
 * Waits for a batch's receipt. The returned status is that of the batch.
 *
 * @param walletClient The wallet's client.
 * @param given.id The wallet's id for the batch, from {@link requestCalls}.
 * @param given.publicClient Reads the receipt, because the wallet's own report is not trusted.
 * @throws viem's `ExecutionRevertedError` if the wallet dropped the batch before it was included in a block, and viem's
 * errors for wallet and node failures.
 * @throws {ChainUnavailableError} if the wallet does not report the outcome.
 * @example
 * ```ts
 * // The id remains valid after a page reload.
 * const id = await requestCalls(walletClient, takeCalls(plan.takes, verdict), { from: account.address, chainId })
 * const receipt = await waitForCalls(walletClient, { id, publicClient })
 * receipt.status // 'success'
 * ```
 */
export async function waitForCalls(
  walletClient: Client,
  given: { id: string; publicClient: Client },
): Promise<TransactionReceipt> {
  const { id, publicClient } = { ...given }
  if (typeof id !== 'string') throw new InvalidInputError("must be the wallet's id of the calls.", { path: 'id' })
  const { status, statusCode, receipts = [] } = await waitForCallsStatus(walletClient, { id, timeout: waitMs })
  const [last] = receipts.slice(-1)
  if (last === undefined) {
    if (statusCode === 400) throw new ExecutionRevertedError({ message: 'the wallet dropped the calls' })
    throw new ChainUnavailableError(
      "The wallet did not report the calls' transaction. Check its activity before you retry.",
    )
  }
  const receipt = await waitForTransactionReceipt(publicClient, { hash: last.transactionHash, timeout: waitMs })
  // Several accounts' calls may share a transaction, which succeeds even if some of them revert.
  return status === 'success' ? receipt : { ...receipt, status: 'reverted' }
}

/**
 * Asks a wallet to send calls as one atomic batch and waits for the receipt: {@link requestCalls}, then {@link
 * waitForCalls}.
 *
 * @param walletClient The wallet's client.
 * @throws the errors of both functions.
 * @example
 * ```ts
 * const reading = await readSettlement(publicClient, { account: account.address, positionIds: [position.positionId] })
 * const { calls } = planSettlement(reading, { repay: false })
 * const { status } = await sendCalls(walletClient, calls, { from: account.address, chainId, publicClient })
 * status // 'success'
 * ```
 */
export async function sendCalls(
  walletClient: Client,
  calls: readonly Pick<TakeCall, 'to' | 'data' | 'value'>[],
  given: CallsSender & { publicClient: Client },
): Promise<TransactionReceipt> {
  const { publicClient, ...sender } = { ...given }
  const id = await requestCalls(walletClient, calls, sender)
  return waitForCalls(walletClient, { id, publicClient })
}
