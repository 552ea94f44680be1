import { describe, expect, test } from '@jest/globals'
import { formatMarkdown, formatPage, parsePage } from './page.ts'
import { groupPages } from './sidebar.ts'

const facts = { base: '/learn/', recording: '$ firmquote rfq' }

describe('parsePage', () => {
  test('default: title, order and description come from the front matter, the rest of it stays', () => {
    const page = parsePage(
      'start/maker.md',
      '---\ntitle: "Market maker"\norder: 3\nsidebar: false\ndescription: Answer.\n---\n\n# Heading\n',
    )
    expect(page).toMatchObject({ title: 'Market maker', order: 3, description: 'Answer.', more: 'sidebar: false' })
    expect(parsePage('start/maker.md', formatPage(page))).toMatchObject({
      title: 'Market maker',
      order: 3,
      more: 'sidebar: false',
    })
  })

  test('behavior: without a title the first heading is one, and without an order the page is among the last', () => {
    expect(parsePage('a.md', 'text\n\n# `@firmquote/sdk`\n')).toMatchObject({ title: '@firmquote/sdk', order: 1_000 })
  })

  test('error: neither', () => {
    expect(() => parsePage('a.md', 'text')).toThrow(
      'apps/docs/a.md has neither a title in its front matter nor a heading.',
    )
  })
})

describe('formatMarkdown', () => {
  test('default: links to pages lead to their Markdown, and a page without a heading gets one', () => {
    const page = parsePage(
      'a.md',
      '---\ntitle: A\n---\n[b](/reference/rest#x), [c](/reference/sdk/), [d](/)\n<!-- recording -->',
    )
    expect(formatMarkdown(page, facts)).toBe(
      '# A\n\n[b](/learn/reference/rest.md#x), [c](/learn/reference/sdk/index.md), [d](/learn/index.md)\n```text\n$ firmquote rfq\n```\n',
    )
  })
})

test('behavior: pages stand in their folder’s group, by order and then by title; the first page in none', () => {
  const paths = ['guides/b.md', 'index.md', 'operate/incidents/a.md', 'guides/a.md', 'operate/c.md', 'versioning.md']
  const pages = paths.map((path) =>
    parsePage(path, `---\ntitle: ${path}\norder: ${path === 'guides/b.md' ? 1 : 2}\n---\n`),
  )
  expect(groupPages(pages).map(({ title, pages: own }) => [title, ...own.map(({ path }) => path)])).toEqual([
    ['Guides', 'guides/b.md', 'guides/a.md'],
    ['Operate', 'operate/c.md'],
    ['Incidents', 'operate/incidents/a.md'],
    ['More', 'versioning.md'],
  ])
})
