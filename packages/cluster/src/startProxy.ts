import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findCaddy, findNginx } from './findPrograms.ts'
import { listens } from './listens.ts'
import { makeCertificate } from './makeCertificate.ts'
import { nginxConfiguration } from './nginxConfiguration.ts'
import { type OwnProcess, startOwnProcess, unprivileged } from './ownProcess.ts'

/** What a proxy runs with. */
type Prepared = {
  /** The text of its configuration. */
  text: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** The file with the authority of its certificate, in PEM. */
  authority?: string
}

/** The proxies that are known, the preferred one first: nginx sends an RFQ with a key to another server, which Debian's Caddy cannot. */
export const proxies = {
  nginx: {
    find: findNginx,
    file: 'nginx.conf',
    stop: 'SIGTERM',
    prepare(deployed: string, file: string, { folder, port, servers, tls }: ProxyOptions): Prepared {
      const certificate = tls && makeCertificate(folder)
      return {
        text: nginxConfiguration(deployed, {
          port,
          servers: addressesOf(servers),
          ...(tls && certificate && { tls: { ...certificate, httpPort: tls.httpPort } }),
        }),
        args: ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;'],
        ...(certificate && { authority: certificate.certificate }),
      }
    },
  },
  caddy: {
    find: findCaddy,
    file: 'Caddyfile',
    // SIGTERM would wait for connections to end.
    stop: 'SIGQUIT',
    prepare: (text: string, file: string, { folder, port, servers, tls }: ProxyOptions): Prepared => ({
      text,
      args: ['run', '--config', file, '--adapter', 'caddyfile'],
      env: {
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        XDG_DATA_HOME: folder,
        FIRMQUOTE_CADDY_ADMIN: 'off',
        FIRMQUOTE_BIND: '127.0.0.1',
        FIRMQUOTE_SERVERS: addressesOf(servers).join(' '),
        ...(tls
          ? { FIRMQUOTE_HTTP_PORT: String(tls.httpPort), FIRMQUOTE_HTTPS_PORT: String(port) }
          : { FIRMQUOTE_SITE: `http://:${port}` }),
      },
      ...(tls && { authority: join(folder, 'caddy', 'pki', 'authorities', 'local', 'root.crt') }),
    }),
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
  /** With TLS, the file with the authority to trust, in PEM. */
  authority: string | null
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
  /** TLS for `localhost`, as an operator has it for a name; `httpPort` is where plain HTTP is led to it from. By default none. */
  tls?: { httpPort: number }
  /** The folder with the configurations that an operator takes; by default that of this repository. */
  configurations?: URL | undefined
}

const startLimitMs = 10_000

/** The first proxy that this machine has, in the order of `proxies`. */
export function findProxy(env = process.env): ProxyName | undefined {
  return (Object.keys(proxies) as ProxyName[]).find((name) => proxies[name].find(env) !== null)
}

/**
 * Starts Caddy or nginx with the configuration that operators have, on ports and in a folder of its own, and waits until it listens.
 *
 * @throws {Error} when it is not there, or does not start; the message has what it wrote.
 */
export async function startProxy(options: ProxyOptions): Promise<ReverseProxy> {
  const { name, folder, port, tls } = options
  const { configurations = new URL('../../../apps/server/deploy/', import.meta.url) } = options
  const { find, file: fileName, prepare } = proxies[name]
  const program = find()
  if (!program) throw new Error(`There is no ${name} on this machine.`)
  const as = unprivileged()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, fileName)
  const {
    text,
    args,
    env,
    authority = null,
  } = prepare(readFileSync(new URL(fileName, configurations), 'utf8'), file, options)
  writeFileSync(file, text)
  if (as.uid !== undefined && as.gid !== undefined) {
    for (const path of [folder, ...readdirSync(folder).map((entry) => join(folder, entry))])
      chownSync(path, as.uid, as.gid)
  }
  const own = startOwnProcess(program, args, as, folder, { env: { PATH: process.env['PATH'], ...env } })
  let hasEnded = false
  void own.ended.then(() => {
    hasEnded = true
  })
  const isUp = async () => (await listens(port)) && (authority === null || existsSync(authority))
  for (const end = Date.now() + startLimitMs; !(await isUp()); await sleep(20)) {
    if (hasEnded || Date.now() > end) {
      await own.kill('SIGKILL')
      throw new Error(`${name} has not started:\n${own.output()}`)
    }
  }
  return {
    name,
    url: `${tls ? 'https' : 'http'}://localhost:${port}`,
    process: own,
    configuration: file,
    authority,
    stop: () => own.kill(proxies[name].stop),
  }
}

function addressesOf(ports: readonly number[]): string[] {
  return ports.map((port) => `127.0.0.1:${port}`)
}
