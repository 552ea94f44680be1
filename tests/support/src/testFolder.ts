import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Hook = (run: () => void) => void

/** The test file's temporary folder. Available once its `before` hook has run. */
export let folder: string

/** Creates {@link folder} in one of Jest's hooks and removes it in another. */
export function useFolder(before: Hook, after: Hook): void {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'firmquote-test-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))
}
