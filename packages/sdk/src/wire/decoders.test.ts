import { isDeepStrictEqual } from 'node:util'
import { type Endpoint, endpoints } from '@firmquote/core/endpoints'
import * as wire from '@firmquote/core/wire'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bytes, maker } from '../../test/samples.ts'
import * as decoders from '../generated/decoders.ts'
import { serverMessageShape } from './serverMessageShape.ts'
import type { Shape } from './shape.ts'

const queries = new Set<unknown>(Object.values<Endpoint>(endpoints).map(({ query }) => query))

/** Every exported wire shape except queries, which only the service decodes. */
const shapes = Object.entries<unknown>(wire).filter(
  (entry): entry is [string, wire.Shape<unknown>] =>
    typeof entry[1] === 'object' && entry[1] !== null && '_zod' in entry[1] && !queries.has(entry[1]),
)

/** Responses whose shapes are declared in an endpoint's record. */
const answers = Object.entries<Endpoint>(endpoints).flatMap(([id, endpoint]): [string, wire.Shape<unknown>][] => {
  const shape = endpoint.answers[200]?.shape
  return shape && `${id}Answer` in decoders ? [[`${id}Answer`, shape]] : []
})

/** Almost valid values for every kind of field, mixed with valid ones. */
const texts = [
  ...['', '0', '1', '01', '-1', '1e3', '0x10', ' 1', 'accepted', 'x'.repeat(300)],
  ...[(2n ** 256n - 1n).toString(), (2n ** 256n).toString()],
  ...[maker, maker.toLowerCase(), maker.replace('f3', 'F3'), maker.toUpperCase()],
  ...[bytes('a'), bytes('A'), bytes('a').slice(0, -1), `${bytes('a')}a`, bytes('a').slice(2), bytes('g')],
  ...[`00-${'ab'.repeat(16)}-${'ab'.repeat(8)}-01`, `01-${'ab'.repeat(16)}-${'ab'.repeat(8)}-01`],
  ...['ab'.repeat(16), 'AB'.repeat(16), `0x${'ab'.repeat(65)}`, `0x${'ab'.repeat(4097)}`],
]
const otherValues: unknown[] = [...texts, null, true, 0, 1, -1, 1.5, 2 ** 53, [], {}, [1], { path: 'p', message: 'm' }]

/** Generates values of a shape. */
function fitting(node: wire.ShapeNode): fc.Arbitrary<unknown> {
  switch (node.kind) {
    case 'string':
      return fc.string({ maxLength: node.maxLength ?? 100 })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'unknown':
      return fc.jsonValue()
    case 'parsed':
      return fc.constantFrom(...texts.filter((text) => node.parse(text) !== null))
    case 'accepted':
      return fc.integer().filter(node.accepts)
    case 'oneOf':
      return fc.constantFrom(...node.values)
    case 'nullable':
      return fc.option(fitting(node.inner))
    case 'array':
      return fc.array(fitting(node.inner), { maxLength: 2, size: 'max' })
    case 'record':
      return fc.dictionary(fc.stringMatching(/^[a-z]+$/), fitting(node.inner))
    case 'variants':
      return fc.oneof(...node.cases.map((one) => fitting(one.node)))
    case 'object': {
      const exactlyOne: readonly string[] = node.facts.exactlyOne ?? []
      const record = (without?: string) => {
        const fields = node.fields.filter(({ key }) => key !== without)
        const requiredKeys = fields.filter(({ key, optional }) => !optional || (without && exactlyOne.includes(key)))
        return fc.record(Object.fromEntries(fields.map(({ key, node: one }) => [key, fitting(one)])), {
          requiredKeys: requiredKeys.map(({ key }) => key),
          noNullPrototype: true,
        })
      }
      return exactlyOne.length === 0 ? record() : fc.oneof(...exactlyOne.map((key) => record(key)))
    }
  }
}

/** Paths that can be changed. */
function placesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, [...path, 'more'], ...Object.entries(value).flatMap(([key, part]) => placesOf(part, [...path, key]))]
}

function changeAt(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[key] = changeAt(copy[key], rest, by)
  return copy
}

function decodeHere(shape: Shape<unknown>, value: unknown) {
  try {
    return { ok: true, value: shape(value, '') }
  } catch (error) {
    return { ok: false, path: (error as { path?: string }).path ?? '' }
  }
}

function decodeInCore(shape: wire.Shape<unknown>, value: unknown) {
  const decoded = wire.decode(shape, value)
  return decoded.ok ? decoded : { ok: false, path: decoded.issues[0]?.path }
}

describe('the generated decoders decode as the shapes of the wire do', () => {
  test.each([...shapes, ...answers])('behavior: %s', (name, shape) => {
    const decoder = (decoders as Record<string, Shape<unknown>>)[name] as Shape<unknown>
    const reached = { accepted: 0, refused: 0 }
    const compare = (value: unknown) => {
      const expected = decodeInCore(shape, value)
      const decoded = decodeHere(decoder, value)
      // These thousands of comparisons would take seconds with `expect`.
      if (!isDeepStrictEqual(decoded, expected)) expect(decoded).toEqual(expected)
      reached[expected.ok ? 'accepted' : 'refused'] += 1
    }
    fc.assert(
      fc.property(fitting(wire.describeShape(shape)), fc.infiniteStream(fc.nat()), (value, numbers) => {
        expect(wire.decode(shape, value).ok).toBe(true)
        compare(value)
        for (const place of placesOf(value)) {
          // A code from a later version is kept here, but core decodes it as INTERNAL.
          if (place.at(-1) === 'code') continue
          const [other] = numbers.take(1).map((n) => otherValues[n % otherValues.length])
          const changed = changeAt(value, place, other)
          compare(changed)
          compare(JSON.parse(JSON.stringify(changeAt(value, place, undefined)) ?? 'null'))
        }
      }),
      { numRuns: 25 },
    )
    expect(reached.accepted).toBeGreaterThan(20)
    expect(reached.refused).toBeGreaterThan(20)
  })

  test('behavior: responses declared in endpoint records have decoders', () => {
    expect(answers.map(([name]) => name)).toContain('getPositionsAnswer')
  })

  test("behavior: keeps a later version's code", () => {
    const problem = { type: 't', title: 't', status: 422, detail: 'd', code: 'NEW', requestId: 'r' }
    expect(decoders.problemShape(problem, '')).toEqual(problem)
    expect(decodeHere(decoders.problemShape, { ...problem, code: 1 })).toEqual({ ok: false, path: 'code' })
  })
})

describe('serverMessageShape', () => {
  test("behavior: a later version's type is null, and a malformed known type is rejected", () => {
    expect(serverMessageShape({ type: 'news' }, '')).toBeNull()
    expect(serverMessageShape({ type: 'toString' }, '')).toBeNull()
    expect(serverMessageShape({}, '')).toBeNull()
    expect(serverMessageShape({ type: 'pong', serverTime: 1 }, '')).toEqual({ type: 'pong', serverTime: 1 })
    expect(decodeHere(serverMessageShape, { type: 'pong' })).toEqual({ ok: false, path: 'serverTime' })
    expect(decodeHere(serverMessageShape, [])).toEqual({ ok: false, path: '' })
  })
})
