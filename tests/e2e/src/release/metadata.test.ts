import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { isSubject } from '../../../../scripts/checkSubjects.mjs'
import { judgeReleaseConfig, loadReleaseConfig } from '../../../../scripts/release/releaseConfig.ts'
import { judgeManifest, releaseManifest } from '../../../../scripts/release/releaseManifest.ts'
import { root } from '../pack.ts'
import { config } from './config.ts'

describe('judgeReleaseConfig', () => {
  test('default: accepts complete settings', () => {
    expect(judgeReleaseConfig(config)).toEqual([])
    const byMail = { bugs: 'mailto:bugs@firmquote.example', author: 'Ann <ann@firmquote.example>' }
    expect(judgeReleaseConfig({ ...config, ...byMail })).toEqual([])
  })

  test.each<[string, unknown]>([
    ...Object.keys(config).map((name): [string, null] => [name, null]),
    ['repository', 'https://github.com/example/firmquote.git'],
    ['repository', 'https://gitlab.com/example/firmquote'],
    ['homepage', 'http://firmquote.example'],
    ['homepage', 'firmquote.example'],
    ['bugs', 'bugs@firmquote.example'],
    ['author', ' '],
    ['author', 'Ann <ann>'],
    ['docs', 'https://firmquote.example/docs'],
    ['docs', 'https://firmquote.example/learn/'],
    ['docs', 3],
  ])('error: %s is %j', (name, value) => {
    expect(judgeReleaseConfig({ ...config, [name]: value })).toEqual([
      expect.stringContaining(`${name}: is ${JSON.stringify(value)}; it must be `),
    ])
  })

  test('error: an unknown setting', () => {
    expect(judgeReleaseConfig({ ...config, licence: 'MIT' })).toEqual([expect.stringContaining('licence: unknown')])
  })

  test("behavior: the repository's settings contain every name, and an empty value prevents a release", () => {
    const file = join(root, 'release.config.json')
    const settings = JSON.parse(readFileSync(file, 'utf8'))
    expect(Object.keys(settings).sort()).toEqual(Object.keys(config).sort())
    expect(judgeReleaseConfig(settings, false)).toEqual([])
    expect(() => loadReleaseConfig(join(root, 'package.json'))).toThrow('does not allow a release:\n  name: unknown')
  })
})

const manifest = {
  name: '@firmquote/a',
  version: '1.2.3',
  description: 'A.',
  keywords: ['firmquote', 'b', 'c', 'd'],
  license: 'MIT',
  engines: { node: '>=20' },
  files: ['dist'],
  publishConfig: { access: 'public', provenance: true },
  scripts: { build: 'tsup', prepublishOnly: 'node ../../scripts/release.mjs refuse' },
  devDependencies: { tsup: '1.0.0' },
}

test("default: a published package.json contains the package's origin, without scripts and devDependencies", () => {
  const { scripts: _, devDependencies: __, ...kept } = manifest
  expect(releaseManifest(manifest, config, 'packages/a')).toEqual({
    ...kept,
    homepage: config.homepage,
    bugs: { url: config.bugs },
    repository: { type: 'git', url: 'git+https://github.com/example/firmquote.git', directory: 'packages/a' },
    author: config.author,
  })
  const { bugs } = releaseManifest(manifest, { ...config, bugs: 'mailto:bugs@firmquote.example' }, 'packages/a')
  expect(bugs).toEqual({ email: 'bugs@firmquote.example' })
})

test.each<[string, unknown]>([
  ['version', 'next'],
  ['description', ''],
  ['keywords', ['firmquote']],
  ['keywords', ['a', 'b', 'c', 'd']],
  ['license', undefined],
  ['engines', {}],
  ['files', undefined],
  ['dependencies', { viem: 'catalog:' }],
  ['dependencies', { viem: '2.57.1' }],
  ['publishConfig', { access: 'public' }],
  ['publishConfig', { access: 'restricted', provenance: true }],
  ['scripts', { build: 'tsup' }],
  ['repository', 'github:example/firmquote'],
  ['author', 'Example'],
])('error: a package.json whose %s is %j', (field, value) => {
  expect(judgeManifest(manifest)).toEqual([])
  expect(judgeManifest({ ...manifest, [field]: value })).toEqual([
    expect.stringMatching(new RegExp(`^@firmquote/a: .*${field}`)),
  ])
})

test.each([
  ['server: read pending answers before a write times out', true],
  ['server, sdk: make seven settings constants', true],
  ['release: make the next version', true],
  [`server: ${'a'.repeat(64)}`, true],
  [`server: ${'a'.repeat(65)}`, false],
  ['Read pending answers before a write times out', false],
  ['node-runtime: lock the directory', true],
  ['nodeRuntime: lock the directory', false],
  ['elsewhere: read pending answers', false],
  ['server, elsewhere: read pending answers', false],
  ['server: read pending answers.', false],
  ['server:', false],
])("behavior: checks a commit's subject: %s", (subject, expected) => {
  expect(isSubject(subject)).toBe(expected)
})
