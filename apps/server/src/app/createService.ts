import type { ServiceConfig, ServiceHealth } from '@firmquote/core'
import { createAuctionHub } from './auctions/auctionHub.ts'
import { createFinality } from './chain/finality.ts'
import { createFreshChain } from './chain/freshChain.ts'
import { createSync } from './chain/sync.ts'
import { createReadStanding } from './makers/makerStanding.ts'
import { createMakers } from './makers/makers.ts'
import { createQuoteStatuses } from './makers/quoteStatuses.ts'
import { createMarkets } from './markets/markets.ts'
import { createOfferBook } from './markets/offerBook.ts'
import { createOfferRecorder } from './markets/offerRecorder.ts'
import { createRateRecorder } from './markets/rateRecorder.ts'
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
  const deps = { ...given, store }
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
    },
    cycled: () => {
      void rateRecorder.advance()
      void offerRecorder.advance()
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
  const offerBook = createOfferBook(fresh)
  const offerRecorder = createOfferRecorder({ ...deps, offerBook }, sync)
  const hub = createAuctionHub(fresh, { sync, storage })

  const health = async (): Promise<ServiceHealth> => {
    const database = await store.ping().then(
      () => (storage.isWritable() ? ('ok' as const) : ('down' as const)),
      (err: unknown) => {
        log.warn({ err }, 'health check failed')
        return 'down' as const
      },
    )
    const { open } = hub.count()
    const { head, synced, lagSeconds, state } = sync.status()
    // Without an up-to-date chain, the service accepts no quotes or RFQs.
    const down = database === 'down' || head === null || state === 'stale'
    return {
      status: down ? 'down' : state === 'ok' ? 'ok' : 'degraded',
      database,
      sync: { head: head && Number(head.number), synced: synced && Number(synced.number), lagSeconds },
      backers: { connected: deps.presence.countBackers() },
      auctions: { open },
      serverTime: clock.now(),
      version,
    }
  }

  return {
    hub,
    book: createQuoteBook(fresh),
    makers: createMakers(fresh),
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
        return sync.stop()
      },
    },
    statuses,
    markets: createMarkets({ ...fresh, offerBook }, sync),
    readStanding: createReadStanding(fresh),
    readSignatures: deps.chain.readSignatures,
    presence: deps.presence,
    config,
    storage,
    health,
    figures: createServiceFigures(deps, { sync, hub, storage }),
  }
}
