import { expect, test } from '@jest/globals'
import { takeStages } from './takeStages.ts'

const given = { transaction: 'idle', isPending: false, permitted: false } as const
const statesOf = (...parameters: Parameters<typeof takeStages>) => takeStages(...parameters)?.map(({ state }) => state)

test('default: one after the other, in the order in which they are confirmed', () => {
  expect(takeStages('approve', given)).toEqual([
    { name: 'allow', state: 'current' },
    { name: 'permit', state: 'todo' },
    { name: 'take', state: 'todo' },
  ])
  expect(statesOf('reset', given)).toEqual(['current', 'todo', 'todo'])
  expect(statesOf('permit', given)).toEqual(['done', 'current', 'todo'])
  expect(statesOf('take', given)).toEqual(['done', 'done', 'current'])
  expect(statesOf('onItsWay', given)).toEqual(['done', 'done', 'busy'])
})

test('behavior: what is given already is done', () => {
  expect(statesOf('approve', { ...given, permitted: true })).toEqual(['current', 'done', 'todo'])
})

test('behavior: under way comes before what became of the one before', () => {
  expect(statesOf('permit', { ...given, isPending: true, transaction: 'failed' })?.[1]).toBe('busy')
  expect(statesOf('permit', { ...given, transaction: 'failed' })?.[1]).toBe('failed')
  expect(statesOf('permit', { ...given, transaction: 'reverted' })?.[1]).toBe('failed')
  expect(statesOf('permit', { ...given, transaction: 'confirmed' })?.[1]).toBe('current')
})

test('behavior: nothing is confirmed in stages while something else is missing, or where all is one', () => {
  for (const step of [
    'connect',
    'switchNetwork',
    'wait',
    'unknown',
    'dead',
    'fund',
    'takeTogether',
    'taken',
  ] as const) {
    expect(takeStages(step, given)).toBeNull()
  }
})
