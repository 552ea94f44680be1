import type { Hex } from 'viem'
import { ChainUnavailableError } from '../errors.ts'
import { type Answers, amountOf, type Call, multicall3Address } from './aggregate.ts'

const number = fact('0x42cbb15c')
const timestamp = fact('0x0f28c97d')
const parentHash = fact('0x27e86d6e')
/** Multicall3's `getBlockNumber()`, `getCurrentBlockTimestamp()` and `getLastBlockHash()`. */
export const blockFacts = [number, timestamp, parentHash]

function fact(data: Hex): [key: string, call: Call] {
  return [data, { address: multicall3Address, data }]
}

/** Whether calls with {@link blockFacts} among them were made at a block. */
export function wasReadAt(block: { number: bigint; timestamp: bigint; parentHash: Hex }, answers: Answers): boolean {
  return (
    amountOf(answers.get(number[0])) === block.number &&
    amountOf(answers.get(timestamp[0])) === block.timestamp &&
    amountOf(answers.get(parentHash[0])) === BigInt(block.parentHash)
  )
}

/** How often a node is asked that answers for another block. */
const mostTries = 3

/**
 * What `read` gives unless that is null, for answers of another block. A node that gets a new block while it answers may read that
 * one, and of several nodes one may be on another branch: it is asked again.
 *
 * @throws {ChainUnavailableError} after three answers of another block.
 */
export async function readUntilAt<T>(number: bigint, read: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const answers = await read()
    if (answers !== null) return answers
  }
  throw new ChainUnavailableError(`The node has another block ${number}.`)
}
