import { describe, expect, test } from '@jest/globals'
import { mergeChangelogs, readChangeset } from './changelogPage.ts'

describe('mergeChangelogs', () => {
  test('default: the newest release first, and a change of several packages once', () => {
    const sdk =
      '# @firmquote/sdk\n\n## 0.10.0\n\n### Minor Changes\n\n- 1a2b3c4: Adds `docs`.\n\n  More of it.\n\n### Patch Changes\n\n- Updated dependencies [1a2b3c4]\n  - @firmquote/core@0.10.0\n\n## 0.2.0\n\n### Minor Changes\n\n- 5d6e7f8: First.\n'
    const core = '# @firmquote/core\n\n## 0.10.0\n\n### Minor Changes\n\n- 1a2b3c4: Adds `docs`.\n\n  More of it.\n'
    expect([...mergeChangelogs([core, sdk])]).toEqual([
      ['0.10.0', [{ text: 'Adds `docs`.\n\nMore of it.', packages: ['@firmquote/core', '@firmquote/sdk'] }]],
      ['0.2.0', [{ text: 'First.', packages: ['@firmquote/sdk'] }]],
    ])
  })
})

test('default: a changeset has its packages in its front matter', () => {
  expect(
    readChangeset('---\n"@firmquote/core": minor\n\'@firmquote/sdk\': patch\n---\n\nA text.\n\nMore: of it.\n'),
  ).toEqual({
    text: 'A text.\n\nMore: of it.',
    packages: ['@firmquote/core', '@firmquote/sdk'],
  })
})
