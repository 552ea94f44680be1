import { type Devnet, type DevnetAccount, morphoAbi, testTokenAbi } from '@firmquote/devnet'
import { type Address, type Hex, maxUint256, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** Creates an account that holds only native coins. */
export async function createAccount(testClient: Pick<Devnet['testClient'], 'setBalance'>): Promise<DevnetAccount> {
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  await testClient.setBalance({ address, value: parseUnits('1', 18) })
  return { address, privateKey }
}

/** Increases an account's debt in the first pool. `amount` is in raw units of tUSD. */
export async function owe(devnet: Devnet, account: DevnetAccount, amount: bigint): Promise<void> {
  const { contracts, publicClient, deployer, pools } = devnet
  const { address } = account
  const { morpho } = contracts
  const [loanToken, collateralToken, oracle, irm, lltv] = await publicClient.readContract({
    address: morpho,
    abi: morphoAbi,
    functionName: 'idToMarketParams',
    args: [pools[0].market],
  })
  const market = { loanToken, collateralToken, oracle, irm, lltv }
  const collateral = parseUnits('2000', 18)
  const own = devnet.walletClient(account)
  const sent = async (hash: Promise<Hex>) => publicClient.waitForTransactionReceipt({ hash: await hash })
  const token = { address: collateralToken as Address, abi: testTokenAbi } as const
  await sent(
    devnet.walletClient(deployer).writeContract({ ...token, functionName: 'mint', args: [address, collateral] }),
  )
  await sent(own.writeContract({ ...token, functionName: 'approve', args: [morpho, maxUint256] }))
  const toMorpho = { address: morpho, abi: morphoAbi } as const
  await sent(
    own.writeContract({ ...toMorpho, functionName: 'supplyCollateral', args: [market, collateral, address, '0x'] }),
  )
  await sent(own.writeContract({ ...toMorpho, functionName: 'borrow', args: [market, amount, 0n, address, address] }))
}
