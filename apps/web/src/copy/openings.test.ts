import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { en } from './en.ts'
import { openings } from './openings.ts'

const html = readFileSync(new URL('../../dist/index.html', import.meta.url), 'utf8')

test('default: the page as it is sent holds how each of these views begins', () => {
  const templates = [...html.matchAll(/<template data-path="([^"]+)">(.*)<\/template>/g)]
  expect(templates.map(([, path]) => path)).toEqual(Object.keys(openings(en)))
  for (const [, path = '', content = ''] of templates) {
    const opening = openings(en)[path]
    expect(
      content
        .replace(/<[^>]+>/g, '|')
        .split('|')
        .filter(Boolean),
    ).toEqual([opening?.title, opening?.lead])
  }
})
