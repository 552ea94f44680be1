// Why: docs/decisions/0001-one-wire-schema.md
import * as z from 'zod/mini'
import { type ShapeFacts, shapeRegistry, wireRegistry } from './wireRegistry.ts'

/** One field of an object. */
export type FieldNode = { key: string; optional: boolean; description: string | undefined; node: ShapeNode }

/** A shape described as plain data, for code generators. */
export type ShapeNode = { facts: ShapeFacts; description: string | undefined } & (
  | { kind: 'string'; maxLength: number | undefined }
  | { kind: 'number' | 'boolean' | 'unknown' }
  | { kind: 'parsed'; parse: (text: string) => unknown; expected: string }
  | { kind: 'accepted'; accepts: (value: number) => boolean; expected: string }
  | { kind: 'oneOf'; values: readonly string[]; tolerant: boolean }
  | { kind: 'nullable' | 'array' | 'record'; inner: ShapeNode }
  | { kind: 'object'; strict: boolean; fields: readonly FieldNode[] }
  | { kind: 'variants'; key: string; cases: readonly { value: string; node: ShapeNode }[] }
)

/** The parts of each definition type that generated code can check. */
const knownParts: Partial<Record<z.core.$ZodTypeDef['type'], readonly string[]>> = {
  string: [],
  number: [],
  boolean: [],
  unknown: [],
  literal: ['values'],
  enum: ['entries'],
  catch: ['innerType', 'catchValue'],
  nullable: ['innerType'],
  array: ['element'],
  record: ['keyType', 'valueType'],
  object: ['shape', 'catchall'],
  union: ['options', 'discriminator', 'inclusive', 'unionFallback'],
}

/**
 * Describes a shape as plain data.
 *
 * @throws {TypeError} if generated code would not check a part of the shape. The message contains the part's path.
 */
export function describeShape(shape: z.core.$ZodType, path = ''): ShapeNode {
  const facts = shapeRegistry.get(shape) ?? {}
  const common = { facts, description: wireRegistry.get(shape)?.description }
  const { parse, accepts, expected = '' } = facts
  const def = (shape as z.core.$ZodTypes)._zod.def
  const refuse = (what: string): never => {
    throw new TypeError(`${path || 'the shape'}: cannot generate code for ${what}.`)
  }
  const inner = (part: z.core.$ZodType, key: string | number) => describeShape(part, path ? `${path}.${key}` : `${key}`)

  if (parse !== undefined) return { ...common, kind: 'parsed', parse, expected }
  if (accepts !== undefined) return { ...common, kind: 'accepted', accepts, expected }
  const parts = ['type', 'checks', ...(knownParts[def.type] ?? refuse(`the type ${def.type}`))]
  for (const part of Object.keys(def)) {
    if (!parts.includes(part) && def[part as keyof typeof def] !== undefined) refuse(`${def.type} with ${part}`)
  }
  const checks = (def.checks ?? []).map(({ _zod }) => _zod.def)
  const known = checks.filter(
    ({ check }) => (def.type === 'string' && check === 'max_length') || (check === 'custom' && facts.exactlyOne),
  )
  if (known.length !== checks.length || known.length > 1) refuse(`its checks (${checks.map(({ check }) => check)})`)

  switch (def.type) {
    case 'string': {
      const [limit] = checks as z.core.$ZodCheckMaxLengthDef[]
      return { ...common, kind: 'string', maxLength: limit?.maximum }
    }
    case 'number':
    case 'boolean':
    case 'unknown':
      return { ...common, kind: def.type }
    case 'literal':
      return { ...common, kind: 'oneOf', values: texts(def.values), tolerant: false }
    case 'enum':
      return { ...common, kind: 'oneOf', values: texts(Object.values(def.entries)), tolerant: false }
    case 'catch': {
      const node = inner(def.innerType, '')
      return node.kind === 'oneOf' ? { ...node, ...common, tolerant: true } : refuse(`a stand-in for ${node.kind}`)
    }
    case 'nullable':
      return { ...common, kind: 'nullable', inner: inner(def.innerType, 'null') }
    case 'array':
      return { ...common, kind: 'array', inner: inner(def.element, 0) }
    case 'record':
      if (inner(def.keyType, 'key').kind !== 'string') refuse('keys that are checked')
      return { ...common, kind: 'record', inner: inner(def.valueType, '*') }
    case 'object': {
      const { catchall } = def
      if (catchall && catchall._zod.def.type !== 'never') refuse('other keys')
      const fields = Object.entries(def.shape).map(([key, part]) => fieldOf(key, part, inner))
      return { ...common, kind: 'object', strict: catchall !== undefined, fields }
    }
    case 'union': {
      const { discriminator: key } = def as z.core.$ZodDiscriminatedUnionDef
      if (key === undefined) return refuse('a union without a discriminator')
      const cases = def.options.map((option) => {
        const [value] = texts([...(option._zod.propValues?.[key] ?? [])])
        return value === undefined ? refuse(`a case without ${key}`) : { value, node: inner(option, value) }
      })
      return { ...common, kind: 'variants', key, cases }
    }
    default:
      return refuse(`the type ${def.type}`)
  }

  function texts(values: readonly unknown[]): string[] {
    return values.map((value) => (typeof value === 'string' ? value : refuse('a value that is not a text')))
  }
}

function fieldOf(
  key: string,
  shape: z.core.$ZodType,
  inner: (part: z.core.$ZodType, key: string) => ShapeNode,
): FieldNode {
  // A primitive's own description applies to all fields of its type. A field's description is more specific than its
  // primitive's.
  const own = shape._zod.parent !== undefined && wireRegistry.has(shape)
  const description = own ? wireRegistry.get(shape)?.description : undefined
  const def = (shape as z.core.$ZodTypes)._zod.def
  const optional = shape instanceof z.ZodMiniExactOptional
  return { key, optional, description, node: inner(optional && def.type === 'optional' ? def.innerType : shape, key) }
}
