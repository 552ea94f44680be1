import type { ServiceConfig, ServiceHealth } from '@firmquote/core'
import { createAuctionHub } from './auctionHub.ts'
import { chainNow } from './judgeQuote.ts'
import { createQuoteBook } from './quoteBook.ts'
import type { Service } from './service.ts'
import type { ServiceDeps } from './serviceDeps.ts'

/** Puts the use cases together. `version` is this server's, for `GET /health`. */
export function createService(deps: ServiceDeps & { config: ServiceConfig; version: string }): Service {
  const { chain, clock, store, log, config, version } = deps
  const hub = createAuctionHub(deps)

  const health = async (): Promise<ServiceHealth> => {
    const [head, ping] = await Promise.allSettled([chain.readHead(), store.ping()])
    for (const answer of [head, ping]) {
      if (answer.status === 'rejected') log.warn({ err: answer.reason }, 'the service is not healthy')
    }
    const { open, backers } = hub.count()
    const database = ping.status === 'fulfilled' ? 'ok' : 'down'
    const block = head.status === 'fulfilled' ? head.value : null
    const number = block && Number(block.number)
    return {
      status: block && database === 'ok' ? 'ok' : 'down',
      database,
      sync: {
        head: number,
        // State is read at the head itself, for every answer: there is nothing that could lag behind it.
        synced: number,
        lagSeconds: block && Math.max(0, Number(chainNow(clock) - block.timestamp)),
      },
      backers: { connected: backers },
      auctions: { open },
      version,
    }
  }

  return { hub, book: createQuoteBook(deps), config, health }
}
