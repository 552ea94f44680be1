import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const folder = new URL('../rivals/', import.meta.url)
const stamp = new URL('node_modules/.firmquote-installed', folder)
const requireRival = createRequire(new URL('package.json', folder))

/** A package of ../rivals, as `require` gives it: some of them have ES modules that Node cannot load. */
export type Rival<Module> = { name: string; version: string; module: Module }

/** Loads a rival; undefined when it is not installed, and then the report says so. */
export function loadRival<Module>(name: string): Rival<Module> | undefined {
  const manifest = new URL(`node_modules/${name}/package.json`, folder)
  if (!existsSync(manifest)) return undefined
  const { name: realName, version } = JSON.parse(readFileSync(manifest, 'utf8')) as Rival<unknown>
  return { name: realName, version, module: requireRival(name) as Module }
}

/**
 * Installs the rivals as their own lock file has them, when they are missing or it has changed. They are no part of the
 * workspace, and none of their scripts runs.
 *
 * @returns what went wrong, if something did: the rows then do without them.
 */
export async function installRivals(progress: (text: string) => void): Promise<string | undefined> {
  const inputs = ['package.json', 'pnpm-lock.yaml'].map((file) => readFileSync(new URL(file, folder)))
  const wanted = createHash('sha256').update(Buffer.concat(inputs)).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return undefined
  progress('installing the rivals')
  const options = ['--ignore-workspace', '--frozen-lockfile', '--prod', '--ignore-scripts', '--reporter=append-only']
  const child = spawn('pnpm', ['install', ...options], {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  try {
    const [code] = await once(child, 'close')
    if (code !== 0) return output.trim().split('\n').at(-1) ?? `pnpm ended with ${code}`
  } catch (error) {
    return String(error)
  }
  writeFileSync(stamp, wanted)
  return undefined
}
