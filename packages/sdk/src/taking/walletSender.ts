import { limitTransactions } from '@firmquote/core/utils'
import { type Abi, type Address, type Client, encodeFunctionData, type Hex, type TransactionReceipt } from 'viem'
import { sendTransaction, waitForTransactionReceipt } from 'viem/actions'
import { defaultChainId } from '../clientConfig.ts'
import { accountOf } from './accountOf.ts'
import type { BundleContracts } from './bundle.ts'
import { oneTransaction } from './oneTransaction.ts'
import type { TakePlan } from './planTakes.ts'
import { takeCalls } from './takeCalls.ts'

type ContractCall = { address: Address; abi: Abi; functionName: string; args: readonly unknown[] }

/** The functions of `takeBest` that send. */
type Sender = {
  send(call: ContractCall): Promise<TransactionReceipt>
  sendTogether: ReturnType<typeof oneTransaction>
  onMissing(plan: Pick<TakePlan, 'takes' | 'missing'>): Promise<bigint | undefined>
}

/**
 * Creates the functions that send a plan through a wallet client: in one transaction if its account supports it, and
 * otherwise one by one, after the missing permissions.
 */
export function createWalletSender(
  walletClient: Client,
  { publicClient, ...contracts }: BundleContracts & { publicClient: Client },
): Sender {
  const account = accountOf(walletClient)
  const isLocal = account.type === 'local'
  const mine = createTransactionSender(walletClient, publicClient, contracts.chainId ?? defaultChainId)
  const send = ({ address, ...call }: ContractCall) => mine(address, encodeFunctionData(call))
  return {
    send,
    sendTogether: oneTransaction({
      ...{ ...contracts, borrower: isLocal ? account : account.address, publicClient, send },
      walletClient: isLocal ? undefined : walletClient,
    }),
    async onMissing({ takes, missing }) {
      const [first] = takes
      if (!first || missing.includes('balance')) return undefined
      let block: bigint | undefined
      for (const { purpose, to, data } of takeCalls(takes, first.verdict, contracts)) {
        if (purpose !== 'take') block = (await mine(to, data)).blockNumber
      }
      return block
    },
  }
}

/**
 * Creates a function that sends a transaction and waits for its receipt. `onSent` is called in between. A local account
 * signs only for this chain, whichever the node names.
 */
export function createTransactionSender(
  walletClient: Client,
  publicClient: Client,
  chainId: number,
  onSent = () => {},
) {
  const own = accountOf(walletClient)
  const account = own.type === 'local' ? limitTransactions(own, { chainId }) : own
  const { chain = null } = walletClient
  return async (to: Address, data: Hex): Promise<TransactionReceipt> => {
    const hash = await sendTransaction(walletClient, { account, chain, to, data })
    onSent()
    return waitForTransactionReceipt(publicClient, { hash })
  }
}
