import { formatPrincipal, interestRatePoolAbi, parsePrincipal } from '@firmquote/core'
import { approvalSteps } from '@firmquote/sdk'
import { type Address, createWalletClient, erc20Abi, type Hex, http, isAddressEqual, zeroAddress } from 'viem'
import { readContract, writeContract } from 'viem/actions'
import { ConfigurationError } from '../../errors.ts'
import { checkDeployment } from './checkDeployment.ts'
import type { ViemChainOptions } from './createViemChain.ts'
import { guarded } from './rpcFailure.ts'
import { sendTransaction } from './sendTransaction.ts'

/** An allowance of the quote market for a loan token: its amount and symbol, and what set it, if it was not there before. */
export type Approval = { loanToken: Address; transactionHash: Hex | null; about: string }

/**
 * Sets the quote market's allowance for the maker's loan tokens: for each token that one of these pools lends, as the chain
 * has it. Where another allowance is left it is set to zero first, since some tokens refuse to change it.
 *
 * @param amount whole tokens, as a person writes them: `500000` or `1,234.5`.
 * @throws {ConfigurationError} when the contracts are others, or have no such pool.
 * @throws {InvalidInputError} when the amount is not a number of tokens.
 * @throws {TransactionError} when a transaction was not sent, was reverted, or is not part of a block yet.
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
  // One after the other: an account's transactions have an order.
  for (const loanToken of new Set(loanTokens)) approvals.push(await approve(loanToken))
  return approvals

  async function readLoanToken(poolId: Hex): Promise<Address> {
    const pool = { address: deployment.interestRatePool, abi: interestRatePoolAbi } as const
    const [loanToken] = await guarded(() => readContract(client, { ...pool, functionName: 'pools', args: [poolId] }))
    if (isAddressEqual(loanToken, zeroAddress)) throw new ConfigurationError(`The chain knows no pool ${poolId}.`)
    return loanToken
  }

  async function approve(loanToken: Address): Promise<Approval> {
    const token = { address: loanToken, abi: erc20Abi } as const
    const { quoteMarket: quoteMarketAddress } = deployment
    const [decimals, symbol, allowance] = await guarded(() =>
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
