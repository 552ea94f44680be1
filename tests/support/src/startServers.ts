import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster } from '@firmquote/cluster/startCluster'
import { findProxy } from '@firmquote/cluster/startProxy'
import { createOldServer } from './oldServer.ts'
import { programOf, startingEnvironment, startProgram } from './startProgram.ts'
import { type ServedBy, servedBy } from './trial.ts'

/** A test's servers: one server, or a cluster's instances. Each is a separate process. */
export type Servers = {
  /** Base URL for clients: that of the proxy, if any, and otherwise of the first server. */
  url: string
  /** Base URL of each server. */
  urls: readonly [string, ...string[]]
  /** The combined output of all servers so far. */
  logs(): string
  /** Total resident memory of the servers, in bytes (Linux only). */
  rss(): number
  /** Sends a signal to each server. */
  signal(name: NodeJS.Signals): void
  /**
   * Resolves to the servers' exit codes once all have ended. For a server ended by a signal, the code is null or the
   * signal's name.
   */
  ended: Promise<readonly (number | string | null)[]>
  /** Stops the servers and their services, and removes their files. */
  stop(): Promise<void>
}

/** Options for starting servers. */
export type ServersOptions = {
  /** Kind of deployment. Default: this run's setting. */
  by?: ServedBy
  /** Whether instances run behind a proxy. Without a proxy, distribute clients over `urls`. */
  proxied?: boolean
}

/**
 * Starts a test's servers and waits until they are ready.
 *
 * @param environment environment of each server. Must include `RPC_URL`.
 */
export async function startServers(
  environment: Environment,
  { by = servedBy, proxied = false }: ServersOptions = {},
): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-servers-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // A test's chain is new, and so are its debts.
  const settings = { DEBT_AGE_BLOCKS: '0', ...environment }
  try {
    const servers = await (by === 'one' ? startOne(settings, folder) : startInstances(settings, by, proxied, folder))
    return { ...servers, stop: () => servers.stop().then(remove) }
  } catch (error) {
    remove()
    throw error
  }
}

type Environment = Readonly<Record<string, string>>

async function startOne(environment: Environment, folder: string): Promise<Servers> {
  const { child, says, output, ended, stop } = startProgram(programOf('server'), [], {
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    ...environment,
  })
  const [, url = ''] = await says(/^ready (http:\S+)$/m)
  return {
    url,
    urls: [url],
    logs: output,
    rss: () => residentBytes(child.pid),
    signal: (name) => void child.kill(name),
    ended: ended.then((code) => [code]),
    stop,
  }
}

async function startInstances(
  environment: Environment,
  by: ServedBy,
  proxied: boolean,
  folder: string,
): Promise<Servers> {
  const isMixed = by === 'old-and-new'
  const current = programOf('server')
  let logs = ''
  const cluster = await startCluster({
    serverFile: isMixed ? [createOldServer(folder), current] : current,
    servers: isMixed ? 2 : 3,
    proxy: proxied ? findProxy() : undefined,
    environment: { ...startingEnvironment(), ...environment },
    onLine(_, line) {
      logs += `${line}\n`
    },
  })
  const processes = cluster.instances.map((instance) => instance.process())
  const [first, ...others] = cluster.instances.map(({ url }) => url)
  if (first === undefined) throw new TypeError('A cluster needs at least one instance.')
  return {
    url: cluster.url,
    urls: [first, ...others],
    logs: () => logs,
    rss: () => processes.reduce((sum, { pid }) => sum + residentBytes(pid), 0),
    signal(name) {
      for (const { kill } of processes) void kill(name)
    },
    ended: Promise.all(processes.map(({ ended }) => ended)),
    stop: cluster.stop,
  }
}

function residentBytes(pid: number | undefined): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
}
