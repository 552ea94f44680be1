import { describe, expect, test } from '@jest/globals'
import { publishedPackages } from '../../../../scripts/release/publishedPackages.mjs'
import { judgeManifest, releaseManifest } from '../../../../scripts/release/releaseManifest.mjs'
import { config } from './config.ts'

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

describe('releaseManifest', () => {
  test('default: says where the package comes from, and has nothing that is of use in the repository alone', () => {
    const { scripts: _, devDependencies: __, ...kept } = manifest
    expect(releaseManifest(manifest, config, 'packages/a')).toEqual({
      ...kept,
      homepage: config.homepage,
      bugs: { url: config.bugs },
      repository: { type: 'git', url: 'git+https://github.com/example/firmquote.git', directory: 'packages/a' },
      author: config.author,
    })
  })

  test('behavior: mistakes may be reported by mail', () => {
    const { bugs } = releaseManifest(manifest, { ...config, bugs: 'mailto:bugs@firmquote.example' }, 'packages/a')
    expect(bugs).toEqual({ email: 'bugs@firmquote.example' })
  })
})

describe('judgeManifest', () => {
  test('default: nothing is missing from the published packages', () => {
    expect(publishedPackages().length).toBeGreaterThanOrEqual(8)
    expect(publishedPackages().flatMap((published) => judgeManifest(published.manifest))).toEqual([])
    expect(judgeManifest(manifest)).toEqual([])
  })

  test.each([
    ['version', 'next'],
    ['description', ''],
    ['keywords', ['firmquote']],
    ['keywords', ['a', 'b', 'c', 'd']],
    ['license', undefined],
    ['engines', {}],
    ['files', undefined],
    ['publishConfig', { access: 'public' }],
    ['publishConfig', { access: 'restricted', provenance: true }],
    ['scripts', { build: 'tsup' }],
    ['repository', 'github:example/firmquote'],
    ['author', 'Example'],
  ])('error: %s is %j', (field, value) => {
    expect(judgeManifest({ ...manifest, [field]: value })).toEqual([
      expect.stringMatching(new RegExp(`^@firmquote/a: .*${field}`)),
    ])
  })
})
