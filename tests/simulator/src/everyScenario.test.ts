import { expect, test } from '@jest/globals'
import { drawHistory, type ScenarioName, scenarios } from './plan.ts'
import { runHistory } from './world.ts'

test.each(Object.keys(scenarios) as ScenarioName[])('default: %s', async (name) => {
  for (const seed of [1, 2]) {
    const { violations, auctions } = await runHistory(drawHistory(seed, name))
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect(auctions).toBeGreaterThan(0)
  }
})
