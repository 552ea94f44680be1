import { bytesToHex } from 'viem'
import { fromHex } from '#platform'
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

/**
 * Encodes a record: a byte that identifies its kind, then its fields. Every value has exactly one encoding.
 *
 * @throws {ProofError} if a value does not fit its field.
 */
export function encodeRecord<L extends Layout>(kind: number, layout: L, record: RecordOf<L>): Uint8Array {
  let digits = hexOf('kind', 'u8', kind)
  for (const name in layout) digits += hexOf(name, layout[name] as FieldType, record[name])
  return fromHex(digits)
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

/** Encodes a field as hex digits, which are converted to bytes for the whole record at once. */
function hexOf(name: string, type: FieldType, value: unknown): string {
  if (type === 'text') {
    const text = String(value)
    if (!/^[\x20-\x7e]{0,255}$/.test(text))
      throw new ProofError(`The field ${name} is not ASCII text of at most 255 characters.`)
    return hexOf(name, 'u8', text.length) + bytesToHex(utf8(text)).slice(2)
  }
  if (type === 'u32s') {
    const list = value as readonly number[]
    return hexOf(name, 'u16', list.length) + list.map((item) => hexOf(name, 'u32', item)).join('')
  }
  const size = sizeOf(type)
  const isInteger = type.startsWith('u')
  if (isInteger && (typeof value === 'bigint' || Number.isSafeInteger(value))) {
    const digits = (value as number | bigint).toString(16).padStart(2 * size, '0')
    // A minus sign is no digit.
    if (digits.length === 2 * size && !digits.includes('-')) return digits
  }
  if (!isInteger && /^0x[0-9a-f]*$/.test(String(value)) && String(value).length === 2 + 2 * size)
    return String(value).slice(2)
  throw new ProofError(`The field ${name} is not ${isInteger ? 'an unsigned integer of ' : ''}${size} bytes.`)
}

function decodeField(name: string, type: FieldType, take: (size: number) => Uint8Array): unknown {
  const integer = (size: number) => BigInt(bytesToHex(take(size)))
  if (type === 'text') {
    const text = String.fromCharCode(...take(Number(integer(1))))
    if (/[^\x20-\x7e]/.test(text)) throw new ProofError(`The field ${name} is not ASCII text.`)
    return text
  }
  if (type === 'u32s') return Array.from({ length: Number(integer(2)) }, () => Number(integer(4)))
  const size = sizeOf(type)
  if (!integerSizes[type]) return bytesToHex(take(size))
  return size >= 8 ? integer(size) : Number(integer(size))
}

const integerSizes: Partial<Record<FieldType, number>> = { u8: 1, u16: 2, u32: 4, u64: 8, u256: 32 }

/** The bytes of a field with a fixed size. The type `bytes32` names it. */
function sizeOf(type: FieldType): number {
  return integerSizes[type] ?? Number(type.slice(5))
}
