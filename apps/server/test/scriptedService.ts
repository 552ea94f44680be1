import {
  quoteEip712Domain,
  type RFQ,
  type RFQResult,
  type RFQStreamEvent,
  type ServiceConfig,
  toRfqId,
} from '@firmquote/core'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { createInProcessPresence } from '../src/adapters/inProcessPresence.ts'
import type { AuctionListener, BackerSession, FollowedAuction, Service } from '../src/app/service.ts'
import { quoteRules } from '../src/domain/quoteRules.ts'
import { OverloadedError } from '../src/ports/errors.ts'
import { noControls } from './noControls.ts'

/** The scripted service's market. */
export const testDomain = { chainId: 8453, quoteMarket: '0x1111111111111111111111111111111111111111' } as const

const { chainId, quoteMarket } = testDomain
const config: ServiceConfig = {
  apiVersion: 'v1',
  chainId,
  contracts: {
    quoteMarket,
    interestRatePool: '0x2222222222222222222222222222222222222222',
    bundler3: '0x3333333333333333333333333333333333333333',
    keeperBundler: '0x4444444444444444444444444444444444444444',
  },
  deployBlock: 0,
  eip712Domain: quoteEip712Domain(testDomain),
  auction: { durationMs: 300, quotesPerBacker: 1 },
  limits: {
    ...{ bodyBytes: 16_384, rfqsPerMinute: 12, openRfqs: 2, storedQuotesPerMaker: 100, socketsPerBacker: 3 },
    ...quoteRules,
  },
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

/** Creates an auction whose events, result and end the test controls. */
export function createScriptedAuction() {
  const listeners = new Set<AuctionListener>()
  const { promise, resolve, reject } = createDeferred<RFQResult>()
  promise.catch(() => {})
  const end = () => {
    for (const listener of [...listeners]) listener.end()
    listeners.clear()
  }
  const auction: FollowedAuction = {
    rfq: testRfq,
    backers: 0,
    result: () => promise,
    listen(listener, after = -1) {
      listeners.add(listener)
      if (after < 0) listener.event({ type: 'started', id: `${testRfq.rfqId}:0`, data: { ...testRfq, backers: 0 } })
      return () => listeners.delete(listener)
    },
  }
  return {
    ...auction,
    listeners,
    emit(event: RFQStreamEvent) {
      for (const listener of [...listeners]) listener.event(event)
      // As in a real auction, this instance sends no events after these two.
      if (event.type === 'done' || event.type === 'error') end()
    },
    finish(result: RFQResult) {
      resolve(result)
      end()
    },
    abort() {
      reject(new OverloadedError())
      end()
    },
  }
}
export type ScriptedAuction = ReturnType<typeof createScriptedAuction>

type Parts = 'hub' | 'book' | 'statuses' | 'makers' | 'storage'

/**
 * Creates a service without a chain or store. Use it in entry point tests with slow readers, exceeded limits, or
 * failures that the real service cannot be made to produce. Has only the methods that the entry points call.
 */
export function createScriptedService(
  overrides: { [Part in Parts]?: Partial<Service[Part]> } & Partial<Pick<Service, 'health' | 'findIntegrator'>> = {},
) {
  const sessions = new Set<BackerSession>()
  const nothing = () => {}
  const none = { quotes: [], nextCursor: null }
  const parts: { [Part in Parts | 'markets' | 'sync' | 'controls']: Partial<Service[Part]> } = {
    controls: { current: () => noControls, onChange: () => nothing },
    markets: {
      pools: async () => [],
      rates: async () => [],
      history: async () => null,
      positions: async ({ address }) => ({
        ...{ address, block: 1, debts: [], positions: [], withdrawable: [], nextCursor: null },
      }),
    },
    hub: {
      receipts: null,
      open: async () => ({ ok: true, value: createScriptedAuction() }),
      find: async () => null,
      follow: async () => null,
      join(session) {
        sessions.add(session)
        return { openRfqs: [], leave: () => sessions.delete(session), wasSent: () => false, traceOf: () => undefined }
      },
      submit: async () => ({ ok: true, value: { hash: `0x${'55'.repeat(32)}`, receivedAt: 1_100, closesAt: 1_300 } }),
      readAnswered: async () => () => false,
      decline: nothing,
      count: () => ({ open: 0, backers: sessions.size }),
      drain: async () => {},
      endFollowing: nothing,
      stop: nothing,
      ...overrides.hub,
    },
    book: {
      submit: async () => ({ ok: false, rejection: { code: 'CHAIN_UNAVAILABLE' } }),
      list: async () => none,
      listTexts: async () => none,
      find: async () => null,
      observations: async () => [],
      ...overrides.book,
    },
    statuses: {
      newest: async () => 0,
      join: () => ({ resume: () => true, leave: nothing }),
      ...overrides.statuses,
    },
    makers: {
      authorize: async () => ({ ok: false, rejection: { code: 'UNAUTHENTICATED', reason: 'missing' } }),
      quotes: async () => none,
      outcomes: async () => ({ outcomes: [], nextCursor: null }),
      ...overrides.makers,
    },
    sync: {
      status: () => ({ head: null, synced: null, lagSeconds: null, failing: false, disagrees: false, state: 'ok' }),
    },
    storage: { isWritable: () => true, isLost: () => false, onLost: () => nothing, ...overrides.storage },
  }
  const service = {
    config,
    admin: {},
    proofs: null,
    ...parts,
    findIntegrator: () => ({ ok: false, message: 'is not a valid API key for this service' }),
    ...(overrides.findIntegrator && { findIntegrator: overrides.findIntegrator }),
    readSignatures: async (signatures: readonly unknown[]) => signatures.map(() => false),
    readStanding: async () => ({ funds: new Map(), filled: new Set() }),
    presence: createInProcessPresence(config.limits.socketsPerBacker),
    health: async () => ({
      ...{ status: 'ok', database: 'ok', sync: { head: 1, synced: 1, lagSeconds: 0 } },
      ...{ backers: { connected: sessions.size }, auctions: { open: 0 }, serverTime: Date.now(), version: '0.0.0' },
    }),
    figures: async () => ({
      openAuctions: 0,
      backers: sessions.size,
      places: null,
      clockOffsetSeconds: 0,
      chain: { head: 1n, synced: 1n, headAgeSeconds: 0, lagSeconds: 0 },
      checkpointOverdueSeconds: 0,
      proofLog: null,
      database: { isReadable: true, isWritable: true, isWhole: true, size: { data: null, log: null, free: null } },
    }),
    ...(overrides.health && { health: overrides.health }),
  } as Service
  return { service, sessions }
}
