import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { describeFailure, locationOf } from './startFailure.ts'

const page = readFileSync(new URL('../../../../../docs/outages.md', import.meta.url), 'utf8')
const url = 'postgres://firmquote:secret-word@db-1:5432/firmquote?sslmode=verify-full'

test('default: the sentences in docs/outages.md', () => {
  const [, documented = ''] = /<!-- sentences -->\n+```\n([\s\S]*?)```/.exec(page) ?? []
  const sentences = ['28P01', '3D000', 'ECONNREFUSED'].map(
    (code) => describeFailure(Object.assign(new Error('at secret-word'), { code }), url).shortMessage,
  )
  expect(documented.trim().split('\n')).toEqual(sentences)
})

test('behavior: a location omits the user, password and parameters', () => {
  expect(locationOf(url)).toBe('db-1:5432/firmquote')
  expect(locationOf('postgres://db-1,db-2/firmquote')).toBe('db-1,db-2/firmquote')
})

test('behavior: several addresses that fail together, and unknown errors', () => {
  expect(describeFailure(new AggregateError([]), url).shortMessage).toMatch(/none of its addresses answers; check/)
  expect(describeFailure(new Error('odd'), url).shortMessage).toMatch(/cannot be used: odd; check DATABASE_URL\.$/)
  expect(describeFailure('odd', url).shortMessage).toMatch(/cannot be used: odd;/)
})
