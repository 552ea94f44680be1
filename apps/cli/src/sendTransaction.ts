import { ChainUnavailableError } from '@firmquote/core'
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

/** A call of a contract, as the SDK's `…Parameters` give it. */
export type ContractCall = { address: Address; abi: Abi; functionName: string; args: readonly unknown[] }

/**
 * Sends a transaction, reports its hash to `onSent`, and waits for its receipt. Sent once, never repeated; not sent when the
 * run has been interrupted before.
 *
 * @throws {NotExecutableError} `TRANSACTION_REVERTED`, before it was sent or in its block.
 * @throws {AbortedError} when the run was interrupted before anything was sent.
 * @throws {ChainUnavailableError} when it could not be sent, or its receipt did not come; the message says which.
 */
export async function sendTransaction(...given: Parameters<typeof sendAndWait>): Promise<TransactionReceipt> {
  const receipt = await sendAndWait(...given)
  if (receipt.status === 'success') return receipt
  const what = `The transaction ${receipt.transactionHash} was mined and reverted.`
  throw new NotExecutableError('TRANSACTION_REVERTED', what)
}

/**
 * {@link sendTransaction}, but what was mined and reverted has a receipt as well. What it costs is added to the run's spending.
 *
 * @throws what `sendTransaction` throws before a block has the transaction; the cause of `TRANSACTION_REVERTED` is viem's error.
 */
export async function sendAndWait(
  chain: ConnectedChain,
  rpcUrl: string,
  account: PrivateKeyAccount,
  call: ContractCall,
  { signal, finish, failure, onSent }: Pick<Context, 'signal' | 'finish' | 'failure'> & { onSent(hash: Hex): void },
): Promise<TransactionReceipt> {
  if (signal.aborted) throw new AbortedError({ sent: 'no', cause: signal.reason })
  failure.spending ??= noSpending()
  const { spending } = failure
  const wallet = createWalletClient({ account, chain: chain.chain, transport: http(rpcUrl) })
  const sending = wallet.writeContract(call).then(
    (sent) => {
      spending.unseen += 1
      onSent(sent)
      return sent
    },
    (cause: unknown) => {
      const described = describeFailure(cause)
      // It may have been sent all the same.
      if (described instanceof ChainUnavailableError) spending.unseen += 1
      throw described
    },
  )
  const hash = await finish(sending)
  const receipt = await chain.waitForTransactionReceipt({ hash, timeout: receiptTimeoutMs }).catch((cause: unknown) => {
    throw new ChainUnavailableError(`The transaction ${hash} was sent, but its receipt has not been seen.`, { cause })
  })
  addReceipt(spending, receipt)
  return receipt
}

/** The errors of viem show the node's address and the whole call: only their reason is shown. */
function describeFailure(failure: unknown): NotExecutableError | ChainUnavailableError {
  const reverted = walk(failure, ContractFunctionRevertedError)
  const name = reverted?.data?.errorName
  if (name !== undefined) {
    const facts = (reverted?.data?.args ?? []).map(showArgument).join(', ')
    const what = `The contract refuses: ${name}(${facts}). Nothing was sent.`
    return new NotExecutableError('TRANSACTION_REVERTED', what, { cause: failure })
  }
  if (reverted || walk(failure, ExecutionRevertedError)) {
    const what = 'The contract refuses the call. Nothing was sent.'
    return new NotExecutableError('TRANSACTION_REVERTED', what, { cause: failure })
  }
  return new ChainUnavailableError('The transaction could not be sent; look before you try again.')
}

function walk<E extends Error>(failure: unknown, kind: new (...given: never[]) => E): E | undefined {
  const found = failure instanceof ViemError ? failure.walk((error) => error instanceof kind) : null
  return found instanceof kind ? found : undefined
}

/** The contracts give their reasons as text in 32 bytes. */
function showArgument(argument: unknown): string {
  const isText =
    typeof argument === 'string' && /^0x(?:[2-7][0-9a-f])+(?:00)+$/.test(argument) && argument.length === 66
  return isText ? hexToString(trim(argument as Hex, { dir: 'right' })) : String(argument)
}
