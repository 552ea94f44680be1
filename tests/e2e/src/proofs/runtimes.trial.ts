import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { runIn } from '../project.ts'
import { bundleVectorCheck, verified } from './bundleVectorCheck.ts'

// Downloads the runtimes from npm. Each has about 100 MB.
jest.setTimeout(300_000)

useFolder(beforeEach, afterEach)

test.each([
  ['bun@1.4.5', 'bun', []],
  ['deno@2.9.6', 'deno', ['run']],
])('default: %s runs the verifier, also when it is bundled for browsers', async (pinned, program, flags) => {
  for (const platform of ['node', 'browser'] as const) {
    const file = await bundleVectorCheck(folder, platform)
    const args = ['exec', '--yes', `--package=${pinned}`, '--', program, ...flags, file]
    expect([platform, await runIn(folder, 'npm', args)]).toEqual([platform, expect.stringContaining(`${verified}\n`)])
  }
})
