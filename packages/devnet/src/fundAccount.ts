import { type Address, createTestClient, encodeFunctionData, http, parseEther } from 'viem'
import { deployer } from './devnetAccounts.ts'
import { devnetAddresses } from './devnetAddresses.ts'
import { DevnetError } from './devnetError.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { sendTransactions } from './sendTransactions.ts'

const coins = parseEther('10')
/** Of the loan token, which has 6 decimals. */
const tokens = 1_000_000n * 10n ** 6n

/**
 * Gives an account on a running devnet what a maker starts with: 10 ether, and 1,000,000 tUSD more than it has.
 *
 * @throws {DevnetError} `FUNDING_FAILED` when there is no devnet at the address; nothing was sent then.
 */
export async function fundAccount(rpcUrl: string, address: Address): Promise<void> {
  const chain = createTestClient({ mode: 'anvil', transport: http(rpcUrl, { retryCount: 0 }) })
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [address, tokens] })
  try {
    // Only anvil knows this call, so no other chain ever gets the transaction.
    await chain.setBalance({ address, value: coins })
    await sendTransactions(rpcUrl, [{ from: deployer.address, to: devnetAddresses.loanToken, data }])
  } catch (cause) {
    throw new DevnetError('FUNDING_FAILED', `There is no devnet at ${rpcUrl} that could fund ${address}.`, { cause })
  }
}
