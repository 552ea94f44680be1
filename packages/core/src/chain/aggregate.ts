import { type Address, type Client, type Hex, numberToHex, BaseError as ViemError } from 'viem'

/** Multicall3's address, the same on every chain that has it. */
export const multicall3Address: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** A reading of one contract, encoded. */
export type Call = { address: Address; data: Hex }

/** Readings that go to the node in one request. */
export type CallList = {
  /** Adds a reading and gives its place among the answers. What has been asked for before is asked once. */
  add(call: Call): number
  /**
   * One request for everything that was added, at a block or at the latest; the answers are encoded. Any reading that
   * fails fails all.
   */
  read(client: Client, blockNumber?: bigint): Promise<Hex[]>
}

/** Creates an empty list. */
export function createCallList(): CallList {
  const calls: Call[] = []
  const places = new Map<string, number>()
  return {
    add(call) {
      const key = call.address + call.data
      const known = places.get(key)
      if (known !== undefined) return known
      const place = calls.push(call) - 1
      places.set(key, place)
      return place
    },
    async read(client, blockNumber) {
      if (calls.length === 0) return []
      const answer = await client.request({
        method: 'eth_call',
        params: [
          { to: multicall3Address, data: encodeAggregate(calls) },
          blockNumber === undefined ? 'latest' : numberToHex(blockNumber),
        ],
      })
      return decodeAggregate(answer, calls.length)
    },
  }
}

/** The words of an answer that has so many of them, as hex digits. */
export function wordsOf(answer: Hex | undefined, count: number): string[] {
  if (answer?.length !== 2 + count * wordDigits) throw unreadable()
  return Array.from({ length: count }, (_, index) => digitsAt(answer, index))
}

/** An answer of one number. */
export function amountOf(answer: Hex | undefined): bigint {
  return BigInt(`0x${wordsOf(answer, 1)[0]}`)
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
