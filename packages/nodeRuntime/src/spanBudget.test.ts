import { expect, test } from '@jest/globals'
import { createSpanBudget } from './spanBudget.ts'

function start() {
  const clock = { ms: 0 }
  const budget = createSpanBudget({ perSecond: 100, burst: 200 }, () => clock.ms)
  const spend = (count: number) => {
    for (let spent = 0; spent < count; spent += 1) budget.spend()
  }
  return { clock, budget, spend }
}

test('default: outside requests leave half of the burst to running traces', () => {
  const { budget, spend } = start()
  spend(100)
  expect([budget.admits(false), budget.admits(true)]).toEqual([true, true])
  spend(1)
  expect([budget.admits(false), budget.admits(true)]).toEqual([false, true])
})

test('behavior: a trace begins only if the budget covers it completely', () => {
  const { budget, spend } = start()
  spend(188)
  expect(budget.admits(true)).toBe(true)
  spend(1)
  expect(budget.admits(true)).toBe(false)
})

test('behavior: the budget refills over time, up to the burst', () => {
  const { clock, budget, spend } = start()
  spend(200)
  clock.ms = 119
  expect(budget.admits(true)).toBe(false)
  clock.ms = 121
  expect(budget.admits(true)).toBe(true)
  clock.ms = 1_000_000
  expect(budget.admits(false)).toBe(true)
  spend(189)
  expect(budget.admits(true)).toBe(false)
})

test('behavior: the long-term rate matches the budget, whatever the demand', () => {
  const { clock, budget } = start()
  let spans = 0
  for (; clock.ms < 10_000; clock.ms += 1) {
    if (!budget.admits(false)) continue
    for (let span = 0; span < 6; span += 1) budget.spend()
    spans += 6
  }
  expect(spans).toBeLessThanOrEqual(10 * 100 + 200)
  expect(spans).toBeGreaterThanOrEqual(10 * 100)
})
