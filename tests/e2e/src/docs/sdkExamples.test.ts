import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { root } from '../pack.ts'
import { type ExampleFixture, startExampleFixture } from './exampleFixture.ts'
import { checkExamples, compileExample, readExamples, runExample, scopeNames } from './sdkExamples.ts'

// Every example of the SDK's reference is type-checked, and run against a real chain, server and backers.

const documented = readExamples()
const examples = documented.flatMap(({ name, examples }) =>
  examples.map((code) => ({ name, code, runnable: compileExample(code) })),
)

describe('the examples of the docstrings', () => {
  let fixture: ExampleFixture
  const failures = new Map<string, unknown>()

  // All at once, since most of them wait for an auction; behind them those that begin when the series has ended.
  beforeAll(async () => {
    fixture = await startExampleFixture()
    const afterExpiry: (() => Promise<void>)[] = []
    const attempt = (code: string, run: () => Promise<void>) =>
      run().catch((error: unknown) => void failures.set(code, error))
    await Promise.all(
      examples.map(({ code, runnable }) =>
        attempt(code, async () => {
          const values = await fixture.prepare(runnable.names)
          const run = () => runExample(runnable, values)
          if (runnable.names.has('position')) afterExpiry.push(() => attempt(code, run))
          else await run()
        }),
      ),
    )
    await fixture.passExpiry()
    await Promise.all(afterExpiry.map((run) => run()))
  }, 60_000)
  afterAll(() => fixture?.stop(), 30_000)

  test('behavior: every function, class and method has one', () => {
    expect(documented.length).toBeGreaterThan(100)
    expect(documented.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([])
  })

  test('behavior: all of them are right by their types, and one that is wrong is told', () => {
    const wrong = "const rate = '5'\nformatRate(rate)"
    expect(checkExamples([...examples.map(({ code }) => code), wrong])).toEqual([
      "formatRate(rate): Argument of type 'string' is not assignable to parameter of type 'number'.",
    ])
  })

  test.each(examples)('behavior: $name does what its example says', ({ code }) => {
    expect(failures.get(code)).toBeUndefined()
  })

  test('behavior: the reference tells what each name of an example stands for', () => {
    const [comment = ''] =
      /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(join(root, 'packages/sdk/src/index.ts'), 'utf8')) ?? []
    const told = [...comment.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(told).toEqual(expect.arrayContaining(scopeNames()))
    const used = new Set(examples.flatMap(({ runnable }) => [...runnable.names]))
    expect(scopeNames().filter((name) => !used.has(name))).toEqual([])
  })
})

describe('what is held against an example', () => {
  const run = (code: string) => runExample(compileExample(code), {})

  test('default: the comment behind an expression is its value', async () => {
    await expect(run("formatRate(5.25) // '5.25%'\naprToApy(5) // 5.127…")).resolves.toBeUndefined()
    await expect(run("formatRate(5.25) // '5.26%'")).rejects.toThrow("'5.25%' is not '5.26%'")
    await expect(run('aprToApy(5) // 5.128…')).rejects.toThrow('is not 5.128…')
  })

  test('behavior: each value must be reached', async () => {
    await expect(run('try {\n  formatRate(1)\n} catch (error) {\n  error // 1\n}')).rejects.toThrow('only 0')
  })

  test('behavior: a name of the example itself stands before that of the library', async () => {
    expect([...compileExample('const { quotes: [best] } = result').names]).toEqual(['quotes', 'result'])
  })

  test('behavior: what it throws', async () => {
    await expect(run('formatRate(-1)')).rejects.toThrow('must be a number from 0 upwards')
  })

  test.each(['const rate = formatRate(5) // 5.00%', 'if (notional > 0n) formatRate(5)  //5.00%'])(
    'error: a comment behind what has no value: %s',
    (code) => {
      expect(() => compileExample(code)).toThrow(SyntaxError)
    },
  )
})
