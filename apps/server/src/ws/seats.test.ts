import { expect, test } from '@jest/globals'
import { createSeats } from './seats.ts'

const one = '0x1111111111111111111111111111111111111111'
const other = '0x2222222222222222222222222222222222222222'

test('default: so many for each backer, and each seat is given back once', () => {
  const seats = createSeats(2)
  const first = seats.take(one)
  const second = seats.take(one)
  expect(first).not.toBeNull()
  expect(second).not.toBeNull()
  expect(seats.take(one)).toBeNull()
  expect(seats.take(other)).not.toBeNull()

  first?.()
  first?.()
  expect(seats.take(one)).not.toBeNull()
  expect(seats.take(one)).toBeNull()
})
