import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { stopAfter } from '../stopAfter.ts'
import { startExampleFixture } from './exampleFixture.ts'
import { checkExamples, namesOf, readExamples, runExample, scopeNames } from './sdkExamples.ts'

// Type-checks every example in the SDK reference, and runs it against a real chain, server and backers.

const documented = readExamples()
const examples = documented.flatMap(({ name, examples }) =>
  examples.map((code) => ({ name, code, names: namesOf(code) })),
)

describe('the examples in the docstrings', () => {
  const started = stopAfter(afterAll)
  const failures = new Map<string, unknown>()

  // Runs examples concurrently, since most of them wait for an auction. Examples that need a matured series run
  // afterwards.
  beforeAll(async () => {
    const fixture = started(await startExampleFixture())
    const afterExpiry: (() => Promise<void>)[] = []
    const attempt = (code: string, run: () => Promise<void>) =>
      run().catch((error: unknown) => void failures.set(code, error))
    await Promise.all(
      examples.map(({ code, names }) =>
        attempt(code, async () => {
          const values = await fixture.prepare(names)
          const run = () => runExample(code, { ...values, RFQWebSocketClient: fixture.RFQWebSocketClient })
          if (names.has('position')) afterExpiry.push(() => attempt(code, run))
          else await run()
        }),
      ),
    )
    await fixture.passExpiry()
    await Promise.all(afterExpiry.map((run) => run()))
  }, 60_000)

  test('behavior: every function, class and method has an example', () => {
    expect(documented.length).toBeGreaterThan(100)
    expect(documented.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([])
  })

  test('behavior: all of them type-check, and an incorrect one is reported', () => {
    const wrong = "const rate = '5'\nformatRate(rate)"
    expect(checkExamples([...examples.map(({ code }) => code), wrong])).toEqual([
      "formatRate(rate): Argument of type 'string' is not assignable to parameter of type 'number'.",
    ])
  })

  test.each(examples)('behavior: the example of $name works as stated', ({ code }) => {
    expect(failures.get(code)).toBeUndefined()
  })

  test('behavior: each name listed in the reference is used by an example', () => {
    const used = new Set(examples.flatMap(({ names }) => [...names]))
    expect(scopeNames().length).toBeGreaterThan(20)
    expect(scopeNames().filter((name) => !used.has(name))).toEqual([])
  })
})

describe('a wrong example', () => {
  test.each([
    ["formatRate(5.25) // '5.26%'", "'5.25%' is not '5.26%'"],
    ['aprToApy(5) // 5.128…', 'is not 5.128…'],
    ['try {\n  formatRate(1)\n} catch (error) {\n  error // 1\n}', 'Only 0'],
    ['formatRate(-1)', 'must be a non-negative number'],
  ])('error: %s', async (code, message) => {
    await expect(runExample(code, {})).rejects.toThrow(message)
  })

  test('error: a comment after a statement without a value', async () => {
    await expect(runExample('const rate = formatRate(5) // 5.00%', {})).rejects.toThrow('Expression expected')
  })
})
