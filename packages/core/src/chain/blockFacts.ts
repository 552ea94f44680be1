import type { Hex } from 'viem'
import { ChainUnavailableError } from '../errors.ts'
import { type Answers, type Call, decodeUint, multicall3Address } from './aggregate.ts'

const number = fact('0x42cbb15c')
const timestamp = fact('0x0f28c97d')
const parentHash = fact('0x27e86d6e')
/** Multicall3's `getBlockNumber()`, `getCurrentBlockTimestamp()` and `getLastBlockHash()`. */
export const blockFacts = [number, timestamp, parentHash]

function fact(data: Hex): [key: string, call: Call] {
  return [data, { address: multicall3Address, data }]
}

/** What {@link wasReadAt} compares of a block. */
export type ExpectedBlock = {
  number: bigint
  parentHash: Hex
  /** Unix seconds. If absent, any time is accepted. */
  timestamp?: bigint
}

/** Returns whether calls that include {@link blockFacts} were executed at the given block. */
export function wasReadAt(block: ExpectedBlock, answers: Answers): boolean {
  return (
    decodeUint(answers.get(number[0])) === block.number &&
    (block.timestamp === undefined || decodeUint(answers.get(timestamp[0])) === block.timestamp) &&
    decodeUint(answers.get(parentHash[0])) === BigInt(block.parentHash)
  )
}

/** Maximum number of attempts if the node responds for another block. */
const maxTries = 3

/**
 * Calls `read` until it returns a value. `read` returns null if the response is for another block, because the node
 * imported a block during the call or a load balancer chose a node on another fork.
 *
 * @throws {ChainUnavailableError} if three responses were for another block.
 */
export async function readUntilAt<T>(number: bigint, read: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const answers = await read()
    if (answers !== null) return answers
  }
  throw new ChainUnavailableError(`The node has a different block ${number}.`)
}
