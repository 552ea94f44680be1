import { expect, test } from '@jest/globals'
import { secondsToSubmit } from './submissionWindow.ts'

test('default', () => {
  expect(secondsToSubmit(1_000n, 900_000)).toBe(70)
})

test('behavior: a started second does not count', () => {
  expect(secondsToSubmit(1_000n, 900_001)).toBe(69)
})

test('behavior: never below zero', () => {
  expect(secondsToSubmit(1_000n, 970_000)).toBe(0)
  expect(secondsToSubmit(1_000n, 2_000_000)).toBe(0)
})
