import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Jest's global setup: a folder for what several test files of one run share. */
// biome-ignore lint/style/noDefaultExport: jest takes a setup from a module's default export.
export default function createSharedFolder() {
  process.env['FIRMQUOTE_SHARED_FOLDER'] = mkdtempSync(join(tmpdir(), 'firmquote-shared-'))
}
