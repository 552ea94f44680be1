import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { settings } from '../../../../apps/server/src/start/settings.ts'
import { root } from '../pack.ts'

// The names in operate/checklist.md.

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('apps/docs/operate/checklist.md')
const named = (pattern: RegExp) => [...new Set([...page.matchAll(pattern)].map(([, name = '']) => name))]

test('default: every setting that the checklist names exists', () => {
  const names = named(/`([A-Z]+(?:_[A-Z\d]+)*)`/g)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !Object.hasOwn(settings, name))).toEqual([])
})

test('default: every metric and alert that the checklist names exists', () => {
  const metrics = named(/`(firmquote_\w+)`/g)
  expect(metrics.length).toBeGreaterThan(1)
  expect(metrics.filter((name) => !read('docs/metrics.md').includes(`\`${name}\``))).toEqual([])
  const alerts = named(/`(Firmquote\w+)`/g)
  expect(alerts.filter((name) => !read('apps/server/deploy/alerts.yml').includes(`alert: ${name}\n`))).toEqual([])
})
