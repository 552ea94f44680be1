import {
  type Attempt,
  fillsOf,
  isRevert,
  type JobContracts,
  type JobExecutor,
  requestCalls,
  type TakeCall,
  type WalletAnswer,
  waitForCalls,
} from '@firmquote/sdk/jobs'
import type { Account, Client, TransactionReceipt } from 'viem'
import { sendTransaction, waitForTransactionReceipt } from 'viem/actions'

/** A wallet's client. */
export type WalletClient = Client & { account: Account }

/** An encoded call. */
export type JobCall = Pick<TakeCall, 'to' | 'data' | 'value'>

/** EIP-1193: the user rejected the request. */
const rejected = 4001
/** EIP-1193 and EIP-5792: the wallet does not batch calls, or its owner did not upgrade the account. */
const withoutBatches = [4200, 5700, 5750, 5760, -32601]

/**
 * Asks a wallet to send one call, or several as an atomic batch (EIP-5792).
 *
 * @throws viem's wallet errors, if the outcome is unknown.
 */
export async function askWallet(
  client: WalletClient,
  calls: readonly JobCall[],
  { chainId, takes }: { chainId: number; takes: boolean },
): Promise<WalletAnswer> {
  const { account, chain = null } = client
  const [first, second] = calls
  if (!first) return { type: 'unsupported' }
  try {
    if (second) return { type: 'called', id: await requestCalls(client, calls, { from: account.address, chainId }) }
    const { to, data, value } = first
    return { type: 'sent', hash: await sendTransaction(client, { account, chain, to, data, value }) }
  } catch (error) {
    const codes = codesOf(error)
    const cause = error as Error
    if (codes.includes(rejected)) return { type: 'refused', cause }
    if (second && codes.some((code) => withoutBatches.includes(code))) return { type: 'unsupported', cause }
    // A wallet may report a revert and still send the take.
    if (!takes && isRevert(error)) return { type: 'wouldRevert', cause }
    throw error
  }
}

/** Waits until an attempt's transaction, or the one that replaced it, is mined. */
export async function watchWallet(
  client: WalletClient,
  { stage }: Attempt,
  contracts: JobContracts,
  onReplaced: Parameters<JobExecutor['watch']>[2],
): Promise<{ receipt: TransactionReceipt; mined: Awaited<ReturnType<JobExecutor['watch']>> }> {
  if (stage.name === 'asked') throw new TypeError('The wallet has not answered.')
  let isOther = false
  const receipt =
    stage.name === 'called'
      ? await waitForCalls(client, { id: stage.id, publicClient: client })
      : await waitForTransactionReceipt(client, {
          hash: stage.hash,
          onReplaced({ reason, transaction: { hash } }) {
            isOther = reason !== 'repriced'
            onReplaced(hash)
          },
        })
  const { transactionHash: hash, status, blockNumber: block } = receipt
  const fills = fillsOf(receipt, contracts, client.account.address)
  return { receipt, mined: { type: 'mined', hash, succeeded: status === 'success', isOther, fills, block } }
}

/** The codes of an error and its causes. */
function codesOf(error: unknown): number[] {
  const codes: number[] = []
  const seen = new Set<unknown>()
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    seen.add(cause)
    if ('code' in cause && typeof cause.code === 'number') codes.push(cause.code)
  }
  return codes
}
