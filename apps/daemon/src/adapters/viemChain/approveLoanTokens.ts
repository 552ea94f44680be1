import { formatPrincipal, interestRatePoolAbi, type PoolRates, parsePrincipal } from '@firmquote/core'
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
 * @param pools the pools and their tokens, as listed by the service. A node that names another token or other decimals
 * could raise the allowance.
 * @param amount whole tokens, such as `500000` or `1,234.5`.
 * @throws {ConfigurationError} if the contracts are wrong, a pool does not exist, or the node contradicts the service.
 * @throws {InvalidInputError} if the amount is not a number of tokens.
 * @throws {TransactionError} if a transaction was not sent, was reverted, or has not been mined yet.
 */
export async function approveLoanTokens(
  { rpcUrl, account, ...deployment }: ViemChainOptions,
  pools: readonly Pick<PoolRates, 'poolId' | 'loanToken'>[],
  amount: string,
): Promise<Approval[]> {
  const client = createWalletClient({ account, transport: http(rpcUrl) })
  await checkDeployment(client, deployment)
  await Promise.all(pools.map(requireLoanToken))
  const tokens = new Map(pools.map(({ loanToken }) => [loanToken.address, loanToken.decimals]))
  const approvals: Approval[] = []
  // Send transactions one at a time, because their nonces must be in order.
  for (const [loanToken, decimals] of tokens) approvals.push(await approve(loanToken, decimals))
  return approvals

  async function requireLoanToken({ poolId, loanToken: { address } }: (typeof pools)[number]): Promise<void> {
    const pool = { address: deployment.interestRatePool, abi: interestRatePoolAbi } as const
    const [actual] = await wrapChainErrors(() =>
      readContract(client, { ...pool, functionName: 'pools', args: [poolId] }),
    )
    if (isAddressEqual(actual, zeroAddress)) throw new ConfigurationError(`Pool ${poolId} does not exist on-chain.`)
    if (isAddressEqual(actual, address)) return
    throw new ConfigurationError(`The token of pool ${poolId} is ${actual} on-chain, but ${address} in the service.`)
  }

  async function approve(loanToken: Address, expected: number): Promise<Approval> {
    const token = { address: loanToken, abi: erc20Abi } as const
    const { quoteMarket: quoteMarketAddress } = deployment
    const [decimals, symbol, allowance] = await wrapChainErrors(() =>
      Promise.all([
        readContract(client, { ...token, functionName: 'decimals' }),
        readContract(client, { ...token, functionName: 'symbol' }),
        readContract(client, { ...token, functionName: 'allowance', args: [account.address, quoteMarketAddress] }),
      ]),
    )
    if (decimals !== expected) {
      throw new ConfigurationError(
        `The token ${loanToken} has ${decimals} decimals on-chain, but ${expected} according to the service.`,
      )
    }
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
