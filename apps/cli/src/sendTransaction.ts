import { ChainUnavailableError } from '@firmquote/core'
import { limitTransactions, TransactionLimitError } from '@firmquote/core/utils'
import { AbortedError } from '@firmquote/sdk'
import {
  type Abi,
  type Address,
  ContractFunctionRevertedError,
  createWalletClient,
  ExecutionRevertedError,
  type Hex,
  hexToString,
  http,
  type PrivateKeyAccount,
  type TransactionReceipt,
  trim,
  BaseError as ViemError,
} from 'viem'
import type { ConnectedChain } from './connect.ts'
import type { Context } from './context.ts'
import { NotExecutableError } from './errors.ts'
import { addReceipt, noSpending } from './spending.ts'

const receiptTimeoutMs = 180_000

/** A contract call, as returned by the SDK's `…Parameters` functions. */
export type ContractCall = {
  address: Address
  abi: Abi
  functionName: string
  args: readonly unknown[]
  /** Gas limit. Default: the node's estimate. */
  gas?: bigint
}

/** An encoded call, as in the SDK's plans. */
export type EncodedCall = { to: Address; data: Hex; gas?: bigint }

/**
 * Sends a transaction, reports its hash to `onSent`, and waits for its receipt. The transaction is sent once and never
 * retried. Sends nothing if the run has been interrupted.
 *
 * @throws {NotExecutableError} `TRANSACTION_REVERTED` if the call reverts, either before it is sent or when it is
 * mined. `NODE_REFUSED` if the gas fee could exceed `--max-fee`, or the node names another chain.
 * @throws {AbortedError} if the run was interrupted before sending.
 * @throws {ChainUnavailableError} if sending failed, or the receipt did not arrive. The message says which.
 */
export async function sendTransaction(...given: Parameters<typeof sendAndWait>): Promise<TransactionReceipt> {
  const receipt = await sendAndWait(...given)
  if (receipt.status === 'success') return receipt
  const what = `The transaction ${receipt.transactionHash} was mined but reverted.`
  throw new NotExecutableError('TRANSACTION_REVERTED', what)
}

/**
 * Like {@link sendTransaction}, but also returns the receipt of a reverted transaction. Adds the gas cost to the run's
 * spending.
 *
 * @throws the errors that `sendTransaction` throws before the transaction is mined. The cause of `TRANSACTION_REVERTED`
 * is viem's error.
 */
export async function sendAndWait(
  chain: ConnectedChain,
  rpcUrl: string,
  account: PrivateKeyAccount,
  call: ContractCall | EncodedCall,
  { signal, finish, failure, onSent }: Pick<Context, 'signal' | 'finish' | 'failure'> & { onSent(hash: Hex): void },
): Promise<TransactionReceipt> {
  if (signal.aborted) throw new AbortedError({ sent: 'no', cause: signal.reason })
  failure.spending ??= noSpending()
  const { spending } = failure
  const wallet = createWalletClient({
    account: limitTransactions(account, { chainId: chain.chain.id }),
    chain: chain.chain,
    transport: http(rpcUrl),
  })
  const sending = ('data' in call ? wallet.sendTransaction(call) : wallet.writeContract(call)).then(
    (sent) => {
      spending.unseen += 1
      onSent(sent)
      return sent
    },
    (cause: unknown) => {
      const described = describeFailure(cause)
      // The transaction may still have been sent.
      if (described instanceof ChainUnavailableError) spending.unseen += 1
      throw described
    },
  )
  const hash = await finish(sending)
  const receipt = await chain.waitForTransactionReceipt({ hash, timeout: receiptTimeoutMs }).catch((cause: unknown) => {
    throw new ChainUnavailableError(`The transaction ${hash} was sent, but its receipt did not arrive.`, { cause })
  })
  addReceipt(spending, receipt)
  return receipt
}

/**
 * Converts viem's error, keeping only the reason, because its message contains the node's URL and the entire call.
 */
function describeFailure(failure: unknown): NotExecutableError | ChainUnavailableError {
  const limited = walk(failure, TransactionLimitError)
  if (limited) {
    const next = 'use another node in --rpc, or raise --max-fee if the network is that expensive'
    return new NotExecutableError('NODE_REFUSED', `${limited.shortMessage} No transaction was sent.`, { next })
  }
  const reverted = walk(failure, ContractFunctionRevertedError)
  const name = reverted?.data?.errorName
  if (name !== undefined) {
    const facts = (reverted?.data?.args ?? []).map(showArgument).join(', ')
    const what = `The contract rejects the call: ${name}(${facts}). No transaction was sent.`
    return new NotExecutableError('TRANSACTION_REVERTED', what, { cause: failure })
  }
  if (reverted || walk(failure, ExecutionRevertedError)) {
    const what = 'The contract rejects the call. No transaction was sent.'
    return new NotExecutableError('TRANSACTION_REVERTED', what, { cause: failure })
  }
  return new ChainUnavailableError('Failed to send the transaction; check whether it was sent before you try again.')
}

function walk<E extends Error>(failure: unknown, kind: new (...given: never[]) => E): E | undefined {
  const found = failure instanceof ViemError ? failure.walk((error) => error instanceof kind) : null
  return found instanceof kind ? found : undefined
}

/** Formats an argument of a contract error. The contracts encode their reasons as text in 32 bytes. */
function showArgument(argument: unknown): string {
  const isText =
    typeof argument === 'string' && /^0x(?:[2-7][0-9a-f])+(?:00)+$/.test(argument) && argument.length === 66
  return isText ? hexToString(trim(argument as Hex, { dir: 'right' })) : String(argument)
}
