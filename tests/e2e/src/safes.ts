import { createRequire } from 'node:module'
import type { Devnet, DevnetAccount } from '@firmquote/devnet'
import {
  type Abi,
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseAbi,
  parseAbiParameters,
  parseEventLogs,
  zeroAddress,
  zeroHash,
} from 'viem'

const require = createRequire(import.meta.url)

type Artifact = { abi: Abi; bytecode: Hex }

/** Safe 1.5.0's contracts, as compiled and published by Safe. */
export const safeArtifacts = {
  singleton: require('@safe-global/safe-smart-account/build/artifacts/contracts/Safe.sol/Safe.json') as Artifact,
  proxyFactory:
    require('@safe-global/safe-smart-account/build/artifacts/contracts/proxies/SafeProxyFactory.sol/SafeProxyFactory.json') as Artifact,
  fallbackHandler:
    require('@safe-global/safe-smart-account/build/artifacts/contracts/handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json') as Artifact,
}

export const safeAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool success)',
  'function nonce() view returns (uint256)',
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
  'function isValidSignature(bytes32 dataHash, bytes signature) view returns (bytes4)',
])

const proxyFactoryAbi = parseAbi([
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address proxy)',
  'event ProxyCreation(address indexed proxy, address singleton)',
])

/** Creates Safes on a devnet and executes their transactions. */
export type Safes = Awaited<ReturnType<typeof deploySafes>>

/** Deploys the contracts that all Safes on a chain share. `relayer` pays for gas. */
export async function deploySafes(devnet: Devnet, relayer: DevnetAccount) {
  const wallet = devnet.walletClient(relayer)
  const wait = async (hash: Hex) => {
    const receipt = await devnet.publicClient.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new RangeError("A test's transaction reverted.")
    return receipt
  }
  const deploy = async (artifact: Artifact): Promise<Address> => {
    const { contractAddress } = await wait(await wallet.deployContract({ ...artifact, args: [] }))
    if (!contractAddress) throw new RangeError('The transaction created no contract.')
    return contractAddress
  }
  const singleton = await deploy(safeArtifacts.singleton)
  const proxyFactory = await deploy(safeArtifacts.proxyFactory)
  const fallbackHandler = await deploy(safeArtifacts.fallbackHandler)
  let created = 0n

  return {
    async create(owners: readonly LocalAccount[], threshold: number): Promise<Address> {
      const addresses = owners.map(({ address }) => address)
      const rest = [zeroAddress, '0x', fallbackHandler, zeroAddress, 0n, zeroAddress] as const
      const args = [addresses, BigInt(threshold), ...rest] as const
      const initializer = encodeFunctionData({ abi: safeAbi, functionName: 'setup', args })
      const call = { address: proxyFactory, abi: proxyFactoryAbi, functionName: 'createProxyWithNonce' } as const
      created += 1n
      const { logs } = await wait(await wallet.writeContract({ ...call, args: [singleton, initializer, created] }))
      const [event] = parseEventLogs({ abi: proxyFactoryAbi, eventName: 'ProxyCreation', logs })
      if (!event) throw new RangeError('The transaction created no Safe.')
      return event.args.proxy
    },

    /** Executes a Safe's transaction signed by `signers`. */
    async execute(safe: Address, { to, data }: { to: Address; data: Hex }, signers: readonly LocalAccount[]) {
      const nonce = await devnet.publicClient.readContract({ address: safe, abi: safeAbi, functionName: 'nonce' })
      const unpaid = { safeTxGas: 0n, baseGas: 0n, gasPrice: 0n, gasToken: zeroAddress, refundReceiver: zeroAddress }
      const signatures = await signByOwners(signers, (owner) =>
        owner.signTypedData({
          domain: { chainId: devnet.chainId, verifyingContract: safe },
          types: safeTransactionTypes,
          primaryType: 'SafeTx',
          message: { to, value: 0n, data, operation: 0, ...unpaid, nonce },
        }),
      )
      const args = [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signatures] as const
      return wait(await wallet.writeContract({ address: safe, abi: safeAbi, functionName: 'execTransaction', args }))
    },
  }
}

/** Creates a function that signs EIP-712 digests for the Safe at `safe`, for use with `BackerSigner.setContract`. */
export function signAsSafe(safe: Address, { chainId, owners }: { chainId: number; owners: readonly LocalAccount[] }) {
  return (digest: Hex): Promise<Hex> =>
    signByOwners(owners, (owner) =>
      owner.signTypedData({
        domain: { chainId, verifyingContract: safe },
        types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
        primaryType: 'SafeMessage',
        message: { message: digest },
      }),
    )
}

/** Combines the owners' signatures in address order, as a Safe requires. */
async function signByOwners(
  owners: readonly LocalAccount[],
  sign: (owner: LocalAccount) => Promise<Hex>,
): Promise<Hex> {
  const ordered = [...owners].sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  return concat(await Promise.all(ordered.map(sign)))
}

/**
 * Inputs to the address of a contract deployed by Safe's deployer. The same bytecode has the same address on every
 * chain.
 */
export const safeDeployment = { from: '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7', salt: zeroHash } as const

const safeTransactionTypes = {
  SafeTx: parseAbiParameters(
    'address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce',
  ),
}
