import type { Devnet, DevnetAccount } from '@firmquote/devnet'
import {
  type Address,
  concatHex,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  getContractAddress,
  type Hex,
  maxUint256,
  numberToHex,
  padHex,
  size,
  slice,
} from 'viem'

// An attacker's contract makers, as EVM bytecode. The code is too short to need a compiler, and some of it reads values
// that only transactions or only calls have.

/** Returns code that accepts every signature, with `bytes - 32` zero bytes after the return value. */
const accept = (bytes = 32): Hex => concatHex(['0x631626ba7e60e01b5f52', push(bytes), '0x5ff3'])

/** Uses all gas above 12,000: `JUMPDEST PUSH2 12000 GAS GT PUSH0 JUMPI`. Must come first in a contract's code. */
const burn: Hex = '0x5b612ee05a115f57'

/** Code for contracts that accept every signature, by behaviour. */
export const acceptors = {
  ordinary: accept(),
  /** Uses nearly all of a check's 500,000 gas, then accepts. */
  burnsGas: concatHex([burn, accept()]),
  /** Accepts in even blocks, by jumping to 0x0c. In odd blocks, loops at 0x08 until the gas runs out. */
  burnsInOddBlocks: concatHex(['0x6001431615600c575b6008565b', accept()]),
  /** Returns as much data as 500,000 gas can pay for. */
  returnsHugeData: accept(467_200),
} as const satisfies Record<string, Hex>

/**
 * Code that tells the service's calls from transactions: it leaves 1 on the stack in calls made by
 * `core/chain/contractCalls`.
 */
export const fingerprints = {
  /** The sender has between 0.99 and 1.01 coins. A node deducts the gas from the balance that the service sets. */
  'the balance of the sender': '0x670dbd2fc137a3000032310366470de4df82000011',
  /** The tip is between 1e6 and 1e6 + 2^20 wei. */
  'the gas price': '0x483a03620f424090036210000011',
  /** Between 380,000 and 480,000 gas remain. */
  'the gas that is left': '0x6205cc605a03620186a011',
} as const satisfies Record<string, Hex>

/**
 * Deploys a maker that accepts every signature in calls with a fingerprint and in transactions from `account`, and
 * rejects all others. It lets the quote market spend all its tokens.
 */
export async function deployReadsOnlyMaker(
  { walletClient, publicClient, contracts }: Pick<Devnet, 'walletClient' | 'publicClient' | 'contracts'>,
  account: DevnetAccount,
  { fingerprint, tokens }: { fingerprint: Hex; tokens: readonly Address[] },
): Promise<Address> {
  const isOwn = concatHex(['0x3273', account.address, '0x14'])
  // After the jump, four bytes return a zero word.
  const accepting = numberToHex(size(isOwn) + size(fingerprint) + 8, { size: 1 })
  const runtime = concatHex([isOwn, fingerprint, '0x1760', accepting, '0x5760205ff35b', accept()])
  const args = [contracts.quoteMarket, maxUint256] as const
  const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  // PUSH32 and PUSH0 MSTORE write the call's data in three pieces, padded to 96 bytes.
  const pieces = [0, 32, 64].map((from) => sliceOf(approval, from))
  const stores = pieces.map((piece, index) =>
    concatHex(['0x7f', piece, '0x60', numberToHex(32 * index, { size: 1 }), '0x52']),
  )
  const calls = tokens.map((token) => concatHex(['0x5f5f60445f5f73', token, '0x5af150']))
  const data = creationOf(runtime, concatHex([...stores, ...calls]))
  const { contractAddress, status } = await publicClient.waitForTransactionReceipt({
    hash: await walletClient(account).sendTransaction({ data }),
  })
  if (status !== 'success' || !contractAddress) throw new TypeError('The contract was not deployed.')
  return getAddress(contractAddress)
}

/** Returns 32 bytes at a position, padded with zero bytes. */
function sliceOf(data: Hex, from: number): Hex {
  return padHex(slice(data, from, Math.min(from + 32, size(data))), { size: 32, dir: 'right' })
}

/** Deploys copies of a contract in one transaction. Returns their addresses and the gas used. */
export async function deployCopies(
  { walletClient, publicClient }: Pick<Devnet, 'walletClient' | 'publicClient'>,
  account: DevnetAccount,
  { runtime, count }: { runtime: Hex; count: number },
): Promise<{ addresses: Address[]; gas: bigint }> {
  const creation = creationOf(runtime)
  // Copies the code after position 25 to memory, and creates a contract from it `count` times, counting down.
  const loop: Hex[] = ['0x5b815f5ff0506001900380600a5700']
  const copying: Hex[] = ['0x61', numberToHex(size(creation), { size: 2 }), '0x8060195f39']
  const data = concatHex([...copying, '0x60', numberToHex(count, { size: 1 }), ...loop, creation])
  // Estimated gas would be too low, because the transaction succeeds even if the last contracts are not created.
  const hash = await walletClient(account).sendTransaction({ data, gas: 15_000_000n })
  const { contractAddress: from, gasUsed, status } = await publicClient.waitForTransactionReceipt({ hash })
  if (status !== 'success' || !from) throw new TypeError('The contracts were not deployed.')
  const addresses = Array.from({ length: count }, (_, index) => getContractAddress({ from, nonce: BigInt(index + 1) }))
  return { addresses, gas: gasUsed }
}

/** Returns creation code for this runtime code. */
export function creationOf(runtime: Hex, before: Hex = '0x'): Hex {
  const length = numberToHex(size(runtime), { size: 2 })
  const offset = numberToHex(size(before) + 11, { size: 2 })
  return concatHex([before, '0x61', length, '0x8061', offset, '0x5f395ff3', runtime])
}

function push(value: number): Hex {
  return concatHex(['0x62', numberToHex(value, { size: 3 })])
}
