import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { bundleVectorCheck, verified } from '../proofs/bundleVectorCheck.ts'
import { describeInBrowser } from './describeInBrowser.ts'

describeInBrowser('the verifier of proofs in a browser', ({ open }) => {
  useFolder(beforeEach, afterEach)

  test('default: verifies every vector, and refuses every mutation', async () => {
    await bundleVectorCheck(folder)
    writeFileSync(join(folder, 'index.html'), '<script type="module" src="/verify.mjs"></script>')
    // WebCrypto needs a secure context, such as this host.
    const page = await open('http://localhost/index.html', { files: folder })
    await page.waitForFunction(() => document.title !== '')
    expect(await page.title()).toBe(verified)
  })
})
