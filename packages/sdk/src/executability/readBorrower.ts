import { type BlockRef, interestRatePoolAbi } from '@firmquote/core'
import { multicall3Address } from '@firmquote/core/chain'
import { type Address, type Client, erc20Abi } from 'viem'
import { multicall } from 'viem/actions'
import { ChainUnavailableError } from '../coreErrors.ts'
import type { BorrowerState } from './judgeExecutability.ts'

/**
 * Reads a borrower's balance, allowance and operator permission at one block.
 *
 * @throws {ChainUnavailableError} if a read fails.
 */
export async function readBorrower(
  client: Client,
  {
    block,
    borrower,
    quoteMarket,
    interestRatePool,
    loanToken,
  }: { block: BlockRef; borrower: Address; quoteMarket: Address; interestRatePool: Address; loanToken: Address | null },
): Promise<BorrowerState> {
  const permission = {
    address: interestRatePool,
    abi: interestRatePoolAbi,
    functionName: 'isOperator',
    args: [borrower, quoteMarket],
  } as const
  const at = { blockNumber: block.number, multicallAddress: multicall3Address, allowFailure: false } as const
  try {
    if (loanToken === null) {
      const [isOperator] = await multicall(client, { ...at, contracts: [permission] })
      return { balance: 0n, allowance: 0n, isOperator }
    }
    const token = { address: loanToken, abi: erc20Abi } as const
    const [isOperator, balance, allowance] = await multicall(client, {
      ...at,
      contracts: [
        permission,
        { ...token, functionName: 'balanceOf', args: [borrower] },
        { ...token, functionName: 'allowance', args: [borrower, quoteMarket] },
      ],
    })
    return { balance, allowance, isOperator }
  } catch (cause) {
    throw new ChainUnavailableError("Failed to read the borrower's state.", { cause })
  }
}
