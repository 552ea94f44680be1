import { ChainUnavailableError, guardInput, InvalidInputError } from '@firmquote/core'
import {
  type Address,
  type Client,
  ExecutionRevertedError,
  numberToHex,
  type TransactionReceipt,
  type WalletSendCallsParameters,
} from 'viem'
import { getCapabilities, waitForCallsStatus, waitForTransactionReceipt } from 'viem/actions'
import type { TakeCall } from './takeCalls.ts'

/** Whose wallet sends, and on which chain. */
export type CallsSender = { from: Address; chainId: number }

const waitMs = 180_000

/**
 * Whether a wallet sends several calls as one for an account, all of them or none (EIP-5792): `supported`, or `ready` when its user
 * must agree to change the account for it. A wallet that does not answer is taken as one that does not.
 *
 * @param client one that reaches the wallet.
 * @throws {InvalidInputError} when the sender cannot be read.
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
  // Chain 0 stands for all chains.
  const { atomic = all[0]?.atomic } = all[chainId] ?? {}
  const status: unknown = atomic?.status
  return status === 'supported' || status === 'ready' ? status : 'unsupported'
}

/**
 * The parameters with which `wallet_sendCalls` of EIP-5792 sends all calls as one: all of them or none.
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
 * Has a wallet send all calls as one, once.
 *
 * @param walletClient one that reaches the wallet.
 * @returns what the wallet calls them, for {@link waitForCalls}. They may be in no transaction yet.
 * @throws viem's errors of the wallet.
 * @throws {ChainUnavailableError} when the wallet gives them no id.
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
  throw new ChainUnavailableError('The wallet does not say what it calls the calls; look before you try again.')
}

/**
 * Waits for the receipt of the transaction that has a wallet's calls. Its status is that of the calls.
 *
 * @param given.publicClient reads the receipt: the wallet's word for it is not taken.
 * @throws viem's `ExecutionRevertedError` when the wallet has given the calls up before they were in a block; viem's errors of the
 * wallet and of the node otherwise.
 * @throws {ChainUnavailableError} when the wallet does not say what has become of them.
 * @example
 * ```ts
 * // The id may be from before the page was loaded again.
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
  if (typeof id !== 'string') throw new InvalidInputError('must be what the wallet calls the calls.', { path: 'id' })
  const { status, statusCode, receipts = [] } = await waitForCallsStatus(walletClient, { id, timeout: waitMs })
  const [last] = receipts.slice(-1)
  if (last === undefined) {
    if (statusCode === 400) throw new ExecutionRevertedError({ message: 'the wallet has given the calls up' })
    throw new ChainUnavailableError(
      'The wallet does not say in which transaction the calls are; look before you try again.',
    )
  }
  const receipt = await waitForTransactionReceipt(publicClient, { hash: last.transactionHash, timeout: waitMs })
  // Several accounts' calls may share a transaction, which succeeds where one of them reverts.
  return status === 'success' ? receipt : { ...receipt, status: 'reverted' }
}

/**
 * Has a wallet send all calls as one, and waits for the receipt of their transaction: {@link requestCalls}, then
 * {@link waitForCalls}.
 *
 * @throws what these throw.
 * @example
 * ```ts
 * const calls = takeCalls(plan.takes, verdict)
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
