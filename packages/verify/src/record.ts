import { bytesToHex, hexToBytes } from 'viem'
import { concat, utf8 } from './bytes.ts'
import { ProofError } from './proofError.ts'

/**
 * The types of a record's fields: big-endian unsigned integers of 1, 2, 4, 8 and 32 bytes (the last two are bigints),
 * bytes as lower-case hex, ASCII text of up to 255 bytes after its length, and a list of `u32` after its length as `u16`.
 */
type FieldValues = {
  u8: number
  u16: number
  u32: number
  u64: bigint
  u256: bigint
  bytes16: `0x${string}`
  bytes20: `0x${string}`
  bytes32: `0x${string}`
  text: string
  u32s: readonly number[]
}
type FieldType = keyof FieldValues

/** A record's fields in their order. */
export type Layout = Readonly<Record<string, FieldType>>
/** The value that a layout describes. */
export type RecordOf<L extends Layout> = { -readonly [Name in keyof L]: FieldValues[L[Name]] }

const sizes: Partial<Record<FieldType, number>> = {
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  u256: 32,
  bytes16: 16,
  bytes20: 20,
  bytes32: 32,
}

/**
 * Encodes a record: a byte that identifies its kind, then its fields. Every value has exactly one encoding.
 *
 * @throws {ProofError} if a value does not fit its field.
 */
export function encodeRecord<L extends Layout>(kind: number, layout: L, record: RecordOf<L>): Uint8Array {
  const fields = Object.entries(layout).map(([name, type]) => encodeField(name, type, record[name]))
  return concat(Uint8Array.of(kind), ...fields)
}

/**
 * Decodes a record.
 *
 * @throws {ProofError} if the bytes are not the encoding of a record of this kind.
 */
export function decodeRecord<L extends Layout>(kind: number, layout: L, bytes: Uint8Array): RecordOf<L> {
  if (bytes[0] !== kind) throw new ProofError(`The record is of kind ${bytes[0] ?? 'none'}, not ${kind}.`)
  let at = 1
  const take = (size: number): Uint8Array => {
    if (at + size > bytes.length) throw new ProofError('The record is too short.')
    at += size
    return bytes.subarray(at - size, at)
  }
  const record: Record<string, unknown> = {}
  for (const [name, type] of Object.entries(layout)) record[name] = decodeField(name, type, take)
  if (at !== bytes.length) throw new ProofError('The record is too long.')
  return record as RecordOf<L>
}

function encodeField(name: string, type: FieldType, value: unknown): Uint8Array {
  const size = sizes[type]
  if (type === 'text') {
    const text = String(value)
    if (!/^[\x20-\x7e]{0,255}$/.test(text))
      throw new ProofError(`The field ${name} is not ASCII text of at most 255 characters.`)
    return concat(Uint8Array.of(text.length), utf8(text))
  }
  if (type === 'u32s') {
    const list = value as readonly number[]
    return concat(encodeInteger(name, list.length, 2), ...list.map((item) => encodeInteger(name, item, 4)))
  }
  if (size === undefined) throw new TypeError(`${name} has an unknown type.`)
  if (type.startsWith('u')) return encodeInteger(name, value as number | bigint, size)
  if (!new RegExp(`^0x[0-9a-f]{${2 * size}}$`).test(String(value)))
    throw new ProofError(`The field ${name} is not ${size} bytes.`)
  return hexToBytes(value as `0x${string}`)
}

function encodeInteger(name: string, value: number | bigint, size: number): Uint8Array {
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value)
  if (!isInteger || value < 0 || BigInt(value) >= 1n << BigInt(8 * size)) {
    throw new ProofError(`The field ${name} is not an unsigned integer of ${size} bytes.`)
  }
  return hexToBytes(`0x${value.toString(16).padStart(2 * size, '0')}`)
}

function decodeField(name: string, type: FieldType, take: (size: number) => Uint8Array): unknown {
  const integer = (size: number) => BigInt(bytesToHex(take(size)))
  if (type === 'text') {
    const text = String.fromCharCode(...take(Number(integer(1))))
    if (/[^\x20-\x7e]/.test(text)) throw new ProofError(`The field ${name} is not ASCII text.`)
    return text
  }
  if (type === 'u32s') return Array.from({ length: Number(integer(2)) }, () => Number(integer(4)))
  const size = sizes[type] ?? 0
  if (type.startsWith('bytes')) return bytesToHex(take(size))
  return size >= 8 ? integer(size) : Number(integer(size))
}
