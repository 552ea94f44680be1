import type { RFQRequest } from '@firmquote/core'
import { expect, test } from '@jest/globals'
import { hashKey } from './auctionOpener.ts'

const request = {
  poolId: `0x${'22'.repeat(32)}`,
  seriesKey: `0x${'33'.repeat(32)}`,
  notional: 1_000n,
} as const satisfies RFQRequest
const key = 'kJ9-2_mQx7vTzLwAb4cD8e'

test('default', () => {
  const hashed = hashKey(key, request)
  expect(hashed.key).toMatch(/^0x[0-9a-f]{64}$/)
  expect(hashed.request).toMatch(/^0x[0-9a-f]{64}$/)
  expect(hashKey(key, { ...request })).toEqual(hashed)
  expect(JSON.stringify(hashed)).not.toContain(key)
})

test('behavior: the order of the fields does not matter', () => {
  const { poolId, seriesKey, notional } = request
  expect(hashKey(key, { notional, seriesKey, poolId })).toEqual(hashKey(key, request))
})

test('behavior: the hashes depend on the key and on every field of the request', () => {
  const { key: first, request: asked } = hashKey(key, request)
  const other = hashKey(`${key}-`, request)
  expect(other.key).not.toBe(first)
  expect(other.request).toBe(asked)
  const { seriesKey: _, ...rest } = request
  const requests = [
    { ...request, notional: 1_001n },
    { ...request, poolId: request.seriesKey },
    { ...request, maxVrtAmount: 0n },
    { ...request, taker: `0x${'44'.repeat(20)}` },
    { ...rest, expiry: 1 },
  ] as RFQRequest[]
  const hashes = requests.map((one) => hashKey(key, one))
  for (const hashed of hashes) expect(hashed.key).toBe(first)
  expect(new Set([asked, ...hashes.map((hashed) => hashed.request)]).size).toBe(requests.length + 1)
})

test('behavior: neither hash equals the hash of the bare text, which another service could know', () => {
  const { key: first, request: asked } = hashKey(key, request)
  expect(first).not.toBe(asked)
  expect(hashKey('', request).key).not.toBe(`0x${'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'}`)
})
