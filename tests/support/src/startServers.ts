import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster } from '@firmquote/cluster/startCluster'
import { findProxy } from '@firmquote/cluster/startProxy'
import { createOldServer } from './oldServer.ts'
import { programOf, startingEnvironment, startProgram } from './startProgram.ts'
import { type ServedBy, servedBy } from './trial.ts'

/** The servers of a test: one, or the instances of a cluster. Each is a process of its own. */
export type Servers = {
  /** Where clients find the service: the proxy's address if there is one, else the first server's. */
  url: string
  /** Each server's own address. */
  urls: readonly [string, ...string[]]
  /** What all of them have written so far. */
  logs(): string
  /** Bytes of all of them that are in memory (Linux only). */
  rss(): number
  /** Sends a signal to each. */
  signal(name: NodeJS.Signals): void
  /** Resolves when all have ended, to their exit codes; null or a name where a signal ended it. */
  ended: Promise<readonly (number | string | null)[]>
  /** Lets them end, and all that they need, and removes what they have written. */
  stop(): Promise<void>
}

/** How servers are started. */
export type ServersOptions = {
  /** By default what the run asks for. */
  by?: ServedBy
  /** Whether instances have a proxy in front; without one, clients are spread by `urls`. */
  proxied?: boolean
}

/**
 * Starts what serves a test, and waits until all of it is ready.
 *
 * @param environment of each server, `RPC_URL` at least.
 */
export async function startServers(
  environment: Environment,
  { by = servedBy, proxied = false }: ServersOptions = {},
): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-servers-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const servers = await (by === 'one'
      ? startOne(environment, folder)
      : startInstances(environment, by, proxied, folder))
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
  if (first === undefined) throw new TypeError('A cluster has an instance.')
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
