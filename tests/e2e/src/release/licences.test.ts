import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { allowedLicences, chooseLicences } from '../../../../scripts/licences/allowedLicences.ts'
import {
  type BundledPackage,
  formatReport,
  licenceOfBuild,
  parseReport,
  reportName,
} from '../../../../scripts/licences/licenceReport.ts'
import { reportLicences } from '../../../../scripts/licences/reportLicences.ts'

describe('chooseLicences', () => {
  test.each([
    ['MIT', ['MIT']],
    ['(MIT OR GPL-3.0-only)', ['MIT']],
    ['GPL-3.0-only OR ISC', ['ISC']],
    ['(Apache-2.0 AND MIT)', ['Apache-2.0', 'MIT']],
    ['MIT AND (GPL-2.0-only OR 0BSD)', ['MIT', '0BSD']],
  ])('default: %s', (expression, expected) => {
    expect(chooseLicences(expression)).toEqual(expected)
  })

  test.each([
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'BUSL-1.1',
    'SEE LICENSE IN LICENSE.md',
    'UNLICENSED',
    '',
    'Apache',
    'MIT WITH LLVM-exception',
  ])('error: %j is not allowed', (expression) => {
    expect(chooseLicences(expression)).toBeUndefined()
  })

  test('behavior: every allowed licence requires at most attribution', () => {
    expect(allowedLicences.filter((id) => /GPL|MPL|EPL|CDDL|BUSL|SSPL|CC-BY-SA|CC-BY-NC|Commons/.test(id))).toEqual([])
  })
})

describe('formatReport', () => {
  const of = (label: string, licence: string, text = `Text of ${label} (c)\n\nMore.`): BundledPackage => ({
    label,
    licence,
    text,
  })
  const packages = [of('b@1.0.0', 'ISC'), of('@a/a@2.0.0-rc.1', 'MIT OR GPL-3.0-only'), of('b@1.0.0', 'ISC')]

  test('default: names each package once, sorted, and parses back', () => {
    expect(parseReport(formatReport(packages))).toEqual([packages[1], packages[0]])
    const withRule = of('b@1.0.0', 'ISC', `One.\n\n${'-'.repeat(80)}\n\nx@1.0.0 (MIT)`)
    expect(parseReport(formatReport([withRule])).map(({ label }) => label)).toEqual(['b@1.0.0'])
  })

  test('error: names every package that must not be bundled, and rejects other texts', () => {
    expect(() => formatReport([...packages, of('c@1.0.0', 'GPL-3.0-only'), of('d@1.0.0', '')])).toThrow(
      ': c@1.0.0 (GPL-3.0-only), d@1.0.0 (without a licence).',
    )
    expect(() => parseReport('MIT License')).toThrow('Not a licence report')
  })

  test("default: a build's licence combines the licences of its contents", () => {
    const reports = [formatReport(packages), formatReport([of('c@1.0.0', 'Apache-2.0 AND MIT')])]
    expect(licenceOfBuild('MIT', reports)).toBe('MIT AND Apache-2.0 AND ISC')
    expect(licenceOfBuild('MIT', [])).toBe('MIT')
  })
})

describe('a build', () => {
  let folder: string
  beforeEach(() => {
    folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'firmquote-licences-'))), 'own')
    write('package.json', JSON.stringify({ name: 'own', version: '1.0.0', license: 'MIT' }))
  })
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

  const file = (name: string) => join(folder, name)
  function write(name: string, text: string) {
    mkdirSync(join(file(name), '..'), { recursive: true })
    writeFileSync(file(name), text)
  }
  function install(name: string, manifest: Record<string, unknown>, texts: Record<string, string> = {}) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', type: 'module', ...manifest }))
    write(`node_modules/${name}/index.js`, `export const value = ${JSON.stringify(name)}\n`)
    for (const [text, content] of Object.entries(texts)) write(`node_modules/${name}/${text}`, content)
  }
  const use = (...names: string[]) =>
    write(
      'main.js',
      names.map((name, index) => `import { value as v${index} } from '${name}'\nconsole.log(v${index})\n`).join(''),
    )
  const bundle = (also: string[] = []) =>
    build({
      entryPoints: [file('main.js')],
      absWorkingDir: folder,
      outdir: file('dist'),
      bundle: true,
      format: 'esm',
      logLevel: 'silent',
      plugins: [reportLicences({ folder: file('dist'), also })],
    })
  const report = () => parseReport(readFileSync(file(`dist/${reportName}`), 'utf8'))

  test('default: reports bundled packages with all of their texts, but not those removed by tree shaking', async () => {
    install('a', { license: 'MIT' }, { LICENSE: 'Text of a.', NOTICE: 'Notice of a.' })
    install('@s/b', { license: '(ISC OR GPL-3.0-only)' }, { 'licence.md': 'Text of b.' })
    install('unused', { license: 'GPL-3.0-only', sideEffects: false })
    use('a', '@s/b')
    write('main.js', `${readFileSync(file('main.js'), 'utf8')}import { value } from 'unused'\n`)
    await bundle()
    expect(report()).toEqual([
      { label: '@s/b@1.0.0', licence: 'ISC OR GPL-3.0-only', text: 'Text of b.' },
      { label: 'a@1.0.0', licence: 'MIT', text: 'Text of a.\n\nNotice of a.' },
    ])
  })

  test('behavior: reports a package copied into the build, and removes an old report', async () => {
    install('c', { license: 'MIT' }, { LICENSE: 'Text of c.' })
    write('main.js', 'console.log(1)\n')
    await bundle([file('node_modules/c')])
    expect(report()).toEqual([{ label: 'c@1.0.0', licence: 'MIT', text: 'Text of c.' }])
    await bundle()
    expect(existsSync(file(`dist/${reportName}`))).toBe(false)
  })

  test("error: another workspace package's build may contain third-party code", async () => {
    write('../other/dist/index.js', 'export const value = 1\n')
    use('../other/dist/index.js')
    await expect(bundle()).rejects.toThrow('other/dist/index.js: bundle a workspace package from its sources.')
  })

  test('behavior: adds the text of a licence that is only named', async () => {
    install('a', { license: 'MIT', author: { name: 'Ann' } })
    install('b', { license: 'Unlicense' })
    install('c', { license: 'Apache-2.0' }, { NOTICE: 'Notice of c.' })
    use('a', 'b', 'c')
    await bundle()
    const [a, b, c] = report().map(({ text }) => text)
    expect(a).toMatch(/^MIT License\n\nCopyright \(c\) Ann\n\nPermission is hereby granted/)
    expect(b).toContain('does not require one')
    expect(c).toMatch(/^Notice of c\.[\s\S]*TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION/)
  })

  test.each([
    ['of a licence that is not allowed', { license: 'GPL-3.0-only' }, { LICENSE: 'x' }, 'a@1.0.0 (GPL-3.0-only)'],
    ['without a licence', {}, { LICENSE: 'x' }, 'a@1.0.0 (without a licence)'],
    ['without the text of its licence', { license: 'ISC' }, {}, 'a@1.0.0 (ISC) ships no licence text'],
  ])('error: a package %s ends the build', async (_what, manifest, texts, message) => {
    install('a', manifest, texts as Record<string, string>)
    use('a')
    await expect(bundle()).rejects.toThrow(message)
    expect(existsSync(file(`dist/${reportName}`))).toBe(false)
  })
})
