import type { PublicRfqId } from '@firmquote/core'
import { publicRfqId } from '@firmquote/core/wire'
import type { Address, Hex } from 'viem'
import * as z from 'zod/mini'
import { rankOutcomes } from '../../domain/auctionOutcome.ts'
import type { AuctionRecord } from '../../domain/auctionRecord.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { AdminRefusedError } from './adminError.ts'
import { adminMethod } from './adminMethod.ts'

/** An auction as operators see it. Never contains the borrower's private id, the taker or a signature. */
export type AdminAuction = {
  /** The public id. */
  id: PublicRfqId
  status: 'open' | 'closed'
  poolId: Hex
  seriesKey: Hex
  /** Expiry of the series, in Unix seconds. */
  expiry: number
  /** In raw units of the loan token. */
  notional: string
  /** Unix milliseconds. */
  openedAt: number
  /** Unix milliseconds. */
  closesAt: number
  /** Seconds until `closesAt`, rounded up; 0 after it. */
  secondsLeft: number
  /** Number of makers connected at the start. */
  makers: number
  /** Number of accepted quotes. */
  quotes: number
}

/** Result of `auctions.list`: the first open auctions to close, and the number of all. */
export type AdminAuctionList = { open: number; auctions: AdminAuction[] }

/** Result of `auctions.show`. The quotes are ranked after the close, and in order of acceptance before. */
export type AdminAuctionDetails = Omit<AdminAuction, 'quotes'> & {
  /** Unix milliseconds; null while the auction is open. */
  closedAt: number | null
  /** Number of rejected quotes; null while the auction is open. */
  rejected: number | null
  /** Whether no instance was running at the deadline. */
  interrupted: boolean
  quotes: { maker: Address; hash: Hex; apr: number; outcome: 'best' | 'close' | 'beaten' | null }[]
}

/** Maximum number of listed auctions, each of which is one read. */
const maxListed = 200
const defaultListed = 50

/** Creates the methods `auctions.list` and `auctions.show`. They read the store, so they include all instances. */
export function createAuctionMethods({ store, clock }: Pick<ServiceDeps, 'store' | 'clock'>) {
  return {
    'auctions.list': adminMethod(
      z.strictObject({ limit: z.optional(z.int().check(z.minimum(1), z.maximum(maxListed))) }),
      async ({ limit = defaultListed }): Promise<AdminAuctionList> => {
        const open = await store.listOpenAuctions()
        const auctions: AdminAuction[] = []
        for (const { publicRfqId } of open.slice(0, limit)) {
          const record = await store.findAuction({ publicRfqId })
          if (record && !record.close) auctions.push(describeAuction(record, clock.now()))
        }
        return { open: open.length, auctions }
      },
    ),

    'auctions.show': adminMethod(z.strictObject({ id: publicRfqId }), async ({ id }): Promise<AdminAuctionDetails> => {
      const record = await store.findAuction({ publicRfqId: id })
      if (!record) throw new AdminRefusedError(`There is no auction with the public id ${id}.`)
      const { quotes, close } = record
      return {
        ...describeAuction(record, clock.now()),
        closedAt: close?.closedAt ?? null,
        rejected: close?.rejectedCount ?? null,
        interrupted: close?.interrupted ?? false,
        quotes: close
          ? rankOutcomes(quotes).map(({ accepted, outcome }) => ({ ...describeQuote(accepted), outcome }))
          : quotes.map((quote) => ({ ...describeQuote(quote), outcome: null })),
      }
    }),
  }
}

function describeAuction({ rfq, publicRfqId, backers, quotes, close }: AuctionRecord, now: number): AdminAuction {
  const { poolId, seriesKey, expiry, notional, openedAt, closesAt } = rfq
  return {
    ...{ id: publicRfqId, status: close ? 'closed' : 'open', poolId, seriesKey, expiry },
    ...{ notional: String(notional), openedAt, closesAt },
    secondsLeft: close ? 0 : Math.max(0, Math.ceil((closesAt - now) / 1_000)),
    makers: backers,
    quotes: quotes.length,
  }
}

function describeQuote({ quote, hash, apr }: AuctionRecord['quotes'][number]) {
  return { maker: quote.maker, hash, apr }
}
