import { describe, expect, test } from '@jest/globals'
import changelog from '../../../../scripts/release/changelog.mjs'
import { notesOf } from '../../../../scripts/release/preparePackages.ts'
import { judgeFirstReleases, planRelease } from '../../../../scripts/release/versions.ts'

test.each([
  ['a version without a tag is published', [], ['v1.2.2', ''], 'publish'],
  ['a version with a tag was released', [], ['v1.2.3'], 'nothing'],
  ['pending changesets make a version first', ['a.md'], ['v1.2.2'], 'version'],
])('default: %s', (_what, changesets, tags, next) => {
  expect(planRelease({ changesets, version: '1.2.3', tags })).toBe(next)
})

describe('judgeFirstReleases', () => {
  const about = (...names: string[]) =>
    `---\n${names.map((name) => `"@firmquote/${name}": minor\n`).join('')}---\n\nText.\n`
  const judge = (changesets: Record<string, string>, version = '0.0.0') =>
    judgeFirstReleases(changesets, [{ name: '@firmquote/a', version }])

  test('default: accepts one introduction that names only the package', () => {
    expect(judge({ 'first-release-a.md': about('a'), 'other.md': about('b') })).toEqual([])
  })

  test.each([
    ['no introduction', {}],
    ['one of several packages', { 'first-release-a.md': about('a', 'b') }],
    ['a second changeset', { 'first-release-a.md': about('a'), 'other.md': about('b', 'a') }],
    ['a changeset alone', { 'other.md': about('a') }],
  ])('error: %s', (_what, changesets) => {
    expect(judge(changesets)).toEqual([expect.stringContaining('first-release-a.md must introduce it alone')])
  })

  test('behavior: a released package may have changesets with any name', () => {
    expect(judge({ 'other.md': about('b', 'a') }, '0.1.0')).toEqual([])
  })
})

test('behavior: formats a later changeset as a list of changes, but not an introduction', async () => {
  const line = (id: string) =>
    changelog.getReleaseLine({ id, commit: 'abcdef0123', summary: 'First.\n\n- one', releases: [] }, 'minor', null)
  expect(await line('first-release-a')).toBe('First.\n\n- one')
  expect(await line('other')).toMatch(/^\n?- abcdef0: First\./)
  expect(await changelog.getDependencyReleaseLine()).toBe('')
})

test("default: release notes contain only the CHANGELOG's section for this version", () => {
  const changelog = '# a\n\n## 1.1.0\n\n### Minor Changes\n\n- new\n\n## 1.0.0\n\nold\n'
  expect(notesOf({ name: 'a', version: '1.1.0' }, changelog)).toBe('## a\n\n### Minor Changes\n\n- new\n\n')
  expect(notesOf({ name: 'a', version: '1.2.0' }, changelog)).toBe('')
})
