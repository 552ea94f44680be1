import { type Hex, keccak256, maxUint256, numberToHex, stringToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Devnet } from '../src/startDevnet.ts'

/** Creates accounts that are the same in every run. */
export function createMakers(count: number): { address: Hex; privateKey: Hex }[] {
  return Array.from({ length: count }, (_, index) => {
    const privateKey = keccak256(stringToHex(`firmquote maker ${index}`))
    return { address: privateKeyToAddress(privateKey), privateKey }
  })
}

/** Funds every maker with loan tokens and an allowance for the quote market, using the node's test methods. */
export async function fundMakers(
  { testClient, contracts }: Pick<Devnet, 'testClient' | 'contracts'>,
  makers: readonly { address: Hex }[],
): Promise<void> {
  const { loanToken, quoteMarket } = contracts
  const request = (method: string, params: readonly unknown[]) => testClient.request({ method, params } as never)
  for (const { address } of makers) {
    await request('anvil_dealERC20', [address, loanToken, numberToHex(10n ** 15n)])
    await request('anvil_setERC20Allowance', [address, quoteMarket, loanToken, numberToHex(maxUint256)])
  }
  await testClient.mine({ blocks: 1 })
}
