import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { judgeBuild } from '../../../../scripts/release/judgeBuild.ts'

useFolder(beforeEach, afterEach)

/** Writes a file that was last changed at `time`, in seconds. */
function write(name: string, time: number): string {
  const file = join(folder, name)
  writeFileSync(file, '')
  utimesSync(file, time, time)
  return file
}

const judge = (outputs: string[], sources: string[]) =>
  judgeBuild({ name: '@firmquote/a', folder, outputs, sources, command: 'npm run build' })

test('default: accepts outputs that are as new as the newest source', () => {
  expect(judge([write('a.js', 20), write('b.js', 30)], [write('a.ts', 10), write('b.ts', 20)])).toEqual([])
})

test('error: one output is missing', () => {
  expect(judge([write('a.js', 20), join(folder, 'b.js')], [write('a.ts', 10)])).toEqual([
    expect.stringMatching(/^@firmquote\/a is not built: .*b\.js is missing\. Run `npm run build`\.$/),
  ])
})

test('error: one output is older than one source', () => {
  expect(judge([write('a.js', 20), write('b.js', 30)], [write('a.ts', 10), write('b.ts', 21)])).toEqual([
    expect.stringMatching(/^@firmquote\/a was built before .*b\.ts changed\. Delete .* and run `npm run build`\.$/),
  ])
})
