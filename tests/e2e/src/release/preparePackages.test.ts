import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { licenceReports, parseReport } from '../../../../scripts/licences/licenceReport.ts'
import { type PreparedPackage, preparePackages } from '../../../../scripts/release/preparePackages.mjs'
import { publishedPackages } from '../../../../scripts/release/publishedPackages.mjs'
import { readPrepared } from '../../../../scripts/release/publishPackages.mjs'
import { config } from './config.ts'

let folder: string
let prepared: PreparedPackage[]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-prepare-'))
  prepared = preparePackages(join(folder, 'packages'), config)
  for (const { name, file } of prepared) {
    mkdirSync(contentOf(name), { recursive: true })
    execFileSync('tar', ['-xzf', join(folder, 'packages', file), '--strip-components=1', '-C', contentOf(name)])
  }
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

const contentOf = (name: string) => join(folder, name)
const names = publishedPackages().map(({ name }) => name)

test('default: all packages are there, as release.json says, each after those that it needs', () => {
  expect(prepared.map(({ name }) => name)).toEqual(names)
  expect(readPrepared(join(folder, 'packages'))).toEqual(prepared)
  expect(names.indexOf('@firmquote/core')).toBeLessThan(names.indexOf('@firmquote/sdk'))
  expect(names.indexOf('@firmquote/sdk')).toBeLessThan(names.indexOf('@firmquote/cli'))
})

test.each(names)(
  'default: the tarball of %s says where it comes from, with its licence, and leads nowhere that is not there',
  (name) => {
    const content = contentOf(name)
    const manifest = JSON.parse(readFileSync(join(content, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({
      author: config.author,
      homepage: config.homepage,
      repository: { url: 'git+https://github.com/example/firmquote.git' },
      publishConfig: { access: 'public', provenance: true },
    })
    expect(JSON.stringify(manifest)).not.toContain('workspace:')
    expect([manifest.scripts, manifest.devDependencies]).toEqual([undefined, undefined])
    expect(readFileSync(join(content, 'LICENSE'), 'utf8')).toMatch(/^MIT License\n/)
    const documents = readdirSync(content).filter((file) => file.endsWith('.md'))
    expect(documents).toContain('README.md')
    for (const document of documents) {
      const prose = readFileSync(join(content, document), 'utf8').replaceAll(/```.*?```/gs, '')
      const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
      expect(links.filter((link) => !/^(https?:|mailto:|#)/.test(link))).toEqual([])
    }
  },
)

test('behavior: a tarball with parts of others names them', () => {
  const bundled = (name: string) =>
    licenceReports(join(contentOf(name), 'dist'))
      .flatMap(parseReport)
      .map(({ label }) => label.replace(/@[^@]+$/, ''))
  expect(bundled('@firmquote/addresses')).toEqual(['@noble/hashes'])
  expect(bundled('@firmquote/sdk')).toEqual(['eventsource-parser'])
  const server = bundled('@firmquote/server')
  // The page's libraries, its font, what is built into the SDK that it has, and Swagger UI.
  expect(server).toEqual(
    expect.arrayContaining(['react', 'viem', '@fontsource-variable/inter', 'eventsource-parser', 'swagger-ui-dist']),
  )
  expect(existsSync(join(contentOf('@firmquote/server'), 'dist/web/THIRD_PARTY_LICENSES.txt'))).toBe(true)
  for (const name of ['core', 'react', 'cli', 'daemon']) expect(bundled(`@firmquote/${name}`)).toEqual([])
})

test('error: a folder that is not empty is left as it is', () => {
  const used = join(folder, 'used')
  mkdirSync(used)
  writeFileSync(join(used, 'mine.txt'), '')
  expect(() => preparePackages(used, config)).toThrow('is not empty')
  expect(readdirSync(used)).toEqual(['mine.txt'])
})
