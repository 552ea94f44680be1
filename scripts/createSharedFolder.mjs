import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleLibraries } from './bundleLibraries.mjs'

/**
 * Ends the PostgreSQL of the folder `$0`, if one was started, and removes the folder once the standard input ends. That is when jest's
 * process ends, in whatever way.
 */
const guard = `
read -r _
if pid=$(head -n 1 "$0/postgres/data/postmaster.pid" 2>/dev/null); then
  kill -QUIT "$pid"
  while kill -0 "$pid"; do sleep 0.02; done
fi
rm -rf "$0"`

/**
 * Jest's global setup: a folder that the test files of a run share. It holds the compiled code of the programs and threads that they
 * start by the hundred, large libraries in a few files, and the PostgreSQL of the tests that call `sharePostgres`.
 */
// biome-ignore lint/style/noDefaultExport: jest takes a setup from a module's default export.
export default async function createSharedFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-shared-'))
  // PostgreSQL runs as another user if this one is root: it passes through to a folder of its own.
  chmodSync(folder, 0o711)
  const shell = spawn('/bin/sh', ['-c', guard, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  shell.on('error', () => {})
  shell.unref()
  shell.stdin.unref?.()
  process.env['FIRMQUOTE_SHARED_FOLDER'] = folder
  // Programs that a test starts with its own environment run from sources, as the test does.
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --conditions=@firmquote/source`
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled')
  process.env['FIRMQUOTE_LIBRARIES'] = await bundleLibraries()
}
