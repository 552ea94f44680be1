import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCertificate } from './createCertificate.ts'
import { findCaddy, findNginx } from './findPrograms.ts'
import { isListening } from './isListening.ts'
import { chownUnprivileged, createService, unprivilegedUser } from './managedProcess.ts'
import { nginxConfiguration } from './nginxConfiguration.ts'

/** Options for {@link startProxy}. */
export type ProxyOptions = {
  name: ProxyName
  /** Folder for the proxy's configuration. Created if necessary. */
  folder: string
  port: number
  /** The servers' ports on 127.0.0.1. */
  servers: readonly number[]
  /** Enables TLS for `localhost`. `httpPort` redirects plain HTTP to HTTPS. Default: plain HTTP. */
  tls?: { httpPort: number }
  /** Folder of deployed configuration files. Default: this repository's folder. */
  configurations?: URL | undefined
}

/** Proxy options with the servers' addresses, the deployed configuration, and the file to write it to. */
type Given = Omit<ProxyOptions, 'servers'> & { servers: readonly string[]; deployed: string; file: string }

/** A proxy's arguments and configuration text. With TLS, `authority` is the PEM file of the certificate authority. */
type Prepared = { text: string; args: readonly string[]; env?: Readonly<Record<string, string>>; authority?: string }

/**
 * Supported proxies, in order of preference. nginx can retry an RFQ that has an idempotency key on another server. Debian's
 * Caddy cannot.
 */
export const proxies = {
  nginx: {
    find: findNginx,
    fileName: 'nginx.conf',
    stop: 'SIGTERM',
    prepare({ folder, port, servers, tls, deployed, file }: Given): Prepared {
      const args = ['-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off;']
      if (!tls) return { text: nginxConfiguration(deployed, { port, servers }), args }
      const made = createCertificate(folder)
      const text = nginxConfiguration(deployed, { port, servers, tls: { ...made, ...tls } })
      return { text, args, authority: made.certificate }
    },
  },
  caddy: {
    find: findCaddy,
    fileName: 'Caddyfile',
    // On SIGTERM, Caddy would wait for open connections to close.
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

/** Name of a supported proxy. */
export type ProxyName = keyof typeof proxies

/** A reverse proxy in front of several servers, on 127.0.0.1. */
export type ReverseProxy = Awaited<ReturnType<typeof startProxy>>

/** Finds the first installed proxy, in the order of `proxies`. */
export function findProxy(env = process.env): ProxyName | undefined {
  return (Object.keys(proxies) as ProxyName[]).find((name) => proxies[name].find(env) !== null)
}

/**
 * Starts nginx or Caddy with the deployed configuration but its own ports and folder, and waits until it is listening.
 *
 * @throws {Error} if the proxy is not installed or does not start. The message includes its output.
 */
export async function startProxy(options: ProxyOptions) {
  const { name, folder, port, tls } = options
  const { configurations = new URL('../../../apps/server/deploy/', import.meta.url) } = options
  const { find, fileName, prepare, stop } = proxies[name]
  const program = find()
  if (!program) throw new Error(`${name} is not installed.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, fileName)
  const deployed = readFileSync(new URL(fileName, configurations), 'utf8')
  const servers = options.servers.map((server) => `127.0.0.1:${server}`)
  const { text, args, env, authority = null } = prepare({ ...options, servers, deployed, file })
  writeFileSync(file, text)
  chownUnprivileged(folder, ...readdirSync(folder).map((entry) => join(folder, entry)))
  const service = createService(
    name,
    { file: program, args, cwd: folder, as: unprivilegedUser(), env: { PATH: process.env['PATH'], ...env } },
    // Caddy listens before it has a certificate.
    () => isListening(port, { tls: tls !== undefined }),
  )
  await service.start()
  const own = service.process()
  return {
    name,
    url: `${tls ? 'https' : 'http'}://localhost:${port}`,
    process: own,
    /** The proxy's configuration file. */
    configuration: file,
    /** With TLS, the PEM file of the certificate authority to trust. */
    authority,
    stop: () => own.kill(stop),
  }
}
