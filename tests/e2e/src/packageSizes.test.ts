import { expect, test } from '@jest/globals'
import { judgeSize } from './packageSizes.ts'

test('default: a package may be as large as its limit', () => {
  expect(judgeSize('@firmquote/server', 9_000_000)).toEqual([])
})

test('error: a package above its limit, or without one', () => {
  expect(judgeSize('@firmquote/server', 9_700_001)).toEqual(['is 9701 kB unpacked; the limit is 9700 kB'])
  expect(judgeSize('@firmquote/new', 1)).toEqual(['has no size limit in packageSizes.ts'])
})
