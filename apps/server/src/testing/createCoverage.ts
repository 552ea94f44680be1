import { expect } from '@jest/globals'

/** Counts how often a random test met each case, and asserts that it met all of them often enough to mean something. */
export function createCoverage<Case extends string>(seed: number, cases: readonly Case[], least: number) {
  const counts = Object.fromEntries(cases.map((name) => [name, 0])) as Record<Case, number>
  return {
    met(name: Case, times = 1) {
      counts[name] += times
    },
    expectAll() {
      const rare = cases.filter((name) => counts[name] < least)
      expect({ seed, rare, counts }).toEqual({ seed, rare: [], counts })
    },
  }
}
