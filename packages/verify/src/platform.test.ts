import crypto from 'node:crypto'
import { afterEach, expect, test } from '@jest/globals'
import { bytesToHex } from 'viem'
import * as node from './platform.node.ts'
import * as portable from './platform.ts'

const bytes = Uint8Array.from({ length: 300 }, (_, index) => (index * 167) % 256)

const { hash } = crypto

afterEach(() => {
  crypto.hash = hash
})

test.each([
  ['of any Node', hash],
  ['of Node 20.0', undefined],
])('behavior: the code %s agrees with the portable code', (_, available) => {
  crypto.hash = available as typeof hash
  for (let size = 0; size <= bytes.length; size += 1) {
    const parts = [bytes.subarray(0, 1), bytes.subarray(1, size)] as const
    expect(bytesToHex(node.sha256(...parts))).toBe(bytesToHex(portable.sha256(...parts)))
  }
  const digits = bytesToHex(bytes).slice(2)
  expect(bytesToHex(node.fromHex(digits))).toBe(bytesToHex(portable.fromHex(digits)))
})
