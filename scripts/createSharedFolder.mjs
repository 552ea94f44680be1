import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleLibraries } from './bundleLibraries.mjs'

/**
 * Jest's global setup: a folder for what several test files of one run share, among it the compiled code of the programs and
 * threads that they start by the hundred, large libraries in a few files, and a PostgreSQL for those that ask for one (`sharePostgres`). That ends with this process,
 * however that ends: a shell waits for the end of a pipe.
 */
// biome-ignore lint/style/noDefaultExport: jest takes a setup from a module's default export.
export default async function createSharedFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-shared-'))
  // PostgreSQL runs as another user if this one is root: it passes through to a folder of its own.
  chmodSync(folder, 0o711)
  const endPostgres =
    'read -r _; kill -QUIT "$(head -n 1 "$0/postgres/data/postmaster.pid" 2>/dev/null)" 2>/dev/null; rm -rf "$0"'
  const guard = spawn('/bin/sh', ['-c', endPostgres, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  guard.on('error', () => {})
  guard.unref()
  guard.stdin.unref?.()
  process.env['FIRMQUOTE_SHARED_FOLDER'] = folder
  // Programs that a test starts with its own environment run from sources, as the test does.
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --conditions=@firmquote/source`
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled')
  process.env['FIRMQUOTE_LIBRARIES'] = await bundleLibraries()
}
