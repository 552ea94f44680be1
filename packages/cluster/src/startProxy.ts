import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findCaddy, findNginx } from './findPrograms.ts'
import { listens } from './listens.ts'
import { type OwnProcess, startOwnProcess, unprivileged } from './ownProcess.ts'

/** The proxies that are known, the preferred one first: nginx sends an RFQ with a key to another server, which Debian's Caddy cannot. */
export const proxies = {
  nginx: {
    find: findNginx,
    template: 'nginx.conf',
    stop: 'SIGTERM',
    servers: (addresses: readonly string[]) =>
      addresses.map((address) => `server ${address} max_fails=0;`).join('\n    '),
    args: (file: string, folder: string) => ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'],
  },
  caddy: {
    find: findCaddy,
    template: 'Caddyfile',
    // SIGTERM would wait for connections to end.
    stop: 'SIGQUIT',
    servers: (addresses: readonly string[]) => addresses.join(' '),
    args: (file: string) => ['run', '--config', file, '--adapter', 'caddyfile'],
  },
} as const

/** The name of a proxy. */
export type ProxyName = keyof typeof proxies

/** A proxy in front of several servers, on 127.0.0.1. */
export type ReverseProxy = {
  name: ProxyName
  url: string
  process: OwnProcess
  /** The file that it was started with. */
  configuration: string
  stop(): Promise<void>
}

/** What a proxy is started with. */
export type ProxyOptions = {
  name: ProxyName
  /** A folder that is its own, for its configuration; made if need be. */
  folder: string
  port: number
  /** The ports of the servers, on 127.0.0.1. */
  servers: readonly number[]
}

const startLimitMs = 10_000

/** The first proxy that this machine has, in the order of `proxies`. */
export function findProxy(env = process.env): ProxyName | undefined {
  return (Object.keys(proxies) as ProxyName[]).find((name) => proxies[name].find(env) !== null)
}

/**
 * Starts Caddy or nginx with the configuration that its template gives, and waits until it listens.
 *
 * @throws {Error} when it is not there, or does not start; the message has what it wrote.
 */
export async function startProxy({ name, folder, port, servers }: ProxyOptions): Promise<ReverseProxy> {
  const { find, template, servers: list, args } = proxies[name]
  const program = find()
  if (!program) throw new Error(`There is no ${name} on this machine.`)
  const as = unprivileged()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, template)
  const text = readFileSync(new URL(`./proxies/${template}`, import.meta.url), 'utf8')
    .replaceAll('{{port}}', String(port))
    .replaceAll('{{servers}}', list(servers.map((server) => `127.0.0.1:${server}`)))
  writeFileSync(file, text)
  if (as.uid !== undefined && as.gid !== undefined) {
    for (const path of [folder, file]) chownSync(path, as.uid, as.gid)
  }
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder }
  const own = startOwnProcess(program, args(file, folder), as, folder, { env })
  let hasEnded = false
  void own.ended.then(() => {
    hasEnded = true
  })
  for (const end = Date.now() + startLimitMs; !(await listens(port)); await sleep(20)) {
    if (hasEnded || Date.now() > end) {
      await own.kill('SIGKILL')
      throw new Error(`${name} has not started:\n${own.output()}`)
    }
  }
  return {
    name,
    url: `http://localhost:${port}`,
    process: own,
    configuration: file,
    stop: () => own.kill(proxies[name].stop),
  }
}
