import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { type Address, type Hex, toHex } from 'viem'
import { receiptVerifierAbi, receiptVerifierBytecode } from '../test/testContracts.ts'
import { devnet, useDevnet } from '../test/testDevnet.ts'
import { deployContract } from './createTestPool.ts'

// A contract verifies the receipts of docs/protocol.md's test vectors, without any code of packages/verify.

type Receipt = {
  log: string
  mergeBy: number
  signature: Hex
  index: number
  path: string[]
  salt: string
  leaf: string
}

const { keys, log, receipts, mutations } = JSON.parse(
  readFileSync(new URL('../../../docs/vectors/proofs.json', import.meta.url), 'utf8'),
) as {
  keys: { receipts: { address: Address } }
  log: { origin: string }
  receipts: { batchRoot: Hex; digest: Hex; receipt: Receipt }[]
  mutations: { of: string; what: string; input: Receipt }[]
}
const hexOf = (base64: string): Hex => toHex(Buffer.from(base64, 'base64'))

useDevnet()

let contract: { address: Address; abi: typeof receiptVerifierAbi }
beforeAll(async () => {
  const address = await deployContract(devnet, { abi: receiptVerifierAbi, bytecode: receiptVerifierBytecode })
  contract = { address, abi: receiptVerifierAbi }
})

const argumentOf = (receipt: Receipt) => ({
  ...{ log: receipt.log, mergeBy: BigInt(receipt.mergeBy), signature: receipt.signature },
  ...{ index: BigInt(receipt.index), path: receipt.path.map(hexOf) },
  ...{ salt: hexOf(receipt.salt), leaf: hexOf(receipt.leaf) },
})
const signerOf = (receipt: Receipt) =>
  devnet.publicClient.readContract({ ...contract, functionName: 'signerOf', args: [argumentOf(receipt)] })

it('default: a contract computes the batch, the hash and the signer of each receipt', async () => {
  expect(receipts.length).toBeGreaterThan(4)
  for (const { batchRoot, digest, receipt } of receipts) {
    const read = { ...contract, functionName: 'batchRootOf', args: [argumentOf(receipt)] } as const
    expect(await devnet.publicClient.readContract(read)).toBe(batchRoot)
    const hash = {
      ...contract,
      functionName: 'digestOf',
      args: [receipt.log, batchRoot, BigInt(receipt.mergeBy)],
    } as const
    expect(await devnet.publicClient.readContract(hash)).toBe(digest)
    expect((await signerOf(receipt)).toLowerCase()).toBe(keys.receipts.address)
  }
})

describe('error: a changed receipt', () => {
  const changed = mutations.filter(({ of }) => of === 'receipt').map(({ what, input }) => [what, input] as const)

  it.each(changed)('%s', async (_what, receipt) => {
    const signer = await signerOf(receipt).catch((error: Error) => error.message)
    // The caller compares the log, and the signer with the log's keys.
    const isAccepted = signer.toLowerCase() === keys.receipts.address && receipt.log === log.origin
    expect(isAccepted).toBe(false)
  })
})
