import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleLibraries } from './bundleLibraries.mjs'

/**
 * Waits for the end of its standard input, which is the end of Jest's process, whatever its cause. Then stops the
 * PostgreSQL of the folder `$0`, if there is one, and removes the folder.
 */
const guard = `
read -r _
if pid=$(head -n 1 "$0/postgres/data/postmaster.pid" 2>/dev/null); then
  kill -QUIT "$pid"
  while kill -0 "$pid"; do sleep 0.02; done
fi
rm -rf "$0"`

/**
 * Jest's global setup: creates a folder that a run's test files share. It holds the compile cache of the programs and
 * threads that they start by the hundred, bundled libraries, and the PostgreSQL for tests that call `sharePostgres`.
 */
// biome-ignore lint/style/noDefaultExport: Jest requires a default export.
export default async function createSharedFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-shared-'))
  // If this process is root, PostgreSQL runs as another user, which must traverse this folder.
  chmodSync(folder, 0o711)
  const shell = spawn('/bin/sh', ['-c', guard, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  shell.on('error', () => {})
  shell.unref()
  shell.stdin.unref?.()
  process.env['FIRMQUOTE_SHARED_FOLDER'] = folder
  // Programs that a test starts with their own environment run from sources, like the test.
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --conditions=@firmquote/source`
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled')
  process.env['FIRMQUOTE_LIBRARIES'] = await bundleLibraries()
}
