import { describe, expect, test } from '@jest/globals'
import { relinked } from './relinked.ts'

const pages = new Map([
  ['docs/protocol.md', 'reference/protocol.md'],
  ['packages/sdk/README.md', 'packages/sdk.md'],
])
const at = (repository: string | null) => (markdown: string) =>
  relinked('docs/operating.md', markdown, { pages, repository })

describe('relinked', () => {
  test.each([
    ['[the protocol](protocol.md)', '[the protocol](/reference/protocol)'],
    [
      '[`sdk`, "For a backer"](../packages/sdk/README.md#for-a-backer)',
      '[`sdk`, "For a backer"](/packages/sdk#for-a-backer)',
    ],
    [
      '[0013](decisions/0013-a.md#choice)',
      '[0013](https://forge.example/fq/blob/main/docs/decisions/0013-a.md#choice)',
    ],
    ['[a page of the site](../apps/docs/reference/rest.md)', '[a page of the site](/reference/rest)'],
    [
      '[here](#below), [there](https://a.example/b.md), [up](/changelog)',
      '[here](#below), [there](https://a.example/b.md), [up](/changelog)',
    ],
    ['`x`, [ERRORS](../packages/sdk/README.md). `y`', '`x`, [ERRORS](/packages/sdk). `y`'],
  ])('default: %s', (markdown, expected) => {
    expect(at('https://forge.example/fq')(markdown)).toBe(expected)
  })

  test('behavior: without a repository, a link to what is no page is text', () => {
    expect(at(null)('see [0013](decisions/0013-a.md), or [it](protocol.md)')).toBe(
      'see 0013, or [it](/reference/protocol)',
    )
  })

  test('behavior: comments go, but not from code', () => {
    expect(at(null)('<!-- a\nb -->\ntext `<!-- c -->`\n```html\n<!-- d -->\n```\n')).toBe(
      'text `<!-- c -->`\n```html\n<!-- d -->\n```\n',
    )
  })
})
