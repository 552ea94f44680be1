import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@firmquote/cluster/freePort'
import { type Followed, followPage, type Stranger } from './followPage.ts'
import { serveTarballs } from './serveTarballs.ts'

/** Who follows pages on this machine: on ports that are free, with the packages as they are packed. */
export type Strangers = {
  /** Where the service is found that a page starts, or that is started for it. */
  url: string
  rpcUrl: string
  port: number
  rpcPort: number
  /** A folder for whatever a test needs; gone with the strangers. */
  folder: string
  /** Environment of all that is typed, beside the system's own. */
  environment: Readonly<Record<string, string>>
  /** Installs packages once, for pages that say in passing what they need; gives their `node_modules`. */
  install(...packages: string[]): Promise<string>
  /** Follows a page, and tells how long it took. What its `fillIn` gets has the ports of this machine. */
  follow(
    page: string,
    how?: Partial<Pick<Stranger, 'browser' | 'environment' | 'fillIn' | 'modules' | 'prepare'>>,
  ): Promise<Followed>
  /** Leaves all pages. */
  stop(): Promise<void>
}

/**
 * Serves the packed packages to npm, and picks ports in place of those that the pages name.
 *
 * @param how.installs false for pages that install nothing.
 */
export async function prepareStrangers({ installs = true } = {}): Promise<Strangers> {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-strangers-'))
  const registry = installs ? await serveTarballs() : undefined
  const [port, rpcPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const rpcUrl = `http://127.0.0.1:${rpcPort}`
  const environment = {
    PORT: String(port),
    RPC_PORT: String(rpcPort),
    ...(registry && { 'npm_config_@firmquote:registry': registry.url }),
    FIRMQUOTE_URL: url,
    FIRMQUOTE_SERVICE_URL: url,
    FIRMQUOTE_RPC_URL: rpcUrl,
    FIRMQUOTE_SOCKET: join(folder, 'daemon.sock'),
    // What a reader types when asked.
    FIRMQUOTE_KEYSTORE_PASSWORD: 'what a stranger types',
  }
  const withPorts = (text: string) =>
    text
      .replaceAll('localhost:3005', `localhost:${port}`)
      .replaceAll('127.0.0.1:8545', `127.0.0.1:${rpcPort}`)
      .replaceAll(/^npx firmquote-devnet(?: fund .*)?$/gm, `$& --port ${rpcPort}`)
  const all: Followed[] = []
  return {
    url,
    rpcUrl,
    port,
    rpcPort,
    folder,
    environment,
    async install(...packages) {
      const project = mkdtempSync(join(folder, 'installed-'))
      writeFileSync(join(project, 'package.json'), '{ "private": true }')
      const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages]
      await promisify(execFile)('npm', args, { cwd: project, env: { ...process.env, ...environment } })
      return join(project, 'node_modules')
    },
    async follow(page, { environment: more, fillIn, ...how } = {}) {
      const followed = await followPage({
        page,
        ...how,
        onBegin: (begun) => all.push(begun),
        environment: { ...environment, ...more },
        fillIn: (text, shown) => (fillIn ? fillIn(withPorts(text), shown) : withPorts(text)),
      })
      tell(page, followed)
      return followed
    },
    async stop() {
      for (const followed of all) await followed.leave()
      await registry?.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** For information; nothing depends on it. */
function tell(page: string, { commands, presses, seconds }: Followed): void {
  const pressed = presses.length === 0 ? '' : `, ${presses.length} presses and inputs`
  process.stdout.write(`${page}: ${(seconds / 60).toFixed(1)} minutes, ${commands.length} commands${pressed}.\n`)
}
