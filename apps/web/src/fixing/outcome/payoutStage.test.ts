import { expect, test } from '@jest/globals'
import { examplePosition, exampleSettlement } from '../../../test/fixing/exampleMarket.ts'
import { payoutStage } from './payoutStage.ts'

const position = examplePosition()
const { expiry } = position
const day = 86_400

test('default: observable for exactly one day, until the maturity', () => {
  const stages = [expiry - day - 1, expiry - day, expiry - 1, expiry].map((now) => payoutStage(position, now))
  expect(stages).toEqual(['running', 'observable', 'observable', 'running'])
})

test('behavior: after the maturity, due until the checkpoint and final afterwards', () => {
  const due = { ...position, settleable: true }
  expect(payoutStage(due, expiry)).toBe('due')
  expect(payoutStage({ ...due, checkpointed: false }, expiry)).toBe('due')
  expect(payoutStage({ ...due, checkpointed: true }, expiry)).toBe('final')
  expect(payoutStage({ ...due, settlement: exampleSettlement(1n) }, expiry)).toBeNull()
})
