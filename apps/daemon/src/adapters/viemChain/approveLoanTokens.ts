import { formatPrincipal, interestRatePoolAbi, parsePrincipal } from '@firmquote/core'
import { approvalSteps } from '@firmquote/sdk'
import { type Address, createWalletClient, erc20Abi, type Hex, http, isAddressEqual, zeroAddress } from 'viem'
import { readContract, writeContract } from 'viem/actions'
import { ConfigurationError } from '../../errors.ts'
import { checkDeployment } from './checkDeployment.ts'
import type { ViemChainOptions } from './createViemChain.ts'
import { wrapChainErrors } from './rpcFailure.ts'
import { sendTransaction } from './sendTransaction.ts'

/**
 * The quote market's allowance for a loan token. `about` is the amount with the token's symbol. `transactionHash` is
 * the transaction that set the allowance, or null if it was already set.
 */
export type Approval = { loanToken: Address; transactionHash: Hex | null; about: string }

/**
 * Sets the quote market's allowance for each loan token of the given pools, read from the chain. A different existing
 * allowance is first reset to zero, because some tokens require this.
 *
 * @param amount whole tokens, such as `500000` or `1,234.5`.
 * @throws {ConfigurationError} if the contracts are wrong or a pool does not exist.
 * @throws {InvalidInputError} if the amount is not a number of tokens.
 * @throws {TransactionError} if a transaction was not sent, was reverted, or has not been mined yet.
 */
export async function approveLoanTokens(
  { rpcUrl, account, ...deployment }: ViemChainOptions,
  poolIds: readonly Hex[],
  amount: string,
): Promise<Approval[]> {
  const client = createWalletClient({ account, transport: http(rpcUrl) })
  await checkDeployment(client, deployment)
  const loanTokens = await Promise.all(poolIds.map((poolId) => readLoanToken(poolId)))
  const approvals: Approval[] = []
  // Send transactions one at a time, because their nonces must be in order.
  for (const loanToken of new Set(loanTokens)) approvals.push(await approve(loanToken))
  return approvals

  async function readLoanToken(poolId: Hex): Promise<Address> {
    const pool = { address: deployment.interestRatePool, abi: interestRatePoolAbi } as const
    const [loanToken] = await wrapChainErrors(() =>
      readContract(client, { ...pool, functionName: 'pools', args: [poolId] }),
    )
    if (isAddressEqual(loanToken, zeroAddress)) throw new ConfigurationError(`Pool ${poolId} does not exist on-chain.`)
    return loanToken
  }

  async function approve(loanToken: Address): Promise<Approval> {
    const token = { address: loanToken, abi: erc20Abi } as const
    const { quoteMarket: quoteMarketAddress } = deployment
    const [decimals, symbol, allowance] = await wrapChainErrors(() =>
      Promise.all([
        readContract(client, { ...token, functionName: 'decimals' }),
        readContract(client, { ...token, functionName: 'symbol' }),
        readContract(client, { ...token, functionName: 'allowance', args: [account.address, quoteMarketAddress] }),
      ]),
    )
    const units = parsePrincipal(amount, decimals)
    const approval: Approval = {
      loanToken,
      transactionHash: null,
      about: `${formatPrincipal(units, decimals)} ${symbol}`,
    }
    for (const call of approvalSteps({ loanToken, allowance, amount: units, quoteMarketAddress })) {
      const receipt = await sendTransaction(client, () => writeContract(client, { ...call, account, chain: null }))
      approval.transactionHash = receipt.transactionHash
    }
    return approval
  }
}
