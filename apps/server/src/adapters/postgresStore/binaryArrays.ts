/**
 * Encodes arrays in PostgreSQL's binary format, so that one parameter holds one column of many rows. In text format,
 * byte strings would double in size, and the client and the server would have to process every digit.
 */

/** OIDs of the element types. */
const [bytea, int8, int4, text, float8] = [17, 20, 23, 25, 701]

const headLength = 20

/** `bytea[]`. */
export function byteaArray(values: readonly Uint8Array[]): Buffer {
  let length = headLength
  for (const value of values) length += 4 + value.length
  const array = startArray(bytea, values.length, length)
  let at = headLength
  for (const value of values) {
    at = array.writeInt32BE(value.length, at)
    array.set(value, at)
    at += value.length
  }
  return array
}

/** `text[]`. */
export function textArray(values: readonly string[]): Buffer {
  const lengths = values.map((value) => Buffer.byteLength(value))
  const array = startArray(
    text,
    values.length,
    lengths.reduce((sum, length) => sum + 4 + length, headLength),
  )
  let at = headLength
  for (const [index, value] of values.entries()) {
    at = array.writeInt32BE(lengths[index] ?? 0, at)
    at += array.write(value, at)
  }
  return array
}

/** Encodes a `bigint[]` of safe integers and nulls. */
export function int8Array(values: readonly (number | null)[]): Buffer {
  const hasNull = values.includes(null)
  const length = values.reduce<number>((sum, value) => sum + (value === null ? 4 : 12), headLength)
  const array = startArray(int8, values.length, length, hasNull)
  let at = headLength
  for (const value of values) {
    at = array.writeInt32BE(value === null ? -1 : 8, at)
    if (value !== null) at = array.writeBigInt64BE(BigInt(value), at)
  }
  return array
}

/** `integer[]`. */
export function int4Array(values: readonly number[]): Buffer {
  return fixedArray(int4, 4, values, (array, value, at) => array.writeInt32BE(value, at))
}

/** `double precision[]`. */
export function float8Array(values: readonly number[]): Buffer {
  return fixedArray(float8, 8, values, (array, value, at) => array.writeDoubleBE(value, at))
}

function fixedArray(
  type: number,
  size: number,
  values: readonly number[],
  write: (array: Buffer, value: number, at: number) => void,
): Buffer {
  const array = startArray(type, values.length, headLength + values.length * (4 + size))
  for (const [index, value] of values.entries()) {
    const at = array.writeInt32BE(size, headLength + index * (4 + size))
    write(array, value, at)
  }
  return array
}

/** Allocates a one-dimensional array with lower bound 1 and writes its header. */
function startArray(type: number, count: number, length: number, hasNull = false): Buffer {
  const array = Buffer.allocUnsafe(length)
  for (const [index, value] of [1, hasNull ? 1 : 0, type, count, 1].entries()) array.writeInt32BE(value, index * 4)
  return array
}
