import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Debian's smallest tree, which the images of Node are made of. */
const debian = ['--variant=minbase', 'bookworm']

/**
 * Lays out what an image `node:…-bookworm-slim` has: a bare Debian, Node as it is pinned here, npm, and the user `node`.
 *
 * @throws {Error} when `debootstrap` is not there, this is not root, or Debian cannot be reached.
 */
export function layOutBase(folder: string): void {
  execFileSync('debootstrap', [...debian, folder], { stdio: 'pipe' })
  const local = join(folder, 'usr', 'local')
  cpSync(process.execPath, join(local, 'bin', 'node'))
  // The npm of this machine: it runs pnpm alone, at the version that the repository pins.
  const command = execFileSync('/bin/sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  const npm = dirname(dirname(realpathSync(command)))
  mkdirSync(join(local, 'lib', 'node_modules'), { recursive: true })
  cpSync(npm, join(local, 'lib', 'node_modules', 'npm'), { recursive: true, verbatimSymlinks: true })
  for (const name of ['npm', 'npx']) symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name))
  appendFileSync(join(folder, 'etc', 'passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n')
  appendFileSync(join(folder, 'etc', 'group'), 'node:x:1000:\n')
  execFileSync('install', ['-d', '-o', '1000', '-g', '1000', join(folder, 'home', 'node')])
}
