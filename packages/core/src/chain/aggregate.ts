// Why: docs/decisions/0020-batched-chain-reads.md
import { type Address, type Client, type Hex, numberToHex, BaseError as ViemError } from 'viem'

/** Multicall3's address, the same on every chain that has it. */
export const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** A reading of one contract, encoded. */
export type Call = { address: Address; data: Hex }

/** Readings that go to the node in one request, by what they ask: what is asked for twice is read once. */
export type Calls = ReadonlyMap<string, Call>

/** What came of readings, encoded, by the same keys. */
export type Answers = ReadonlyMap<string, Hex>

/** Adds a reading and gives the key of its answer. */
export function addCall(calls: Map<string, Call>, call: Call): string {
  const key = call.address + call.data
  if (!calls.has(key)) calls.set(key, call)
  return key
}

/** Readings in one request. */
const callsAtOnce = 500

/** Readings that may be many, as parts that each fit into one request. */
export function partsOf(calls: Calls): Calls[] {
  const all = [...calls]
  const parts: Calls[] = []
  for (let start = 0; start < all.length; start += callsAtOnce) {
    parts.push(new Map(all.slice(start, start + callsAtOnce)))
  }
  return parts
}

/** One request for all of these, at a block or at the latest. Any reading that fails fails all. */
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

/** The words of an answer that has so many of them, as hex digits. */
export function wordsOf(answer: Hex | undefined, count: number): string[] {
  if (answer?.length !== 2 + count * wordDigits) throw unreadable()
  return Array.from({ length: count }, (_, index) => digitsAt(answer, index))
}

/** An answer of one number. */
export function amountOf(answer: Hex | undefined): bigint {
  if (answer?.length !== 2 + wordDigits) throw unreadable()
  return BigInt(answer)
}

/** One word of an encoding: lower-case digits of hex, to the right. */
export function wordOf(hex: Hex): string {
  return hex.slice(2).toLowerCase().padStart(wordDigits, '0')
}

// Multicall3's `aggregate3((address target, bool allowFailure, bytes callData)[])`, which gives
// `(bool success, bytes returnData)[]`. viem's general encoder takes twenty times as long for a hundred calls.

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
    tuples += `${wordOf(address)}${mayNotFail}${callOffset}${uintWord(bytes)}${data.slice(2).padEnd(padded * 2, '0')}`
    offset += 4 * 32 + padded
  }
  return `${aggregate3}${uintWord(32)}${uintWord(calls.length)}${offsets}${tuples}`
}

function decodeAggregate(answer: Hex, count: number): Hex[] {
  // Offsets are counted from behind the array's length.
  const start = 2
  if (uintAt(answer, 0) !== 32 || uintAt(answer, 1) !== count) throw unreadable()
  return Array.from({ length: count }, (_, index): Hex => {
    const tuple = start + uintAt(answer, start + index) / 32
    if (uintAt(answer, tuple) !== 1 || uintAt(answer, tuple + 1) !== 64) throw unreadable()
    const digits = uintAt(answer, tuple + 2) * 2
    const from = 2 + (tuple + 3) * wordDigits
    if (from + digits > answer.length) throw unreadable()
    return `0x${answer.slice(from, from + digits)}`
  })
}

function digitsAt(answer: Hex, index: number): string {
  return answer.slice(2 + index * wordDigits, 2 + (index + 1) * wordDigits)
}

/** A length, an offset or a flag: larger than any answer, it is none. */
function uintAt(answer: Hex, index: number): number {
  const value = Number.parseInt(digitsAt(answer, index), 16)
  if (!(value < answer.length)) throw unreadable()
  return value
}

function uintWord(value: number): string {
  return value.toString(16).padStart(wordDigits, '0')
}

const mayNotFail = uintWord(0)
const callOffset = uintWord(3 * 32)

/** One of viem's own, like everything that a node's answer can come to. */
function unreadable(): ViemError {
  return new ViemError('The answer of the node could not be understood.')
}
