import { type Address, createTestClient, encodeFunctionData, http, parseEther } from 'viem'
import { deployer } from './devnetAccounts.ts'
import { devnetAddresses } from './devnetAddresses.ts'
import { DevnetError } from './devnetError.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { sendTransactions } from './sendTransactions.ts'

const coins = parseEther('10')
/** Amount to mint. The loan token has 6 decimals. */
const tokens = 1_000_000n * 10n ** 6n

/**
 * Sets an account's balance on a running devnet to 10 ether and mints 1,000,000 tUSD to it, as a maker's initial funds.
 *
 * @throws {DevnetError} `FUNDING_FAILED` if there is no devnet at the URL. In this case, nothing was sent.
 */
export async function fundAccount(rpcUrl: string, address: Address): Promise<void> {
  const chain = createTestClient({ mode: 'anvil', transport: http(rpcUrl, { retryCount: 0 }) })
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [address, tokens] })
  try {
    // Only anvil supports `setBalance`, so on any other chain this fails before the transaction below is sent.
    await chain.setBalance({ address, value: coins })
    await sendTransactions(rpcUrl, [{ from: deployer.address, to: devnetAddresses.loanToken, data }])
  } catch (cause) {
    throw new DevnetError('FUNDING_FAILED', `Failed to fund ${address}: there is no devnet at ${rpcUrl}.`, { cause })
  }
}
