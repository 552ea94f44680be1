import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCaddy, findNginx } from './findPrograms.ts'
import { listens } from './listens.ts'
import { makeCertificate } from './makeCertificate.ts'
import { nginxConfiguration } from './nginxConfiguration.ts'
import { createService, giveAway, unprivileged } from './ownProcess.ts'

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

/** The options of a proxy, the addresses of its servers, and its configuration: the text as deployed, and its file. */
type Given = Omit<ProxyOptions, 'servers'> & { servers: readonly string[]; deployed: string; file: string }

/** What a proxy runs with: the text of its configuration, and with TLS the file with the authority of its certificate, in PEM. */
type Prepared = { text: string; args: readonly string[]; env?: Readonly<Record<string, string>>; authority?: string }

/** The proxies that are known, the preferred one first: nginx sends an RFQ with a key to another server, which Debian's Caddy cannot. */
export const proxies = {
  nginx: {
    find: findNginx,
    fileName: 'nginx.conf',
    stop: 'SIGTERM',
    prepare({ folder, port, servers, tls, deployed, file }: Given): Prepared {
      const args = ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;']
      if (!tls) return { text: nginxConfiguration(deployed, { port, servers }), args }
      const made = makeCertificate(folder)
      const text = nginxConfiguration(deployed, { port, servers, tls: { ...made, ...tls } })
      return { text, args, authority: made.certificate }
    },
  },
  caddy: {
    find: findCaddy,
    fileName: 'Caddyfile',
    // SIGTERM would wait for connections to end.
    stop: 'SIGQUIT',
    prepare: ({ folder, port, servers, tls, deployed, file }: Given): Prepared => ({
      text: deployed,
      args: ['run', '--config', file, '--adapter', 'caddyfile'],
      env: {
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        XDG_DATA_HOME: folder,
        FIRMQUOTE_CADDY_ADMIN: 'off',
        FIRMQUOTE_BIND: '127.0.0.1',
        FIRMQUOTE_SERVERS: servers.join(' '),
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
export type ReverseProxy = Awaited<ReturnType<typeof startProxy>>

/** The first proxy that this machine has, in the order of `proxies`. */
export function findProxy(env = process.env): ProxyName | undefined {
  return (Object.keys(proxies) as ProxyName[]).find((name) => proxies[name].find(env) !== null)
}

/**
 * Starts Caddy or nginx with the configuration that operators have, on ports and in a folder of its own, and waits until it listens.
 *
 * @throws {Error} when it is not there, or does not start; the message has what it wrote.
 */
export async function startProxy(options: ProxyOptions) {
  const { name, folder, port, tls } = options
  const { configurations = new URL('../../../apps/server/deploy/', import.meta.url) } = options
  const { find, fileName, prepare, stop } = proxies[name]
  const program = find()
  if (!program) throw new Error(`There is no ${name} on this machine.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, fileName)
  const deployed = readFileSync(new URL(fileName, configurations), 'utf8')
  const servers = options.servers.map((server) => `127.0.0.1:${server}`)
  const { text, args, env, authority = null } = prepare({ ...options, servers, deployed, file })
  writeFileSync(file, text)
  giveAway(folder, ...readdirSync(folder).map((entry) => join(folder, entry)))
  const service = createService(
    name,
    { file: program, args, cwd: folder, as: unprivileged(), env: { PATH: process.env['PATH'], ...env } },
    async () => (await listens(port)) && (authority === null || existsSync(authority)),
  )
  await service.start()
  const own = service.process()
  return {
    name,
    url: `${tls ? 'https' : 'http'}://localhost:${port}`,
    process: own,
    /** The file that it was started with. */
    configuration: file,
    /** With TLS, the file with the authority to trust, in PEM. */
    authority,
    stop: () => own.kill(stop),
  }
}
