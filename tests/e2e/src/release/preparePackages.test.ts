import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { licenceReports, parseReport } from '../../../../scripts/licences/licenceReport.ts'
import { type PreparedPackage, preparePackages } from '../../../../scripts/release/preparePackages.ts'
import { publishedPackages } from '../../../../scripts/release/publishedPackages.ts'
import { writeSboms } from '../../../../scripts/release/writeSboms.ts'
import { config } from './config.ts'

let prepared: PreparedPackage[]

useFolder(beforeAll, afterAll)
beforeAll(() => {
  prepared = preparePackages(join(folder, 'out'), config)
}, 60_000)

const contentOf = (name: string) => join(folder, 'out/packages', basename(name))
const names = publishedPackages().map(({ name }) => name)

test('default: prepares all packages reproducibly, dependencies first', () => {
  const order = prepared.map(({ name }) => name)
  expect([...order].sort()).toEqual([...names].sort())
  for (const name of order) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(contentOf(name), 'package.json'), 'utf8'))
    for (const dependency of Object.keys(dependencies).filter((one) => names.includes(one)))
      expect(order.indexOf(dependency)).toBeLessThan(order.indexOf(name))
  }
  expect(JSON.parse(readFileSync(join(folder, 'out/release.json'), 'utf8'))).toEqual(prepared)
  for (const { file, integrity } of prepared) {
    const hash = createHash('sha512').update(readFileSync(join(folder, 'out', file)))
    expect(`sha512-${hash.digest('base64')}`).toBe(integrity)
  }
  expect(preparePackages(join(folder, 'again'), config)).toEqual(prepared)
})

test.each(names)('default: %s contains its origin and licence, and its links are valid', (name) => {
  const content = contentOf(name)
  const manifest = JSON.parse(readFileSync(join(content, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({
    author: config.author,
    homepage: config.homepage,
    repository: { url: 'git+https://github.com/example/firmquote.git' },
    publishConfig: { access: 'public', provenance: true },
  })
  expect(JSON.stringify(manifest)).not.toMatch(/workspace:|@firmquote\/source/)
  expect([manifest.scripts, manifest.devDependencies]).toEqual([undefined, undefined])
  expect(readFileSync(join(content, 'LICENSE'), 'utf8')).toMatch(/^MIT License\n/)
  const documents = readdirSync(content).filter((file) => file.endsWith('.md'))
  expect(documents).toContain('README.md')
  for (const document of documents) {
    const prose = readFileSync(join(content, document), 'utf8').replaceAll(/```.*?```/gs, '')
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !/^(https?:|mailto:|#)/.test(link))).toEqual([])
  }
})

test('behavior: a tarball and its bill of materials list the bundled packages', () => {
  const bundled = (name: string) =>
    licenceReports(join(contentOf(name), 'dist'))
      .flatMap(parseReport)
      .map(({ label }) => label.replace(/@[^@]+$/, ''))
  expect(bundled('@firmquote/addresses')).toEqual(['@noble/hashes'])
  // The web app's libraries and font, and Swagger UI.
  const inServer = ['react', 'viem', '@fontsource-variable/inter', 'swagger-ui-dist']
  expect(bundled('@firmquote/server')).toEqual(expect.arrayContaining(inServer))
  expect(existsSync(join(contentOf('@firmquote/server'), 'dist/web/THIRD_PARTY_LICENSES.txt'))).toBe(true)
  expect(bundled('@firmquote/core')).toEqual(['ox'])
  expect(bundled('@firmquote/daemon')).toEqual(['@noble/ciphers', '@noble/curves', '@noble/hashes', 'ox'])
  for (const name of ['sdk', 'react', 'cli', 'verify']) expect(bundled(`@firmquote/${name}`)).toEqual([])

  writeSboms(join(folder, 'sbom'))
  expect(readdirSync(join(folder, 'sbom'))).toHaveLength(names.length)
  const { components } = JSON.parse(readFileSync(join(folder, 'sbom/firmquote-server.json'), 'utf8'))
  const purls: string[] = components.map(({ purl }: { purl: string }) => decodeURIComponent(purl))
  // The first package is installed along with the server, and the others are bundled.
  for (const name of ['better-sqlite3', ...inServer])
    expect(purls.filter((purl) => purl.startsWith(`pkg:npm/${name}@`))).toHaveLength(1)
})

test('error: does not change a folder that is not empty', () => {
  const before = readdirSync(join(folder, 'out'))
  expect(() => preparePackages(join(folder, 'out'), config)).toThrow('is not empty')
  expect(readdirSync(join(folder, 'out'))).toEqual(before)
})
