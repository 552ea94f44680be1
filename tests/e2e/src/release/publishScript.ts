import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { root } from '../pack.ts'

/**
 * Runs the release workflow's publishing script on a folder's `prepared/`, with a test registry. Packages are published
 * without provenance, since only GitHub can attest it.
 *
 * @param options.digest the build's artifact digest (default: the artifact's actual digest)
 * @throws an error with the script's output
 */
export async function publishScript(options: {
  folder: string
  version: string
  registry: string
  token: string
  digest?: string
}): Promise<void> {
  const { folder, version, registry, token } = options
  execFileSync('tar', ['-cf', 'prepared.tar', 'prepared'], { cwd: folder })
  const artifact = createHash('sha256').update(readFileSync(join(folder, 'prepared.tar')))
  const { digest = artifact.digest('hex') } = options
  const userConfig = join(folder, 'npmrc')
  writeFileSync(userConfig, `registry=${registry}\n//${new URL(registry).host}/:_authToken=${token}\n`)
  const { jobs } = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'))
  const script = (jobs.publish.steps.findLast(({ run }: { run?: string }) => run).run as string)
    .replace('--provenance', '--no-provenance')
    .replace(' --partial', ` --partial --registry ${registry}`)
    .replace('scripts/release.mjs', join(root, 'scripts/release.mjs'))
  // `npm run` passes its own settings to the script. A registry among those settings would take precedence.
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  const env = {
    ...Object.fromEntries(inherited),
    DIGEST: digest,
    VERSION: version,
    NPM_CONFIG_USERCONFIG: userConfig,
    NODE_OPTIONS: '',
    PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
  }
  await promisify(execFile)('bash', ['-ec', script], { cwd: folder, env })
}
