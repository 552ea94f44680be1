import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { findOpenssl } from '@firmquote/cluster/findPrograms'
import { freePort } from '@firmquote/cluster/freePort'
import { type ProxyName, proxies, type ReverseProxy, startProxy } from '@firmquote/cluster/startProxy'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { type Servers, startServers } from '@firmquote/test-support/startServers'

/** A server behind a proxy with TLS, as an operator runs it. */
export type ProxiedServer = {
  proxy: ReverseProxy
  server: Servers
  /** The port where plain HTTP is led to TLS from. */
  httpPort: number
}

/** One chain, and each proxy that this machine has in front of a server of its own. */
export type ProxyFixture = {
  devnet: Devnet
  /** Throws where the proxy is missing. */
  of(name: ProxyName): ProxiedServer
  stop(): Promise<void>
}

/** Whether a proxy can be started here with TLS. */
export function hasProxy(name: ProxyName): boolean {
  return proxies[name].find() !== null && (name === 'caddy' || findOpenssl() !== null)
}

/** Every proxy that is known. */
export const proxyNames = Object.keys(proxies) as ProxyName[]

/** Starts it. Until it is stopped, this process trusts the authorities that the proxies have made. */
export async function startProxyFixture(settings: Readonly<Record<string, string>>): Promise<ProxyFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-proxies-'))
  // If this is root the proxies run as another user, who passes through to folders of its own.
  chmodSync(folder, 0o711)
  const trusted = getCACertificates('default')
  const running: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of running.reverse()) await end()
    setDefaultCACertificates(trusted)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const devnet = await startDevnet()
    running.push(devnet.stop)
    const start = async (name: ProxyName): Promise<ProxiedServer> => {
      const [port, httpPort] = [await freePort(), await freePort()]
      const server = await startServers(
        {
          RPC_URL: devnet.rpcUrl,
          // This chain mines on transactions only.
          HEAD_DEGRADED_SECONDS: '36000',
          HEAD_STALE_SECONDS: '36000',
          PUBLIC_WS_URL: `wss://localhost:${port}/ws/rfq`,
          TRUST_PROXY: 'loopback',
          ...settings,
        },
        { by: 'one' },
      )
      running.push(server.stop)
      const servers = [Number(new URL(server.url).port)]
      const proxy = await startProxy({ name, folder: join(folder, name), port, servers, tls: { httpPort } })
      running.push(proxy.stop)
      return { proxy, server, httpPort }
    }
    // One after the other: what has been started is known when another does not start.
    const started = new Map<ProxyName, ProxiedServer>()
    for (const name of proxyNames.filter(hasProxy)) started.set(name, await start(name))
    const authorities = [...started.values()].flatMap(({ proxy }) => proxy.authority ?? [])
    setDefaultCACertificates([...trusted, ...authorities.map((file) => readFileSync(file, 'utf8'))])
    return {
      devnet,
      of(name) {
        const found = started.get(name)
        if (!found) throw new TypeError(`${name} was not started.`)
        return found
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
