import { describe, expect, test } from '@jest/globals'
import { drawHistory, type History } from './plan.ts'
import { shrinkHistory } from './shrinkHistory.ts'
import { runHistory } from './world.ts'

describe('a history', () => {
  test('behavior: the same seed produces the same history, and a different seed a different one', async () => {
    const hashOf = async (seed: number) => (await runHistory(drawHistory(seed, 'default'))).hash
    const [one, again, other] = [await hashOf(7), await hashOf(7), await hashOf(8)]
    expect(again).toBe(one)
    expect(other).not.toBe(one)
  })

  test('behavior: every action can be removed', async () => {
    const history = drawHistory(11, 'default')
    const half: History = { ...history, actions: history.actions.filter((_, index) => index % 2 === 0) }
    expect((await runHistory(half)).violations).toEqual([])
    expect((await runHistory({ ...history, actions: [] })).violations).toEqual([])
  })
})

describe('shrinkHistory', () => {
  test('default: keeps only the actions that the failure requires', async () => {
    const history = drawHistory(5, 'default')
    const [one, two] = [history.actions.find(({ do: kind }) => kind === 'auction'), history.actions.at(-1)]
    const needed = [one, two].flatMap((action) => (action ? [action.at] : []))
    const shortest = await shrinkHistory(history, async ({ actions }) =>
      needed.every((at) => actions.some((action) => action.at === at)),
    )
    expect(new Set(shortest.actions.map(({ at }) => at))).toEqual(new Set(needed))
    expect(shortest.actions).toHaveLength(2)
  })
})
