import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { loadPricer } from './loadPricer.ts'

useFolder(beforeAll, afterAll)

function write(name: string, content: string): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

describe('loadPricer', () => {
  test('default: by its name, or the default export', async () => {
    const named = await loadPricer(write('named.mjs', 'export const priceRfq = () => 1; export default 2'))
    const unnamed = await loadPricer(write('unnamed.mjs', 'export default () => 2'))
    expect([named({} as never), unnamed({} as never)]).toEqual([1, 2])
  })

  test.each([
    ['is not there', () => join(folder, 'none.mjs'), /Failed to load/],
    ['exports no function', () => write('empty.mjs', 'export default 5'), /exports no function/],
    [
      'fails while it is loaded',
      () => write('broken.mjs', 'throw new Error("broken")'),
      /Failed to load the pricer .*: broken/,
    ],
  ])('error: a module that %s', async (_what, file, expected) => {
    await expect(loadPricer(file())).rejects.toThrow(expected)
  })
})
