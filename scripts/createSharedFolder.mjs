import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Jest's global setup: a folder for what several test files of one run share, among it the compiled code of the programs and
 * threads that they start by the hundred.
 */
// biome-ignore lint/style/noDefaultExport: jest takes a setup from a module's default export.
export default function createSharedFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-shared-'))
  process.env['FIRMQUOTE_SHARED_FOLDER'] = folder
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled')
}
