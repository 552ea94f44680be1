import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import changelog from '../../../../scripts/release/changelog.mjs'
import { judgeFirstReleases } from '../../../../scripts/release/firstReleases.mjs'
import { planRelease } from '../../../../scripts/release/planRelease.mjs'
import { inOrder } from '../../../../scripts/release/publishedPackages.mjs'
import { releaseNotes } from '../../../../scripts/release/releaseNotes.mjs'

describe('planRelease', () => {
  const state = { changesets: [], versions: ['1.2.3', '1.2.3'], tags: ['v1.2.2', ''] }

  test('default: a version without a tag is published', () => {
    expect(planRelease(state)).toEqual({ next: 'publish', version: '1.2.3' })
  })

  test('behavior: a version is published once, and pending changes are a version before', () => {
    expect(planRelease({ ...state, tags: ['v1.2.3'] })).toEqual({ next: 'nothing', version: '1.2.3' })
    expect(planRelease({ ...state, changesets: ['a.md'] })).toEqual({ next: 'version', version: '1.2.3' })
  })

  test('error: packages with several versions', () => {
    expect(() => planRelease({ ...state, versions: ['1.2.3', '1.2.4'] })).toThrow('here are 1.2.3, 1.2.4')
  })
})

describe('inOrder', () => {
  const of = (name: string, ...dependencies: string[]) => {
    const version = '1.0.0'
    return {
      name,
      manifest: { name, version, dependencies: Object.fromEntries(dependencies.map((one) => [one, '*'])) },
    }
  }

  test('default: each comes after those that it depends on', () => {
    const names = inOrder([of('a', 'c', 'viem'), of('b'), of('c', 'b')]).map(({ name }) => name)
    expect(names).toEqual(['b', 'c', 'a'])
  })

  test('error: a circle', () => {
    expect(() => inOrder([of('a', 'b'), of('b', 'a'), of('c')])).toThrow('These packages depend on each other: a, b.')
  })
})

test('default: the notes of a release are what each package says of this version alone', () => {
  const changelog = '# a\n\n## 1.1.0\n\n### Minor Changes\n\n- new\n\n## 1.0.0\n\nold\n'
  const packages = [
    { name: 'a', changelog },
    { name: 'b', changelog: '# b\n\n## 1.1.0\n\n## 1.0.0\n\nold\n' },
    { name: 'c', changelog: '' },
  ]
  expect(releaseNotes('1.1.0', packages)).toBe('## a\n\n### Minor Changes\n\n- new\n')
})

describe('judgeFirstReleases', () => {
  let folder: string
  const write = (file: string, names: string[]) => {
    writeFileSync(
      join(folder, file),
      `---\n${names.map((name) => `"@firmquote/${name}": minor\n`).join('')}---\n\nText.\n`,
    )
  }
  const judge = (version: string) => judgeFirstReleases(folder, [{ name: '@firmquote/a', version }])

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'firmquote-changesets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('default: one text, about this package alone', () => {
    write('first-release-a.md', ['a'])
    write('other.md', ['b'])
    expect(judge('0.0.0')).toEqual([])
  })

  test('error: no text, a text about others too, and a second one', () => {
    expect(judge('0.0.0')).toEqual([expect.stringContaining('first-release-a.md must say what it does')])
    write('first-release-a.md', ['a', 'b'])
    expect(judge('0.0.0')).toEqual([expect.stringContaining('first-release-a.md must say what it does')])
    write('first-release-a.md', ['a'])
    write('other.md', ['b', 'a'])
    expect(judge('0.0.0')).toEqual([
      expect.stringContaining('what other.md says of it belongs into first-release-a.md'),
    ])
  })

  test('behavior: a package that was released has changesets as ever', () => {
    write('other.md', ['b', 'a'])
    expect(judge('0.1.0')).toEqual([])
  })
})

test('behavior: the text of a first release is not a list of changes, and the next one is', async () => {
  const line = (id: string) =>
    changelog.getReleaseLine({ id, commit: 'abcdef0123', summary: 'First.\n\n- one', releases: [] }, 'minor', null)
  expect(await line('first-release-a')).toBe('First.\n\n- one')
  expect(await line('other')).toMatch(/^\n?- abcdef0: First\./)
  expect(await changelog.getDependencyReleaseLine()).toBe('')
})
