import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleLibraries } from './bundleLibraries.mjs'

/**
 * Waits until its standard input closes, which happens when Jest exits for any reason. Then stops the PostgreSQL server
 * in the folder `$0`, if any, and removes the folder.
 */
const guard = `
read -r _
if pid=$(head -n 1 "$0/postgres/data/postmaster.pid" 2>/dev/null); then
  kill -QUIT "$pid"
  while kill -0 "$pid"; do sleep 0.02; done
fi
rm -rf "$0"`

/**
 * Jest's global setup. Creates a folder that a run's test files share. The folder contains the compile cache for the
 * hundreds of programs and threads that tests start, the bundled libraries, and the PostgreSQL server used by
 * `sharePostgres`.
 */
// biome-ignore lint/style/noDefaultExport: Jest requires a default export.
export default async function createSharedFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-shared-'))
  // If this process runs as root, PostgreSQL runs as another user, who must be able to traverse this folder.
  chmodSync(folder, 0o711)
  const shell = spawn('/bin/sh', ['-c', guard, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  shell.on('error', () => {})
  shell.unref()
  shell.stdin.unref?.()
  process.env['FIRMQUOTE_SHARED_FOLDER'] = folder
  // Makes the programs that a test starts run from source, like the test itself.
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --conditions=@firmquote/source`
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled')
  process.env['FIRMQUOTE_LIBRARIES'] = await bundleLibraries()
}
