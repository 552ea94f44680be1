import { InvalidInputError, parseUint256 } from '@firmquote/core'
import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem'

/**
 * Reads a value of the wire, or throws an `InvalidInputError` that says where it does not fit.
 *
 * The same wire is described with zod in `@firmquote/core/wire`, for the service. A client in a browser cannot afford
 * zod's weight, so here a shape is a function; a test holds the two descriptions against each other.
 */
export type Shape<T> = (value: unknown, path: string) => T

type Fields = Record<string, Shape<unknown>>
type Read<F extends Fields> = { [K in keyof F]: ReturnType<F[K]> }

function refuse(path: string, message: string): never {
  throw new InvalidInputError(`${message}.`, path === '' ? {} : { path })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A string that `read` takes, or null. */
/* @__NO_SIDE_EFFECTS__ */
function text<T>(read: (value: string) => T | null, expected: string): Shape<T> {
  return (value, path) => {
    const result = typeof value === 'string' ? read(value) : null
    return result === null ? refuse(path, `must be ${expected}`) : result
  }
}

/** Any string. */
export const string: Shape<string> = text((value) => value, 'a string')

/** Any finite number. */
export const number: Shape<number> = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) ? value : refuse(path, 'must be a number')

/** Unix seconds, above zero. */
export const unixSeconds: Shape<number> = (value, path) =>
  Number.isSafeInteger(value) && (value as number) > 0
    ? (value as number)
    : refuse(path, 'must be a whole number of Unix seconds')

/** `true` or `false`. */
export const boolean: Shape<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : refuse(path, 'must be a boolean')

/** A decimal string of a uint256. */
export const uint256: Shape<bigint> = text(parseUint256, 'a decimal string of a uint256 (no sign, no leading zero)')

/** A decimal string of a uint256 above zero. */
export const positiveUint256: Shape<bigint> = text(
  (value) => parseUint256(value) || null,
  'a decimal string of a uint256 above zero',
)

/** An address, all lower-case or with a right EIP-55 checksum; read to its checksummed form. */
export const address: Shape<Address> = text(
  (value) => (isAddress(value) ? getAddress(value) : null),
  'an address: 20 bytes of hex, all lower-case or with a right EIP-55 checksum',
)

/** 32 bytes of hex, read to lower case. */
export const bytes32: Shape<Hex> = text(
  (value) => (isHex(value) && value.length === 66 ? (value.toLowerCase() as Hex) : null),
  '32 bytes of hex (0x and 64 digits)',
)

/** A signature's bytes, however many: the contract judges them. */
export const signature: Shape<Hex> = text(
  (value) => (isHex(value) && value.length % 2 === 0 && value.length <= 8194 ? (value.toLowerCase() as Hex) : null),
  'hex (0x and whole bytes)',
)

/** The id of an auction. */
export const rfqId: Shape<string> = text(
  (value) => (/^[0-9a-f]{32}$/.test(value) ? value : null),
  '32 lower-case hex digits',
)

/** An object of whatever there is. */
export const anything: Shape<Record<string, unknown>> = (value, path) =>
  isObject(value) ? value : refuse(path, 'must be an object')

/** One of the given strings. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const T extends string>(...values: readonly T[]): Shape<T> {
  return text((value) => values.find((one) => one === value) ?? null, `one of ${values.join(', ')}`)
}

/** What fits the shape, or null. */
/* @__NO_SIDE_EFFECTS__ */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value, path) => (value === null ? null : shape(value, path))
}

/** An array of what fits the shape. */
/* @__NO_SIDE_EFFECTS__ */
export function array<T>(shape: Shape<T>): Shape<T[]> {
  return (value, path) =>
    Array.isArray(value) ? value.map((part, index) => shape(part, at(path, index))) : refuse(path, 'must be an array')
}

/** An object with these fields and, if they are there, the optional ones. What else it has is left behind. */
/* @__NO_SIDE_EFFECTS__ */
export function object<R extends Fields, O extends Fields = Record<never, never>>(
  required: R,
  optional?: O,
): Shape<Read<R> & Partial<Read<O>>> {
  return (value, path) => {
    if (!isObject(value)) return refuse(path, 'must be an object')
    const result: Record<string, unknown> = {}
    for (const key in required) result[key] = required[key]?.(value[key], at(path, key))
    for (const key in optional) {
      if (value[key] !== undefined) result[key] = optional[key]?.(value[key], at(path, key))
    }
    return result as Read<R> & Partial<Read<O>>
  }
}

/** The same without patience: a key that the shape does not read is refused. */
/* @__NO_SIDE_EFFECTS__ */
export function strict<T extends object>(shape: Shape<T>): Shape<T> {
  return (value, path) => {
    const result = shape(value, path)
    for (const key in value as object) if (!(key in result)) refuse(at(path, key), 'is not a known key')
    return result
  }
}

function at(path: string, key: string | number): string {
  return path === '' ? `${key}` : `${path}.${key}`
}

/** Writes a value for the wire: JSON in which every bigint is a decimal string. */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}` : part))
}
