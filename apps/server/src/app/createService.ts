import type { ServiceConfig, ServiceHealth } from '@firmquote/core'
import { publicHaltOf } from '../domain/controls/halts.ts'
import type { NodeStatus } from '../ports/nodes.ts'
import { createAuctionHub } from './auctions/auctionHub.ts'
import { createFinality } from './chain/finality.ts'
import { createFreshChain } from './chain/freshChain.ts'
import { createSync } from './chain/sync.ts'
import { createAdminMethods } from './control/adminMethods.ts'
import { createBans } from './control/bans.ts'
import { createControls } from './control/controls.ts'
import { createHalts } from './control/halts.ts'
import { createFindIntegrator } from './control/integrators.ts'
import { noLiveLimits } from './control/liveLimits.ts'
import { createReadStanding } from './makers/makerStanding.ts'
import { createMakers } from './makers/makers.ts'
import { createQuoteStatuses } from './makers/quoteStatuses.ts'
import { createCheckpointWatch } from './markets/checkpointWatch.ts'
import { createMarkets } from './markets/markets.ts'
import { createOfferBook } from './markets/offerBook.ts'
import { createOfferRecorder } from './markets/offerRecorder.ts'
import { createRateRecorder } from './markets/rateRecorder.ts'
import { createProofService } from './proofs/proofService.ts'
import { createMakerChecks } from './quotes/makerChecks.ts'
import { createQuoteBook } from './quotes/quoteBook.ts'
import { createQuoteStateQueries } from './quotes/quoteStateQueries.ts'
import { createUnfundedMakers } from './quotes/unfundedMakers.ts'
import type { Service } from './service.ts'
import type { ServiceDeps } from './serviceDeps.ts'
import { createServiceFigures } from './serviceFigures.ts'
import { watchStorage } from './storageWatch.ts'

/** Creates the use cases. `version` is the server version for `GET /health`. */
export function createService(given: ServiceDeps & { config: ServiceConfig; version: string }): Service {
  const { clock, log, config, version } = given
  const { store, watch: storage } = watchStorage(given.store, { clock, log })
  const controls = createControls({ ...given, store })
  const bans = createBans(controls, clock)
  const halts = createHalts(controls, store)
  const proofDeps = given.proofs && { ...given.proofs, store: storage.watchLog(given.proofs.store) }
  const deps = { ...given, store, ...(proofDeps && { proofs: proofDeps }), controls, bans, halts }
  controls.onChange(({ limits }) =>
    given.liveLimits?.apply(new Map([...limits.values()].map(({ name, value }) => [name, value]))),
  )
  const statuses = createQuoteStatuses(deps, () => sync.leads())
  const finality = createFinality(deps)
  // Queries finality only on the node of the instance that follows the chain.
  const finalize = async () => {
    if (sync.leads() && (await finality.check())) statuses.deliverEverywhere()
  }
  const rateRecorder = createRateRecorder(deps, {
    status: () => sync.status(),
    leads: () => sync.leads(),
  })
  const sync = createSync(deps, {
    written: () => {
      statuses.deliverEverywhere()
      void finalize()
    },
    undone() {
      rateRecorder.restart()
      offerRecorder.restart()
      checkpoints.restart()
    },
    cycled: () => {
      const { head } = sync.status()
      if (head) clock.observeBlock?.(head)
      void rateRecorder.advance()
      void offerRecorder.advance()
      void checkpoints.advance()
      void statuses.deliver()
      void finalize()
    },
  })
  const makerChecks = createMakerChecks(deps)
  const chain = makerChecks.suspendedMakers.guard(createFreshChain(deps.chain, sync))
  const fresh = {
    ...deps,
    chain,
    quoteStateQueries: createQuoteStateQueries(deps.signatures),
    unfundedMakers: createUnfundedMakers({ ...deps, chain }),
    ...makerChecks,
  }
  const readStanding = createReadStanding(fresh)
  const proofs = proofDeps ? createProofService(proofDeps, { ...deps, readStanding }) : null
  const offerBook = createOfferBook(fresh)
  const offerRecorder = createOfferRecorder({ ...deps, offerBook }, sync)
  const checkpoints = createCheckpointWatch(deps, sync)
  const hub = createAuctionHub(fresh, { sync, storage, halts })

  const health = async (): Promise<ServiceHealth> => {
    const database = await store.ping().then(
      () => (storage.isWritable() ? ('ok' as const) : ('down' as const)),
      (err: unknown) => {
        log.warn({ err }, 'health check failed')
        return 'down' as const
      },
    )
    const { open } = hub.count()
    const halted = controls.current().halts.all
    const { head, synced, lagSeconds, state, disagrees } = sync.status()
    // Without an up-to-date chain, the service accepts no quotes or RFQs.
    const down = database === 'down' || head === null || state === 'stale' || disagrees
    const offsetMs = clock.offset?.()
    const published = proofs?.log.newest()
    return {
      status: down ? 'down' : state === 'ok' ? 'ok' : 'degraded',
      database,
      ...(deps.node && { node: describeNode(deps.node()) }),
      sync: { head: head && Number(head.number), synced: synced && Number(synced.number), lagSeconds },
      backers: { connected: deps.presence.countBackers() },
      auctions: { open },
      ...(halted.length > 0 && { halts: halted.map(publicHaltOf) }),
      ...(published && { log: { size: published.size, publishedAt: published.at } }),
      serverTime: clock.now(),
      ...(offsetMs !== undefined && { clock: { offsetMs } }),
      version,
    }
  }

  return {
    hub,
    book: createQuoteBook(fresh, sync),
    makers: createMakers(fresh, sync),
    sync: {
      ...sync,
      start() {
        statuses.start()
        sync.start()
      },
      stop() {
        statuses.stop()
        finality.stop()
        rateRecorder.stop()
        offerRecorder.stop()
        checkpoints.stop()
        return sync.stop()
      },
    },
    statuses,
    markets: createMarkets({ ...fresh, offerBook }, sync),
    readStanding,
    readSignatures: deps.chain.readSignatures,
    presence: deps.presence,
    controls,
    admin: createAdminMethods({ ...fresh, liveLimits: given.liveLimits ?? noLiveLimits }),
    findIntegrator: createFindIntegrator({ ...given, controls }),
    config: proofs ? { ...config, proofs: proofs.config } : config,
    proofs,
    storage,
    health,
    figures: createServiceFigures(deps, { sync, hub, storage, checkpoints, proofs }),
  }
}

function describeNode({ name, isPreferred, reason, disagrees }: NodeStatus): NonNullable<ServiceHealth['node']> {
  return { name, preferred: isPreferred, reason: disagrees ? 'disagreement' : reason }
}
