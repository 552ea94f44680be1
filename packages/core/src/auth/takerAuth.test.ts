import { expect, test } from '@jest/globals'
import { hashTypedData } from 'viem'
import { hashTakerAuth, isTakerProofCurrent, type TakerAuth, takerAudience, takerAuthTypedData } from './takerAuth.ts'

const auth: TakerAuth = {
  chainId: 8453,
  quoteMarket: '0x1111111111111111111111111111111111111111',
  taker: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  audience: 'https://rfq.example.com',
  timestamp: 1_767_225_600,
}

test('default: the digest is that of the typed data, and every field is part of it', () => {
  const digest = hashTakerAuth(auth)
  expect(hashTypedData(takerAuthTypedData(auth))).toBe(digest)
  const others: TakerAuth[] = [
    { ...auth, chainId: 1 },
    { ...auth, quoteMarket: auth.taker },
    { ...auth, taker: auth.quoteMarket },
    { ...auth, audience: 'https://rfq.example.org' },
    { ...auth, timestamp: auth.timestamp + 1 },
    { ...auth, shareRecord: true },
  ]
  expect(new Set([digest, ...others.map(hashTakerAuth)]).size).toBe(7)
  expect(hashTakerAuth({ ...auth, shareRecord: false })).toBe(digest)
  expect(takerAuthTypedData(auth).message.purpose).toContain('This is not a quote and moves no funds.')
})

test.each([
  [0, true],
  [86_400, true],
  [86_401, false],
  [-60, true],
  [-61, false],
])('behavior: a proof that is %p seconds old is valid: %p', (age, valid) => {
  expect(isTakerProofCurrent(1_000_000, 1_000_000 + age)).toBe(valid)
})

test.each([
  ['wss://rfq.example.com/ws/rfq', 'https://rfq.example.com'],
  ['wss://rfq.example.com:443/ws/rfq', 'https://rfq.example.com'],
  ['wss://rfq.example.com:8443/ws/rfq', 'https://rfq.example.com:8443'],
  ['ws://localhost:3005/ws/rfq', 'http://localhost:3005'],
  ['ws://[::1]:3005/ws/rfq', 'http://[::1]:3005'],
])('behavior: the audience of %s', (socketUrl, audience) => {
  expect(takerAudience(socketUrl)).toBe(audience)
})
