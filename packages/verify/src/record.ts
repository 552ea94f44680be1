import { bytesToHex } from 'viem'
import { utf8 } from './bytes.ts'
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
  const fields = Object.entries(layout)
  const bytes = new Uint8Array(fields.reduce((size, [name, type]) => size + sizeOf(type, record[name]), 1))
  bytes[0] = kind
  let at = 1
  for (const [name, type] of fields) {
    const value = record[name]
    writeField(bytes, at, { name, type, value })
    at += sizeOf(type, value)
  }
  return bytes
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

function sizeOf(type: FieldType, value: unknown): number {
  if (type === 'text') return 1 + String(value).length
  return sizes[type] ?? 2 + 4 * (value as readonly number[]).length
}

type Field = { name: string; type: FieldType; value: unknown }

function writeField(bytes: Uint8Array, at: number, { name, type, value }: Field): void {
  const size = sizes[type]
  if (type === 'text') {
    const text = String(value)
    if (!/^[\x20-\x7e]{0,255}$/.test(text))
      throw new ProofError(`The field ${name} is not ASCII text of at most 255 characters.`)
    bytes[at] = text.length
    bytes.set(utf8(text), at + 1)
  } else if (size === undefined) {
    const list = value as readonly number[]
    writeInteger(bytes, at, { name, value: list.length, size: 2 })
    for (const [index, item] of list.entries()) writeInteger(bytes, at + 2 + 4 * index, { name, value: item, size: 4 })
  } else if (type.startsWith('u')) writeInteger(bytes, at, { name, value, size })
  else if (!writeHex(bytes, at, { text: value, size })) throw new ProofError(`The field ${name} is not ${size} bytes.`)
}

function writeInteger(
  bytes: Uint8Array,
  at: number,
  { name, value, size }: { name: string; value: unknown; size: number },
): void {
  const isInteger = typeof value === 'bigint' || Number.isSafeInteger(value)
  // A negative number's minus sign is no digit.
  const text = isInteger && `0x${(value as number | bigint).toString(16).padStart(2 * size, '0')}`
  if (!writeHex(bytes, at, { text, size }))
    throw new ProofError(`The field ${name} is not an unsigned integer of ${size} bytes.`)
}

/** Writes lower-case hex after `0x`. Returns false if the text is anything else, or of another size. */
function writeHex(bytes: Uint8Array, at: number, { text, size }: { text: unknown; size: number }): boolean {
  if (typeof text !== 'string' || text.length !== 2 + 2 * size || !text.startsWith('0x')) return false
  for (let index = 0; index < size; index += 1) {
    const high = digitOf(text.charCodeAt(2 + 2 * index))
    const low = digitOf(text.charCodeAt(3 + 2 * index))
    if (high < 0 || low < 0) return false
    bytes[at + index] = 16 * high + low
  }
  return true
}

function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  return code >= 97 && code <= 102 ? code - 87 : -1
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
