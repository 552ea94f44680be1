import { describe, expect, test } from '@jest/globals'
import * as z from 'zod/mini'
import { describeShape } from './describeShape.ts'
import { rfqRequestShape } from './quoteShapes.ts'

describe('describeShape', () => {
  test('default', () => {
    const node = describeShape(rfqRequestShape)
    expect(node).toMatchObject({ kind: 'object', strict: true, facts: { name: 'RFQRequest' } })
    expect(node.kind === 'object' ? node.fields.map(({ key, optional }) => [key, optional]) : []).toEqual([
      ['poolId', false],
      ['seriesKey', true],
      ['expiry', true],
      ['notional', false],
      ['maxVrtAmount', true],
      ['minNotional', true],
      ['taker', true],
      ['takerProof', true],
      ['shareRecord', true],
    ])
  })

  test.each<[string, z.core.$ZodType]>([
    ['the type date', z.date()],
    ['the type transform', z.transform(Number)],
    ['the type pipe', z.pipe(z.string(), z.transform(Number))],
    ['the type optional', z.optional(z.string())],
    ['the type default', z._default(z.string(), 'x')],
    ['its checks (custom)', z.string().check(z.refine(() => true))],
    ['its checks (min_length)', z.string().check(z.minLength(1))],
    ['its checks (greater_than)', z.number().check(z.gt(0))],
    ['its checks (custom)', z.object({}).check(z.refine(() => true))],
    ['number with check', z.int()],
    ['string with format', z.email()],
    ['string with coerce', z.coerce.string()],
    ['a value that is not a text', z.literal(1)],
    ['a union without a discriminator', z.union([z.string(), z.number()])],
    ['a stand-in for string', z.catch(z.string(), '')],
    ['other keys', z.looseObject({})],
    ['keys that are checked', z.record(z.enum(['a']), z.unknown())],
  ])('error: no code is generated for %s, wherever it stands', (what, shape) => {
    const nested = z.object({ rows: z.array(z.object({ cell: shape })) })
    expect(() => describeShape(nested)).toThrow(`rows.0.cell: cannot generate code for ${what}.`)
  })
})
