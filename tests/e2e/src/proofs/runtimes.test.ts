import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { runIn } from '../project.ts'
import { bundleVectorCheck, verified } from './bundleVectorCheck.ts'

useFolder(beforeEach, afterEach)

// `runtimes.trial.ts` repeats this in Bun and Deno.
test('default: Node runs the verifier that is bundled for browsers', async () => {
  expect(await runIn(folder, process.execPath, [await bundleVectorCheck(folder)])).toBe(`${verified}\n`)
})
