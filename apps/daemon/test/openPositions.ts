import { interestRatePoolAbi } from '@firmquote/core'
import { type Devnet, testTokenAbi } from '@firmquote/devnet'
import { type Address, encodeFunctionData, type Hex, parseAbi, toHex } from 'viem'

/** Terms of one position. */
export type OpenedPosition = { maker: Address; borrower: Address; notional?: bigint }

/**
 * Opens positions in a single block by impersonating the quote market. Real quotes would require a key, an allowance
 * and funds for each maker.
 *
 * @returns the block's timestamp.
 */
export async function openPositions(
  { testClient, publicClient, contracts, deployer, walletClient }: Devnet,
  market: { poolId: Hex; seriesKey: Hex; loanToken: Address },
  positions: readonly OpenedPosition[],
): Promise<bigint> {
  const { poolId, seriesKey, loanToken } = market
  const { quoteMarket, interestRatePool } = contracts
  const cost = 1_000_000n
  const total = positions.reduce((sum, { notional = usual }) => sum + notional + cost, 0n)
  const mint = { address: loanToken, abi: testTokenAbi, functionName: 'mint', args: [interestRatePool, total] } as const
  await publicClient.waitForTransactionReceipt({ hash: await walletClient(deployer).writeContract(mint) })
  await testClient.setBalance({ address: quoteMarket, value: 10n ** 21n })
  await testClient.impersonateAccount({ address: quoteMarket })
  await testClient.setAutomine(false)
  for (const { maker, borrower, notional = usual } of positions) {
    const args = [maker, borrower, poolId, seriesKey, notional, cost] as const
    const data = encodeFunctionData({ abi: openAbi, functionName: 'openPosition', args })
    const transaction = { from: quoteMarket, to: interestRatePool, data, gas: toHex(600_000) }
    await testClient.request({ method: 'eth_sendTransaction' as never, params: [transaction] as never })
  }
  while ((await testClient.getTxpoolStatus()).pending > 0) await testClient.mine({ blocks: 1 })
  await testClient.setAutomine(true)
  await testClient.stopImpersonatingAccount({ address: quoteMarket })
  return (await publicClient.getBlock()).timestamp
}

const usual = 5_000_000_000n

const openAbi = parseAbi([
  'function openPosition(address maker, address borrower, bytes32 poolId, bytes32 seriesKey, uint256 notional, uint256 cost) returns (uint256 positionId)',
])

/** Returns the ids of the contract's unsettled positions. */
export async function unsettledIds({ publicClient, contracts }: Devnet, upTo: number): Promise<bigint[]> {
  const pool = { address: contracts.interestRatePool, abi: interestRatePoolAbi, functionName: 'positions' } as const
  const ids = Array.from({ length: upTo }, (_, at) => BigInt(at + 1))
  const all = await Promise.all(ids.map((id) => publicClient.readContract({ ...pool, args: [id] })))
  return ids.filter((_, at) => all[at]?.[3] === false)
}
