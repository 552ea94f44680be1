import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { inspect, isDeepStrictEqual } from 'node:util'
import * as root from '@firmquote/sdk'
import * as jobs from '@firmquote/sdk/jobs'
import * as proofs from '@firmquote/sdk/proofs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import ts from 'typescript'
import * as viem from 'viem'
import { root as repository } from '../pack.ts'
import { stopAfter } from '../stopAfter.ts'
import { startExampleFixture } from './exampleFixture.ts'

// Type-checks every example in the SDK reference, and runs it against a real chain, server and backers.

/** The examples in the docstring of a function, class or method; empty if there are none. */
type DocumentedExample = { name: string; examples: readonly string[] }

const project = join(repository, 'tests/e2e')
const sourceOf = (name: string) => join(repository, 'packages/sdk/src', name)
const entry = sourceOf('index.ts')
const moreEntries = [sourceOf('jobs.ts'), sourceOf('proofs.ts')]
const sdk = { ...root, ...jobs, ...proofs }
const { config } = ts.readConfigFile(join(project, 'tsconfig.json'), ts.sys.readFile)
const options: ts.CompilerOptions = {
  ...ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, project).options,
  // An example may define values that it does not use.
  noUnusedLocals: false,
}
const program = ts.createProgram([entry, ...moreEntries], options)

/** Reads the examples of all importable functions, classes and methods of an entry point of the SDK. */
function readExamples(entry: string): DocumentedExample[] {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(entry)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new TypeError(`${entry} is not a module.`)
  const examplesOf = (symbol: ts.Symbol) =>
    symbol
      .getJsDocTags(checker)
      .filter(({ name }) => name === 'example')
      .map(({ text }) => codeOf(ts.displayPartsToString(text)))
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const { name } = exported
    if (typeof (sdk as Record<string, unknown>)[name] !== 'function') return []
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const methods = symbol.flags & ts.SymbolFlags.Class ? [...(symbol.members ?? new Map<string, ts.Symbol>())] : []
    return [
      { name, examples: examplesOf(symbol) },
      ...methods.flatMap(([method, member]) =>
        // When compiling sources, TypeScript names private methods `__#1@#name`.
        member.flags & ts.SymbolFlags.Method && !String(method).startsWith('__#')
          ? [{ name: `${name}.${method}`, examples: examplesOf(member) }]
          : [],
      ),
    ]
  })
}

/** Returns the code of an `@example`, without its fence. */
function codeOf(text: string): string {
  const [, code] = /^```ts\n([\s\S]*)\n```$/.exec(text.trim()) ?? []
  if (code === undefined) throw new SyntaxError(`This example is not a single fenced block:\n${text}`)
  return code
}

/** Type-checks examples with the types of the SDK, viem and the fixture. @returns the errors, each with its line. */
function checkExamples(examples: readonly string[]): string[] {
  const ofViem = Object.keys(viem).filter((name) => !(name in sdk))
  const text = [
    `import { ${Object.keys(root)} } from '@firmquote/sdk'`,
    `import { ${Object.keys(jobs)} } from '@firmquote/sdk/jobs'`,
    `import { ${Object.keys(proofs)} } from '@firmquote/sdk/proofs'`,
    `import { ${ofViem} } from 'viem'`,
    "import type { startExampleFixture } from './exampleFixture.ts'",
    'type Fixture = Awaited<ReturnType<typeof startExampleFixture>>',
    `const { ${scopeNames()} } = {} as Awaited<ReturnType<Fixture['prepare']>>`,
    ...examples.map((code, index) => `async function example${index}() {\n${code}\n}`),
  ].join('\n')
  const file = join(project, 'src/docs/examples.ts')
  const host = ts.createCompilerHost(options)
  const { readFile } = host
  host.readFile = (name) => (name === file ? text : readFile(name))
  const checked = ts.createProgram([file], options, host, program)
  const source = checked.getSourceFile(file)
  return [...checked.getSyntacticDiagnostics(source), ...checked.getSemanticDiagnostics(source)].map(
    ({ start = 0, messageText }) => {
      const line = text.slice(text.lastIndexOf('\n', start) + 1).split('\n', 1)[0]
      return `${line?.trim()}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    },
  )
}

/** Returns an example's identifiers, except for variables that it declares. */
function namesOf(example: string): ReadonlySet<string> {
  const wordsOf = (text: string): string[] => text.match(/(?<![\w$])[A-Za-z_]\w*/g) ?? []
  const code = example.replaceAll(/(?:^|\s)\/\/.*$/gm, '')
  const declared = [...code.matchAll(/\b(?:const|let) ([^=]+?) (?:=|of)/g)].flatMap(([, names = '']) => wordsOf(names))
  return new Set(wordsOf(code).filter((name) => !declared.includes(name)))
}

/**
 * Runs an example with these values by name. A comment after an expression states the expected value. Other comments
 * must be above the code they describe, or after a line ending with a comma.
 *
 * @throws the example's own error.
 * @throws {SyntaxError} if a comment follows another statement.
 * @throws {TypeError} if a value differs from its comment, or a comment is never reached.
 */
async function runExample(example: string, values: object): Promise<void> {
  let claims = 0
  const code = example.replaceAll(
    /^(?!\s*\/\/)(.*[^\s,]) +\/\/ *(.*)$/gm,
    (_line, expression: string, text: string) => `claim(${claims++}, (${expression}), ${JSON.stringify(text)})`,
  )
  const reached = new Set<number>()
  const claim = (index: number, value: unknown, text: string) => {
    reached.add(index)
    if (!isShownAs(value, text)) throw new TypeError(`${inspect(value)} is not ${text}`)
  }
  const scope = { ...viem, ...sdk, ...values, console: { log: () => {} }, claim }
  // The braces allow an example to redeclare a name from the scope.
  const run = new AsyncFunction(...Object.keys(scope), `{${stripTypeScriptTypes(code)}\n}`)
  await run(...Object.values(scope))
  if (reached.size < claims) throw new TypeError(`Only ${reached.size} of ${claims} values were reached.`)
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parameters: string[]
) => (...values: unknown[]) => Promise<void>

/**
 * Whether a value equals that of the expression `text`. If `text` ends with `…`, whether the value's text starts with
 * the rest of `text`.
 */
function isShownAs(value: unknown, text: string): boolean {
  if (text.endsWith('…')) return String(value).startsWith(text.slice(0, -1))
  return isDeepStrictEqual(value, new Function(`return ${text}`)())
}

/**
 * Returns names available to examples in addition to those of the SDK and viem. The names are read from the comment at
 * the top of the SDK.
 */
function scopeNames(): string[] {
  const [comment = ''] = readFileSync(entry, 'utf8').split('*/', 1)
  return [...new Set([...comment.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))]
}

const documented = readExamples(entry)
const examples = [...documented, ...moreEntries.flatMap(readExamples)].flatMap(({ name, examples }) =>
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
