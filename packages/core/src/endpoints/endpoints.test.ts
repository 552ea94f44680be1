import { describe, expect, test } from '@jest/globals'
import type { PositionFilters, SignedQuote, StoredQuote } from '../generated/wireTypes.ts'
import { codes } from '../quote/rejection.ts'
import { describeShape, type FieldNode, type ShapeNode } from '../wire/index.ts'
import {
  type Answer,
  type Body,
  type Endpoint,
  endpoints,
  type PathParameters,
  problemDocs,
  problems,
  type Query,
} from './index.ts'

const records = Object.entries<Endpoint>(endpoints)

/** The effective APY field next to each APR of a fixed rate in a shape. Floating rates have a rate per second. */
function fixedRates(node: ShapeNode): { effective: FieldNode | undefined }[] {
  if ('inner' in node) return fixedRates(node.inner)
  if (node.kind === 'variants') return node.cases.flatMap((one) => fixedRates(one.node))
  if (node.kind !== 'object') return []
  const named = (key: string) => node.fields.find((field) => field.key === key)
  const inside = node.fields.flatMap((field) => fixedRates(field.node))
  if (named('ratePerSec')) return inside
  if (named('apr')) inside.push({ effective: named('effectiveApy') })
  if (named('bestApr')) inside.push({ effective: named('bestEffectiveApy') })
  return inside
}

describe('endpoints', () => {
  test('default: ids and method-path pairs are unique', () => {
    for (const [id, record] of records) expect(record.id).toBe(id)
    const routes = records.map(([, { method, root, path }]) => `${method} ${root ? '' : '/api/v1'}${path}`)
    expect(new Set(routes).size).toBe(records.length)
    expect(records.length).toBeGreaterThanOrEqual(16)
  })

  test("behavior: a record's parameters match its path", () => {
    for (const [, { path, parameters = {} }] of records) {
      expect(Object.keys(parameters)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    }
  })

  test('behavior: no parameterized path precedes a path of the same method that it would match', () => {
    for (const [at, [, { method, path }]] of records.entries()) {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      const taken = records.slice(at + 1).filter(([, later]) => later.method === method && pattern.test(later.path))
      expect([path, taken.map(([id]) => id)]).toEqual([path, []])
    }
  })

  test('behavior: every fixed rate has an effective APY, which may be null, and which older services omit', () => {
    const found = records.flatMap(([id, { answers }]) =>
      Object.values(answers).flatMap(({ shape, events = {} }) =>
        [shape, ...Object.values(events).map((event) => event.shape)].flatMap((one) =>
          one ? fixedRates(describeShape(one)).map((rate) => ({ id, ...rate })) : [],
        ),
      ),
    )
    expect([...new Set(found.map(({ id }) => id))].sort()).toEqual([
      ...['followAuction', 'getAuction', 'getMakerQuotes', 'getPoolRates', 'getQuote', 'getRateHistory'],
      ...['listObservations', 'listQuotes', 'requestQuotes', 'streamQuotes', 'submitQuote'],
    ])
    for (const { id, effective } of found) {
      expect([id, effective]).toMatchObject([
        id,
        { optional: true, node: { kind: 'nullable', inner: { kind: 'number' } } },
      ])
    }
  })

  test('behavior: types follow from the record', () => {
    type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
    const same: [
      Same<Body<typeof endpoints.submitQuote>, SignedQuote>,
      Same<Answer<typeof endpoints.submitQuote, 201>, StoredQuote>,
      Same<Answer<typeof endpoints.isAlive>, string>,
      Same<PathParameters<typeof endpoints.getQuote>, { readonly hash: `0x${string}` }>,
      Same<Query<typeof endpoints.getPositions>, PositionFilters>,
      Same<Query<typeof endpoints.getHealth>, undefined>,
    ] = [true, true, true, true, true, true]
    expect(same).not.toContain(false)
  })
})

describe('problems', () => {
  test('default: every code has a status that is an error', () => {
    expect(Object.keys(problems).sort()).toEqual([...codes].sort())
    for (const { status, title } of Object.values(problems)) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(title).toMatch(/\S/)
    }
  })

  test('default: every code has its own documentation', () => {
    expect(problemDocs('POOL_NOT_FOUND')).toBe('/learn/reference/errors#pool_not_found')
    expect(new Set(codes.map(problemDocs)).size).toBe(codes.length)
  })
})
