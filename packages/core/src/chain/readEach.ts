import { type Client, type Hex, multicall3Abi } from 'viem'
import { readContract } from 'viem/actions'
import type { BlockRef } from '../quote/judgeState.ts'
import { type Call, multicall3Address } from './aggregate.ts'
import { blockFacts, type ExpectedBlock, readUntilAt, wasReadAt } from './blockFacts.ts'

/**
 * Sends calls that may fail independently, in one request. Returns the encoded results in order, or null for each call
 * that reverted. Throws if the node does not respond.
 */
export async function readEach(
  client: Client,
  calls: readonly Call[],
  block: Pick<BlockRef, 'number'>,
): Promise<(Hex | null)[]> {
  if (calls.length === 0) return []
  const answers = await readContract(client, {
    address: multicall3Address,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map(({ address, data }) => ({ target: address, allowFailure: true, callData: data }))],
    blockNumber: block.number,
  })
  return answers.map(({ success, returnData }) => (success ? returnData : null))
}

/**
 * Like {@link readEach}, at exactly this block.
 *
 * @throws {ChainUnavailableError} if the node has a different block at this height.
 */
export function readEachAt(client: Client, calls: readonly Call[], block: ExpectedBlock): Promise<(Hex | null)[]> {
  const facts = blockFacts.map(([, call]) => call)
  return readUntilAt(block.number, async () => {
    const answers = await readEach(client, [...facts, ...calls], block)
    const read = new Map(blockFacts.flatMap(([key], index) => (answers[index] ? [[key, answers[index]] as const] : [])))
    return wasReadAt(block, read) ? answers.slice(facts.length) : null
  })
}

/** Decodes a contract's result. Returns null if the result does not have the expected form. */
export function decodedOrNull<T>(answer: Hex | null | undefined, decode: (answer: Hex) => T): T | null {
  if (!answer) return null
  try {
    return decode(answer)
  } catch {
    return null
  }
}
