import { ChainUnavailableError } from '@firmquote/core'
import { type Client, encodeFunctionData, numberToHex, parseAbi } from 'viem'
import type { ContractSignatureRequest } from '../../ports/chain.ts'
import { OverloadedError } from '../../ports/errors.ts'
import { rpcFailureKind } from './rpcFailure.ts'

const abi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])
/** `isValidSignature`'s selector, padded to a word: what a contract answers when it takes the signature. */
const accepted = `0x1626ba7e${'0'.repeat(56)}`

/** What one check may use up, so that a contract cannot keep the node or a request busy. */
const gas = numberToHex(500_000)
const limitMs = 2_000
/** Checks under way at the same time. */
const mostRunning = 16

/**
 * Creates the check of signatures by contracts (ERC-1271), each in a call of its own. An account without code, and a contract
 * that reverts or runs out of gas, does not take the signature.
 */
export function createContractSignatures(client: Client): (request: ContractSignatureRequest) => Promise<boolean> {
  let running = 0
  return async ({ account, digest, signature }) => {
    if (running >= mostRunning) throw new OverloadedError()
    running += 1
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      const data = encodeFunctionData({ abi, functionName: 'isValidSignature', args: [digest, signature] })
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new ChainUnavailableError('A contract did not answer in time.')), limitMs)
      })
      const call = client.request({ method: 'eth_call', params: [{ to: account, data, gas }, 'latest'] })
      return (await Promise.race([call, late])) === accepted
    } catch (error) {
      if (error instanceof ChainUnavailableError || rpcFailureKind(error) === 'silent') throw error
      return false
    } finally {
      clearTimeout(timer)
      running -= 1
    }
  }
}
