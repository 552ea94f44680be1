// Why: docs/decisions/0020-batched-chain-reads.md
import { type Address, type Client, type Hex, numberToHex, BaseError as ViemError } from 'viem'

/** Multicall3's address, the same on every chain. */
export const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** An encoded call to a contract. */
export type Call = { address: Address; data: Hex }

/** The calls in one request, keyed by content so that duplicates are sent only once. */
export type Calls = ReadonlyMap<string, Call>

/** The encoded results of the calls, under the same keys as the calls. */
export type Answers = ReadonlyMap<string, Hex>

/** Adds a call and returns the key of its result. */
export function addCall(calls: Map<string, Call>, call: Call): string {
  const key = call.address + call.data
  if (!calls.has(key)) calls.set(key, call)
  return key
}

/** Maximum number of calls per request. */
const maxCallsPerRequest = 500

/** Splits calls into chunks that each fit into one request. */
export function chunkCalls(calls: Calls): Calls[] {
  const all = [...calls]
  const parts: Calls[] = []
  for (let start = 0; start < all.length; start += maxCallsPerRequest) {
    parts.push(new Map(all.slice(start, start + maxCallsPerRequest)))
  }
  return parts
}

/**
 * Executes all calls in one request, at the given block (default: the latest). If one call fails, the whole request
 * fails.
 */
export async function readCalls(client: Client, calls: Calls, blockNumber?: bigint): Promise<Map<string, Hex>> {
  if (calls.size === 0) return new Map()
  const answer = await client.request({
    method: 'eth_call',
    params: [
      { to: multicall3Address, data: encodeAggregate([...calls.values()]) },
      blockNumber === undefined ? 'latest' : numberToHex(blockNumber),
    ],
  })
  const answers = decodeAggregate(answer, calls.size)
  return new Map([...calls.keys()].map((key, index) => [key, answers[index] ?? '0x']))
}

/** Splits a result of exactly `count` words into words of hex digits. */
export function decodeWords(answer: Hex | undefined, count: number): string[] {
  if (answer?.length !== 2 + count * wordDigits) throw unreadable()
  return Array.from({ length: count }, (_, index) => digitsAt(answer, index))
}

/** Decodes a result that is a single number. */
export function decodeUint(answer: Hex | undefined): bigint {
  if (answer?.length !== 2 + wordDigits) throw unreadable()
  return BigInt(answer)
}

/** Left-pads hex to one ABI word of lower-case digits. */
export function encodeWord(hex: Hex): string {
  return hex.slice(2).toLowerCase().padStart(wordDigits, '0')
}

// Multicall3's `aggregate3((address target, bool allowFailure, bytes callData)[])`, which returns `(bool success, bytes
// returnData)[]`. For a hundred calls, viem's general encoder is twenty times slower.

const aggregate3 = '0x82ad56cb'
const wordDigits = 64

function encodeAggregate(calls: readonly Call[]): Hex {
  let offset = calls.length * 32
  let offsets = ''
  let tuples = ''
  for (const { address, data } of calls) {
    const bytes = data.length / 2 - 1
    const padded = Math.ceil(bytes / 32) * 32
    offsets += uintWord(offset)
    tuples += `${encodeWord(address)}${mayNotFail}${callOffset}${uintWord(bytes)}${data.slice(2).padEnd(padded * 2, '0')}`
    offset += 4 * 32 + padded
  }
  return `${aggregate3}${uintWord(32)}${uintWord(calls.length)}${offsets}${tuples}`
}

function decodeAggregate(answer: Hex, count: number): Hex[] {
  // Offsets are relative to the end of the array's length.
  const start = 2
  if (readUint(answer, 0) !== 32 || readUint(answer, 1) !== count) throw unreadable()
  return Array.from({ length: count }, (_, index): Hex => {
    const tuple = start + readUint(answer, start + index) / 32
    if (readUint(answer, tuple) !== 1 || readUint(answer, tuple + 1) !== 64) throw unreadable()
    const digits = readUint(answer, tuple + 2) * 2
    const from = 2 + (tuple + 3) * wordDigits
    if (from + digits > answer.length) throw unreadable()
    return `0x${answer.slice(from, from + digits)}`
  })
}

function digitsAt(answer: Hex, index: number): string {
  return answer.slice(2 + index * wordDigits, 2 + (index + 1) * wordDigits)
}

/** Reads a length, an offset or a flag. Rejects values that exceed the result's length. */
function readUint(answer: Hex, index: number): number {
  const value = Number.parseInt(digitsAt(answer, index), 16)
  if (!(value < answer.length)) throw unreadable()
  return value
}

function uintWord(value: number): string {
  return value.toString(16).padStart(wordDigits, '0')
}

const mayNotFail = uintWord(0)
const callOffset = uintWord(3 * 32)

/** Creates a viem error, so that the failure looks like any other node failure. */
function unreadable(): ViemError {
  return new ViemError('The node returned a malformed answer.')
}
