import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect, isDeepStrictEqual } from 'node:util'
import * as sdk from '@firmquote/sdk'
import ts from 'typescript'
import * as viem from 'viem'
import { root } from '../pack.ts'

/** The examples of a function, a class or a method; none when its docstring has none. */
export type DocumentedExample = { name: string; examples: readonly string[] }

/** An example that can be run: `names` are its identifiers but for the variables that it declares at its top. */
export type RunnableExample = { code: string; claims: number; names: ReadonlySet<string> }

const folder = join(root, 'tests/e2e/src/docs')
const entry = join(root, 'packages/sdk/src/index.ts')
const options: ts.CompilerOptions = {
  ...ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tests/e2e/tsconfig.json'), ts.sys.readFile).config,
    { ...ts.sys, readDirectory: () => [] },
    join(root, 'tests/e2e'),
  ).options,
  // An example shows what is given, used or not.
  noUnusedLocals: false,
}

/** What an example may use without importing it, by the library that has it. */
const libraries = { '@firmquote/sdk': Object.keys(sdk), viem: Object.keys(viem).filter((name) => !(name in sdk)) }

const host = ts.createCompilerHost(options)
const { fileExists, readFile, getSourceFile } = host
/** Files of libraries, which every program reads. */
const parsed = new Map<string, ts.SourceFile | undefined>()
host.getSourceFile = (file, ...rest) => {
  if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...rest))
  return parsed.get(file)
}

/** Every function, class and method that can be imported from the SDK, with its examples, as its declarations have them. */
export function readExamples(): DocumentedExample[] {
  const program = ts.createProgram([entry], options, host)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(entry)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new TypeError(`${entry} is no module.`)
  const examplesOf = (symbol: ts.Symbol) =>
    symbol
      .getJsDocTags(checker)
      .filter(({ name }) => name === 'example')
      .map(({ text }) => codeOf(ts.displayPartsToString(text)))
  return checker.getExportsOfModule(module).flatMap((exported) => {
    const { name } = exported
    // `export type *` also exports the types of functions and classes, which cannot be used as values.
    if (typeof (sdk as Record<string, unknown>)[name] !== 'function') return []
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    const methods = symbol.flags & ts.SymbolFlags.Class ? [...(symbol.members ?? new Map<string, ts.Symbol>())] : []
    return [
      { name, examples: examplesOf(symbol) },
      ...methods.flatMap(([method, member]) =>
        // The compiler names private methods of sources `__#1@#name`.
        member.flags & ts.SymbolFlags.Method && !String(method).startsWith('__#')
          ? [{ name: `${name}.${method}`, examples: examplesOf(member) }]
          : [],
      ),
    ]
  })
}

/** Type-checks examples with the types of the SDK, of viem and of `ExampleNames`. @returns what is wrong, by the line. */
export function checkExamples(examples: readonly string[]): string[] {
  const globals = [
    ...scopeNames().map((name) => `const ${name}: import('./exampleNames.ts').ExampleNames['${name}']`),
    ...Object.entries(libraries).flatMap(([library, names]) =>
      names.map((name) => `const ${name}: typeof import('${library}').${name}`),
    ),
  ]
  const files = new Map([
    [join(folder, 'exampleGlobals.ts'), `export {}\ndeclare global {\n${globals.join('\n')}\n}`],
    // The code begins in the first line, so that lines count as in the example.
    ...examples.map((code, index) => [join(folder, `example${index}.ts`), `export {}; ${code}`] as const),
  ])
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    fileExists: (file) => files.has(file) || fileExists(file),
    readFile: (file) => files.get(file) ?? readFile(file),
    getSourceFile: (file, version, ...rest) => {
      const text = files.get(file)
      return text === undefined
        ? host.getSourceFile(file, version, ...rest)
        : ts.createSourceFile(file, text, version, true)
    },
  })
  return [...files.keys()].flatMap((file) => {
    const source = program.getSourceFile(file)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ start = 0, messageText }) => {
        const { line } = ts.getLineAndCharacterOfPosition(source as ts.SourceFile, start)
        const text = files.get(file)?.split('\n')[line]?.replace('export {}; ', '')
        return `${text?.trim()}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
      },
    )
  })
}

/**
 * Makes an example the body of an async function. The comment behind an expression says its value: the body calls `claim` with the
 * value and that text. Any other comment stands above what it is about.
 *
 * @throws {SyntaxError} when a comment stands behind another statement.
 */
export function compileExample(example: string): RunnableExample {
  const source = ts.createSourceFile('example.ts', example, ts.ScriptTarget.ES2022, true)
  const edits: { at: number; text: string }[] = []
  const [used, declared] = [new Set<string>(), new Set<string>()]
  let claims = 0
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) used.add(node.text)
    if (ts.isVariableDeclaration(node) && node.parent.parent.parent === source) {
      for (const name of declaredNames(node.name)) declared.add(name)
    }
    const comment = ts.isStatement(node) ? commentBehind(example, node) : undefined
    if (comment !== undefined) {
      if (!ts.isExpressionStatement(node)) throw new SyntaxError(`"${comment}" stands behind a statement of no value.`)
      edits.push(
        { at: node.getStart(), text: `claim(${claims}, (` },
        { at: node.end, text: `), ${JSON.stringify(comment)})` },
      )
      claims += 1
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  const marked = edits
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: inserted }) => text.slice(0, at) + inserted + text.slice(at), example)
  const { outputText: code } = ts.transpileModule(`export {}\n${marked}`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  })
  return {
    code: code.replace('export {};', ''),
    claims,
    names: new Set([...used].filter((name) => !declared.has(name))),
  }
}

/**
 * Runs an example; `values` has what its names stand for.
 *
 * @throws what the example throws.
 * @throws {TypeError} when a value is not what the comment behind it says, or was never reached.
 */
export async function runExample({ code, claims, names }: RunnableExample, values: object): Promise<void> {
  const reached = new Set<number>()
  const claim = (index: number, value: unknown, text: string) => {
    reached.add(index)
    if (!isShownAs(value, text)) throw new TypeError(`${inspect(value)} is not ${text}`)
  }
  const known = Object.entries({ ...viem, ...sdk, ...values, console: { log: () => {} } })
  const scope = Object.fromEntries([...known.filter(([name]) => names.has(name)), ['claim', claim]])
  await new AsyncFunction(...Object.keys(scope), code)(...Object.values(scope))
  if (reached.size < claims) throw new TypeError(`Of ${claims} values only ${reached.size} were reached.`)
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parameters: string[]
) => (...values: unknown[]) => Promise<void>

/** Whether a value is that of an expression; with `…` at its end, whether its text begins with it. */
function isShownAs(value: unknown, text: string): boolean {
  if (text.endsWith('…')) return String(value).startsWith(text.slice(0, -1))
  return isDeepStrictEqual(value, new Function(`return ${text}`)())
}

/** The names of `ExampleNames`. */
export function scopeNames(): string[] {
  const file = join(folder, 'exampleNames.ts')
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true)
  const type = source.statements.find(ts.isTypeAliasDeclaration)?.type
  if (!type || !ts.isTypeLiteralNode(type)) throw new TypeError(`${file} has no ExampleNames.`)
  return type.members.map((member) => member.name?.getText() ?? '')
}

/** The code of an `@example`, which stands in a fence. */
function codeOf(text: string): string {
  const [, code] = /^```ts\n([\s\S]*)\n```$/.exec(text.trim()) ?? []
  if (code === undefined) throw new SyntaxError(`This example has no fence of its own:\n${text}`)
  return code
}

function commentBehind(text: string, { end }: ts.Node): string | undefined {
  return /^[ \t]*\/\/\s*(.*)/.exec(text.slice(end).split('\n', 1)[0] ?? '')?.[1]
}

function declaredNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : declaredNames(element.name)))
}
