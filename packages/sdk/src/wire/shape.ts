import { InvalidInputError } from '../coreErrors.ts'

/**
 * Decodes a wire value, or throws an `InvalidInputError` with the path of the invalid part.
 *
 * The zod shapes of `@firmquote/core/wire` define the wire format. To keep zod out of browser bundles, the build
 * generates equivalent decoders from them. The generated decoders use the functions in this file.
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

/** A string that `parse` accepts. `parse` returns null to reject it. */
/* @__NO_SIDE_EFFECTS__ */
export function text<T>(parse: (value: string) => T | null, expected: string): Shape<T> {
  return (value, path) => {
    const result = typeof value === 'string' ? parse(value) : null
    return result === null ? refuse(path, `must be ${expected}`) : result
  }
}

/** Any string. */
export const string: Shape<string> = text((value) => value, 'a string')

/** A string of at most `longest` UTF-16 code units. */
/* @__NO_SIDE_EFFECTS__ */
export function shortString(longest: number): Shape<string> {
  return text((value) => (value.length > longest ? null : value), `a string of at most ${longest} characters`)
}

/** Any finite number. */
export const number: Shape<number> = numberThat((value) => Number.isFinite(value), 'a number')

/** A number for which `accepts` returns true. */
/* @__NO_SIDE_EFFECTS__ */
export function numberThat(accepts: (value: number) => boolean, expected: string): Shape<number> {
  return (value, path) => (typeof value === 'number' && accepts(value) ? value : refuse(path, `must be ${expected}`))
}

/** `true` or `false`. */
export const boolean: Shape<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : refuse(path, 'must be a boolean')

/** Any value. */
export const unknown: Shape<unknown> = (value) => value

/** Any object. */
export const anything: Shape<Record<string, unknown>> = (value, path) =>
  isObject(value) ? value : refuse(path, 'must be an object')

/** One of the given strings. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const T extends string>(...values: readonly T[]): Shape<T> {
  return text((value) => values.find((one) => one === value) ?? null, `one of ${values.join(', ')}`)
}

/** A value of the given shape, or null. */
/* @__NO_SIDE_EFFECTS__ */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value, path) => (value === null ? null : shape(value, path))
}

/** An array of values of the given shape. */
/* @__NO_SIDE_EFFECTS__ */
export function array<T>(shape: Shape<T>): Shape<T[]> {
  return (value, path) =>
    Array.isArray(value) ? value.map((part, index) => shape(part, at(path, index))) : refuse(path, 'must be an array')
}

/** An object with the given required and optional fields. Other fields are dropped. */
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

/** Like the given object shape, but rejects unknown keys. */
/* @__NO_SIDE_EFFECTS__ */
export function strict<T extends object>(shape: Shape<T>): Shape<T> {
  return (value, path) => {
    const result = shape(value, path)
    for (const key in value as object) if (!(key in result)) refuse(at(path, key), 'is not a known key')
    return result
  }
}

/** Like the given object shape, but requires exactly one of two optional fields. */
/* @__NO_SIDE_EFFECTS__ */
export function exactlyOne<T extends object, R extends T>(
  shape: Shape<T>,
  one: keyof T & string,
  other: string,
): Shape<R> {
  return (value, path) => {
    const result = shape(value, path)
    if (one in result === other in result) {
      refuse(at(path, one), one in result ? `must not be given with ${other}` : `is missing. Pass it or ${other}`)
    }
    return result as R
  }
}

/** One of several object shapes, selected by the string at `key`. */
/* @__NO_SIDE_EFFECTS__ */
export function variants<C extends Fields>(key: string, cases: C): Shape<ReturnType<C[keyof C]>> & { cases: C } {
  const shape: Shape<ReturnType<C[keyof C]>> = (value, path) => {
    const kind = anything(value, path)[key]
    const chosen = typeof kind === 'string' && Object.hasOwn(cases, kind) ? cases[kind] : undefined
    if (chosen === undefined) refuse(at(path, key), `must be one of ${Object.keys(cases).join(', ')}`)
    return chosen(value, path) as ReturnType<C[keyof C]>
  }
  return Object.assign(shape, { cases })
}

function at(path: string, key: string | number): string {
  return path === '' ? `${key}` : `${path}.${key}`
}
