import {
  type RFQ,
  type RFQBroadcast,
  type RFQResult,
  type RFQStreamEvent,
  type ServiceConfig,
  toPublicRfqId,
  toRfqId,
} from '@firmquote/core'
import type { BackerSession, OpenAuction, Service } from '../app/service.ts'
import { AuctionAbortedError } from '../ports/errors.ts'

/** The market that the scripted service serves. */
export const testDomain = { chainId: 8453, quoteMarket: '0x1111111111111111111111111111111111111111' } as const

const config: ServiceConfig = {
  apiVersion: 'v1',
  chainId: testDomain.chainId,
  contracts: {
    quoteMarket: testDomain.quoteMarket,
    interestRatePool: '0x2222222222222222222222222222222222222222',
    bundler3: '0x3333333333333333333333333333333333333333',
    keeperBundler: '0x4444444444444444444444444444444444444444',
  },
  deployBlock: 0,
  eip712Domain: {
    name: 'QuoteMarket',
    version: '1',
    chainId: testDomain.chainId,
    verifyingContract: testDomain.quoteMarket,
  },
  auction: { durationMs: 300, quotesPerBacker: 1 },
  limits: {
    bodyBytes: 16_384,
    rfqsPerMinute: 12,
    openRfqs: 2,
    storedQuotesPerMaker: 100,
    socketsPerBacker: 3,
    minQuoteLifetimeSeconds: 20,
    maxQuoteLifetimeSeconds: 86_400,
  },
}

/** An auction whose events a test gives by hand. */
export type ScriptedAuction = OpenAuction & {
  emit(event: RFQStreamEvent): void
  finish(result: RFQResult): void
  abort(): void
  listeners: Set<(event: RFQStreamEvent) => void>
}

export const testRfq: RFQ = {
  rfqId: toRfqId('0123456789abcdef0123456789abcdef'),
  poolId: `0x${'22'.repeat(32)}`,
  seriesKey: `0x${'33'.repeat(32)}`,
  expiry: 1_800_000_000,
  notional: 1_000_000n,
  openedAt: 1_000,
  closesAt: 1_300,
}

/** {@link testRfq} as backers get it. */
export const testBroadcast: RFQBroadcast = { ...testRfq, rfqId: toPublicRfqId(testRfq.rfqId) }

/** A promise that its owner settles. */
export function createDeferred<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue
    reject = onReason
  })
  return { promise, resolve, reject }
}

/** An auction that stands still until the test moves it. */
export function createScriptedAuction(): ScriptedAuction {
  const listeners = new Set<(event: RFQStreamEvent) => void>()
  const { promise, resolve, reject } = createDeferred<RFQResult>()
  return {
    rfq: testRfq,
    backers: 0,
    result: promise,
    listeners,
    listen(listener) {
      listeners.add(listener)
      listener({ type: 'started', id: `${testRfq.rfqId}:0`, data: { ...testRfq, backers: 0 } })
      return () => listeners.delete(listener)
    },
    emit(event) {
      for (const listener of [...listeners]) listener(event)
    },
    finish: resolve,
    abort: () => reject(new AuctionAbortedError()),
  }
}

/**
 * A service without a chain and without a store, for what the doors do by themselves: failures that the real one cannot
 * be brought to, readers that do not read, too many at once.
 */
export function createScriptedService(
  overrides: { hub?: Partial<Service['hub']>; book?: Partial<Service['book']>; health?: Service['health'] } = {},
) {
  const sessions = new Set<BackerSession>()
  const service: Service = {
    config,
    markets: {
      pools: async () => [],
      rates: async () => [],
      positions: async (address) => ({ address, block: 1, debts: [], positions: [] }),
    },
    hub: {
      open: async () => ({ ok: true, value: createScriptedAuction() }),
      find: async () => null,
      join(session) {
        sessions.add(session)
        return { openRfqs: [], leave: () => sessions.delete(session) }
      },
      submit: async () => ({ ok: true, value: { hash: `0x${'55'.repeat(32)}`, receivedAt: 1_100, closesAt: 1_300 } }),
      decline: () => {},
      count: () => ({ open: 0, backers: sessions.size }),
      shutDown: async () => {},
      ...overrides.hub,
    },
    book: {
      submit: async () => ({ ok: false, rejection: { code: 'CHAIN_UNAVAILABLE' } }),
      list: async () => ({ quotes: [], nextCursor: null }),
      listTexts: async () => ({ quotes: [], nextCursor: null }),
      find: async () => null,
      observations: async () => [],
      ...overrides.book,
    },
    sync: {
      status: () => ({ head: null, synced: null, lagSeconds: null, state: 'ok' }),
      cycle: async () => {},
      start: () => {},
      stop: async () => {},
    },
    health:
      overrides.health ??
      (async () => ({
        status: 'ok',
        database: 'ok',
        sync: { head: 1, synced: 1, lagSeconds: 0 },
        backers: { connected: sessions.size },
        auctions: { open: 0 },
        serverTime: Date.now(),
        version: '0.0.0',
      })),
  }
  return { service, sessions }
}
