import { describe, expect, test } from '@jest/globals'
import { parseCommandLine } from './commandLine.ts'
import { drawHistory, type History, type ScenarioName, scenarios } from './plan.ts'
import { shrinkHistory } from './shrinkHistory.ts'
import { runHistory } from './world.ts'

const names = Object.keys(scenarios) as ScenarioName[]

describe('a history', () => {
  test('behavior: the same seed gives the same history, and another one another', async () => {
    const hashOf = async (seed: number) => (await runHistory(drawHistory(seed, 'default'))).hash
    const [one, again, other] = [await hashOf(7), await hashOf(7), await hashOf(8)]
    expect(again).toBe(one)
    expect(other).not.toBe(one)
  })

  test('behavior: every action can be left out', async () => {
    const history = drawHistory(11, 'default')
    const half: History = { ...history, actions: history.actions.filter((_, index) => index % 2 === 0) }
    expect((await runHistory(half)).violations).toEqual([])
    expect((await runHistory({ ...history, actions: [] })).violations).toEqual([])
  })
})

describe('shrinkHistory', () => {
  test('default: keeps what the failure needs, and nothing else', async () => {
    const history = drawHistory(5, 'default')
    const [one, two] = [history.actions.find(({ do: kind }) => kind === 'auction'), history.actions.at(-1)]
    const needed = [one, two].flatMap((action) => (action ? [action.at] : []))
    const shortest = await shrinkHistory(history, async ({ actions }) =>
      needed.every((at) => actions.some((action) => action.at === at)),
    )
    expect(new Set(shortest.actions.map(({ at }) => at))).toEqual(new Set(needed))
    expect(shortest.actions).toHaveLength(2)
    for (const action of shortest.actions) if (action.do === 'auction') expect(action.steps).toEqual([])
  })
})

describe('parseCommandLine', () => {
  const parse = (...args: string[]) => parseCommandLine(args, () => 42)

  test('default', () => {
    expect(parse()).toMatchObject({ options: { seeds: 600, from: 42, limitMs: null, scenarios: names } })
    expect(parse('--minutes', '0.5', '--scenario', 'chain', '--from', '7')).toMatchObject({
      options: { from: 7, limitMs: 30_000, scenarios: ['chain'] },
    })
    expect(parse('--help')).toHaveProperty('text')
  })

  test.each([
    ['--seeds', '0'],
    ['--seeds', 'many'],
    ['--from', '-1'],
    ['--from', '1000000001'],
    ['--minutes', '0'],
    ['--scenario', 'none'],
    ['--unknown', '1'],
    ['tie', ''],
  ])('error: %s %s', (...args) => {
    expect(parse(...args.filter((arg) => arg !== ''))).toHaveProperty('mistake')
  })
})
