import { systemClock } from '@firmquote/core/utils'
import type { Devnet } from '@firmquote/devnet'
import pino from 'pino'
import { createInProcessBus } from '../src/adapters/inProcessBus.ts'
import { createPromMetrics } from '../src/adapters/promMetrics.ts'
import { createSignatureThreads } from '../src/adapters/signatureThreads/createSignatureThreads.ts'
import { createSqliteStore } from '../src/adapters/sqliteStore/sqliteStore.ts'
import { createRpcClient } from '../src/adapters/viemChain/viemChain.ts'
import { createService } from '../src/app/createService.ts'
import { measureQuotas, measureService, measureStore } from '../src/app/measure.ts'
import type { Service } from '../src/app/service.ts'
import type { ServiceLimits } from '../src/app/serviceDeps.ts'
import type { ServerOptions } from '../src/start/createFirmquoteServer.ts'
import { openProofs } from '../src/start/openProofs.ts'
import { type ListeningServer, listenForTest } from './listenForTest.ts'
import { devnetDeps } from './realService.ts'
import { domainOf } from './signedQuotes.ts'
import { waitUntil } from './waitUntil.ts'

/** The complete server on a real chain. */
export type RealServer = ListeningServer & { service: Service }

/**
 * Starts the complete server on a free port. By default, the server's limits are too high for any test to reach.
 *
 * @param options.rpcUrl URL of the node. Default: the devnet's node.
 * @param options.serviceLimits limits on auctions and quotes. `limits` applies to connections.
 * @param options.file the database's file. Default: in memory.
 * @param options.proofKeyFile file of the keys that make auctions provable. Default: they are not.
 * @param options.rateHistoryDays number of days to keep floating rates. Default: none.
 */
export async function startRealServer(
  devnet: Devnet,
  options: Partial<Pick<ServerOptions, 'limits' | 'clock' | 'audience' | 'allowList'>> & {
    rpcUrl?: string
    durationMs?: number
    serviceLimits?: Partial<ServiceLimits>
    rateHistoryDays?: number
    file?: string
    proofKeyFile?: string
  } = {},
): Promise<RealServer> {
  const { durationMs = 1_000, clock = systemClock, rateHistoryDays = 0, ...others } = options
  const { serviceLimits, rpcUrl = devnet.rpcUrl, file = ':memory:', proofKeyFile = null, ...entryOptions } = others
  const domain = domainOf(devnet)
  const logs: Record<string, unknown>[] = []
  const log = pino({ level: 'debug' }, { write: (line) => logs.push(JSON.parse(line)) })
  const store = await createSqliteStore({ file })
  const proofs = await openProofs(
    {
      ...{ PROOFS: proofKeyFile === null ? 'off' : 'on', PROOF_KEY_FILE: proofKeyFile },
      ...{ DATA_DIR: '', PORT: 0, PUBLIC_WS_URL: 'wss://rfq.example.com/ws/rfq' },
    },
    { store: store.proofs, clock, log },
  ).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const bus = createInProcessBus({ onError: (err) => log.error({ err }, 'a subscriber failed') })
  const metrics = createPromMetrics()
  metrics.nodeInUse({ name: 'node', isPreferred: true, reason: 'preferred', disagrees: false })
  const signatures = await createSignatureThreads({ domain, threads: 1 })
  const deps = devnetDeps(devnet, {
    clock,
    client: createRpcClient({ rpcUrl, onFailure: (kind) => metrics.rpcFailed(kind, 'node') }),
    ...(serviceLimits && { limits: serviceLimits }),
    sync: { intervalMs: 50 },
    auctionDurationMs: durationMs,
    version: '0.0.0',
  })
  const unmeasured = createService({
    ...deps,
    ...(proofs && { proofs }),
    ...{ signatures, bus, log, rateHistoryDays, observe: metrics },
    ...(others.allowList && { allowList: others.allowList }),
    store: measureStore(store, { metrics, clock }),
    quotas: measureQuotas(deps.quotas, metrics),
  })
  const service = measureService(unmeasured, { metrics, clock })
  await service.controls.start()
  await waitUntil(() => store.integrity() !== 'checking')
  await service.proofs?.log.start()
  await service.hub.resume()
  await service.sync.cycle()
  service.sync.start()
  const server = await listenForTest({ service, domain, signatures, clock, log, metrics, ...entryOptions })
  return {
    ...server,
    service,
    logs,
    async close() {
      await server.close()
      await service.proofs?.log.stop()
      await service.sync.stop()
      service.storage.stop()
      await signatures.close()
      await bus.close()
      await store.close()
    },
  }
}
