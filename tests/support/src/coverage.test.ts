import { describe, expect, test } from '@jest/globals'
import { createCoverage, playUntilMet } from './coverage.ts'

test('createCoverage: a case is rare until it has been met often enough', () => {
  const { met, rare } = createCoverage({ fill: 2, restart: 1 })
  met('fill')
  expect(rare()).toEqual(['fill 1 of 2', 'restart 0 of 1'])
  met('fill')
  met('restart', 3)
  expect(rare()).toEqual([])
})

describe('playUntilMet', () => {
  test('default: tries consecutive seeds until every case has been met', async () => {
    const seeds: number[] = []
    const play = async (seed: number, met: (name: 'fill') => void) => {
      seeds.push(seed)
      if (seed > 8) met('fill')
    }
    await playUntilMet({ fill: 2 }, play, { seed: 8 })
    expect(seeds).toEqual([8, 9, 10])
  })

  test('error: lists the cases that are still rare after the last run', async () => {
    const play = (_: number, met: (name: 'fill' | 'restart') => void) => met('fill')
    await expect(playUntilMet({ fill: 3, restart: 1 }, play, { seed: 8, most: 2 })).rejects.toThrow(
      'Cases met too rarely with SEED=8 in 2 runs: fill 2 of 3, restart 0 of 1',
    )
  })

  test('error: rethrows the error of a run', async () => {
    const play = () => Promise.reject(new TypeError('broken'))
    await expect(playUntilMet({ fill: 1 }, play)).rejects.toThrow('broken')
  })
})
