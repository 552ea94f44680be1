import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { findOpenssl } from '@firmquote/cluster/findPrograms'
import { freePort } from '@firmquote/cluster/freePort'
import { type ProxyName, proxies, startProxy } from '@firmquote/cluster/startProxy'
import { startDevnet } from '@firmquote/devnet'
import { startServers } from '@firmquote/test-support/startServers'

/** A chain, and each installed proxy in front of its own server. */
export type ProxyFixture = Awaited<ReturnType<typeof startProxyFixture>>

/** Whether a proxy can be started with TLS on this machine. */
export function hasProxy(name: ProxyName): boolean {
  return proxies[name].find() !== null && (name === 'caddy' || findOpenssl() !== null)
}

/** All supported proxies. */
export const proxyNames = Object.keys(proxies) as ProxyName[]

/** Starts the fixture. This process trusts the proxies' certificate authorities until the fixture is stopped. */
export async function startProxyFixture(settings: Readonly<Record<string, string>>) {
  await using starting = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-proxies-'))
  starting.defer(() => rmSync(folder, { recursive: true, force: true }))
  // If this process runs as root, the proxies run as another user, who must be able to traverse this folder.
  chmodSync(folder, 0o711)
  const trusted = getCACertificates('default')
  starting.defer(() => setDefaultCACertificates(trusted))
  const devnet = await startDevnet()
  starting.defer(devnet.stop)
  const start = async (name: ProxyName) => {
    const [port, httpPort] = [await freePort(), await freePort()]
    const environment = {
      RPC_URL: devnet.rpcUrl,
      // This chain mines only when there are transactions.
      HEAD_DEGRADED_SECONDS: '36000',
      HEAD_STALE_SECONDS: '36000',
      PUBLIC_WS_URL: `wss://localhost:${port}/ws/rfq`,
      TRUST_PROXY: 'loopback',
      ...settings,
    }
    const server = await startServers(environment, { by: 'one' })
    starting.defer(server.stop)
    const servers = [Number(new URL(server.url).port)]
    const proxy = await startProxy({ name, folder: join(folder, name), port, servers, tls: { httpPort } })
    starting.defer(proxy.stop)
    /** The proxy redirects requests to `httpPort` to TLS. */
    return { proxy, server, httpPort }
  }
  // Starts proxies sequentially, so that earlier ones can be stopped if a later one fails.
  const started = new Map<ProxyName, Awaited<ReturnType<typeof start>>>()
  for (const name of proxyNames.filter(hasProxy)) started.set(name, await start(name))
  const authorities = [...started.values()].flatMap(({ proxy }) => proxy.authority ?? [])
  setDefaultCACertificates([...trusted, ...authorities.map((file) => readFileSync(file, 'utf8'))])
  const running = starting.move()
  return {
    devnet,
    /** Returns a proxy. @throws {TypeError} if it is not installed. */
    of(name: ProxyName) {
      const found = started.get(name)
      if (!found) throw new TypeError(`${name} was not started.`)
      return found
    },
    stop: () => running.disposeAsync(),
  }
}
