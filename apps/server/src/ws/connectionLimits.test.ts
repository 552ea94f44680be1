import { expect, test } from '@jest/globals'
import { createConnectionLimits } from './connectionLimits.ts'

const one = '0x1111111111111111111111111111111111111111'
const other = '0x2222222222222222222222222222222222222222'

test('default: counts per backer, and each socket is released once', () => {
  const limits = createConnectionLimits(2)
  const first = limits.acquire(one)
  const second = limits.acquire(one)
  expect(first).not.toBeNull()
  expect(second).not.toBeNull()
  expect(limits.acquire(one)).toBeNull()
  expect(limits.acquire(other)).not.toBeNull()

  first?.()
  first?.()
  expect(limits.acquire(one)).not.toBeNull()
  expect(limits.acquire(one)).toBeNull()
})
