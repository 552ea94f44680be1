import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  zeroHash,
} from 'viem'
import { seriesCap, seriesKeyOf } from './devnetMarkets.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { settableRateAdapterAbi, settableRateAdapterBytecode } from './generated/settableRateAdapter.ts'
import type { Devnet } from './startDevnet.ts'

/** A test pool with one series and a settable index. */
export type TestPool = {
  readonly poolId: Hex
  readonly seriesKey: Hex
  /** Unix seconds. */
  readonly expiry: bigint
  readonly adapter: Address
  /** Sets the index, in RAY. The initial index is 1. */
  setIndex(index: bigint): Promise<void>
}

/** Deploys a contract from the deployer's account. */
export async function deployContract(
  { walletClient, publicClient, deployer }: Devnet,
  contract: { abi: Abi; bytecode: Hex; args?: readonly unknown[] },
): Promise<Address> {
  const hash = await walletClient(deployer).deployContract(contract)
  const { contractAddress } = await publicClient.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error(`Transaction ${hash} did not deploy a contract.`)
  return getAddress(contractAddress)
}

/** Creates a pool for `loanToken` with one series that expires `term` seconds after the latest block. */
export async function createTestPool(devnet: Devnet, loanToken: Address, term = 1_000n): Promise<TestPool> {
  const { publicClient, walletClient, deployer, contracts } = devnet
  const adapter = await deployContract(devnet, { abi: settableRateAdapterAbi, bytecode: settableRateAdapterBytecode })
  const poolId = keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'bytes32' }],
      [loanToken, adapter, zeroHash],
    ),
  )
  const send = async (to: Address, data: Hex) => {
    const hash = await walletClient(deployer).sendTransaction({ to, data })
    const { status } = await publicClient.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`Transaction ${hash} reverted.`)
  }
  const pool = { abi: interestRatePoolAbi } as const
  await send(
    contracts.interestRatePool,
    encodeFunctionData({ ...pool, functionName: 'createPool', args: [loanToken, adapter, zeroHash] }),
  )
  const expiry = (await publicClient.getBlock()).timestamp + term
  await send(
    contracts.interestRatePool,
    encodeFunctionData({ ...pool, functionName: 'createSeries', args: [poolId, expiry, seriesCap] }),
  )
  return {
    poolId,
    seriesKey: seriesKeyOf(poolId, Number(expiry)),
    expiry,
    adapter,
    setIndex: (index) =>
      send(adapter, encodeFunctionData({ abi: settableRateAdapterAbi, functionName: 'setIndex', args: [index] })),
  }
}
