import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Jest's global setup: a folder for what several test files of one run share, removed when the run ends. */
// biome-ignore lint/style/noDefaultExport: jest takes a setup from a module's default export.
export default function createSharedFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-shared-'))
  process.env['FIRMQUOTE_SHARED_FOLDER'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}
