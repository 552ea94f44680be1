import { decodeOrThrow, problemShape } from '@firmquote/core/wire'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type ListeningServer, listenForTest } from '../../../test/listenForTest.ts'
import { createScriptedService, testDomain } from '../../../test/scriptedService.ts'

let server: ListeningServer
beforeAll(async () => {
  server = await listenForTest({
    ...createScriptedService({ hub: { open: async () => ({ ok: false, rejection: { code: 'OVERLOADED' } }) } }),
    domain: testDomain,
  })
})
afterAll(() => server.close())

const post = (path: string, body: string | Uint8Array<ArrayBuffer>) =>
  fetch(`${server.api}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

const paths = fc.constantFrom('/quotes', '/rfq/quote', '/rfq/quote/stream')
const keys = fc.constantFrom('poolId', 'seriesKey', 'expiry', 'notional', 'maxVrtAmount', 'taker', 'maker', '__proto__')

test('behavior: arbitrary JSON is rejected with its errors, never with a server error', async () => {
  const body = fc.oneof(fc.jsonValue(), fc.dictionary(keys, fc.jsonValue()))
  await fc.assert(
    fc.asyncProperty(paths, body, async (path, value) => {
      const response = await post(path, JSON.stringify(value))
      expect(response.status).toBe(400)
      expect(response.headers.get('content-type')).toContain('application/problem+json')
      const problem = decodeOrThrow(problemShape, await response.json(), 'problem')
      expect(problem.errors?.length).toBeGreaterThan(0)
    }),
    { numRuns: 150 },
  )
})

test('behavior: arbitrary bytes are answered with a 4xx', async () => {
  await fc.assert(
    fc.asyncProperty(paths, fc.uint8Array({ maxLength: 200 }), async (path, bytes) => {
      const response = await post(path, new Uint8Array(bytes))
      expect(response.status).toBe(400)
      await response.text()
    }),
    { numRuns: 80 },
  )
})

test('behavior: arbitrary URLs cause no server error', async () => {
  const tails = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.replaceAll(/[#\\]/g, ''))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/quotes?', '/quotes/', '/rfq/', '/', '/rfq/quotes/recent?limit='),
      tails,
      async (head, tail) => {
        const response = await fetch(`${server.api}${head}${tail}`)
        expect(response.status).toBeLessThan(500)
        await response.text()
      },
    ),
    { numRuns: 150 },
  )
})
