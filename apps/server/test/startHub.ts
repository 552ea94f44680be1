import { ChainUnavailableError, type QuoteState, type RFQRequest, type RFQStreamEvent } from '@firmquote/core'
import type { QuoteStateQuery } from '@firmquote/core/chain'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { createInProcessBus } from '../src/adapters/inProcessBus.ts'
import { createInProcessPresence } from '../src/adapters/inProcessPresence.ts'
import { createInProcessQuotas } from '../src/adapters/inProcessQuotas.ts'
import { createSqliteStore } from '../src/adapters/sqliteStore/sqliteStore.ts'
import { createAuctionHub } from '../src/app/auctions/auctionHub.ts'
import type { SyncStatus } from '../src/app/chain/sync.ts'
import type { Halts } from '../src/app/control/halts.ts'
import { createMakerChecks } from '../src/app/quotes/makerChecks.ts'
import type { AuctionHub, FollowedAuction, Requester } from '../src/app/service.ts'
import type { ServiceDeps, ServiceLimits } from '../src/app/serviceDeps.ts'
import { publicRfqId } from '../src/domain/rfqIds.ts'
import type { Store } from '../src/ports/store.ts'
import { yieldToEventLoop } from '../src/scheduling/eventLoop.ts'
import { unbanned } from './noControls.ts'
import { applyBlock, seriesCreated } from './storedBlocks.ts'
import { newAuctionQuote, openedAt, poolId, seriesKey } from './storedQuotes.ts'

/** The RFQ that tests send. The RFQ's series is in the store. */
export const request: RFQRequest = { poolId, seriesKey, notional: 1_000n }

/** The chain state used by the hub. Tests can change it. */
type ScriptedChain = {
  /** The verdict on every quote: valid, wrong nonce, failed read, or no answer. */
  verdict: 'good' | 'refused' | 'fails' | 'hangs'
  /** Digests of the checked taker proofs. Every taker owes 1,000. */
  proofs: Hex[]
  /** Each maker's funds. */
  funds: bigint
}

/** Duration of the auctions in the tests, in milliseconds. */
export const auctionDurationMs = 15_000

const limits: ServiceLimits = {
  bodyBytes: 16_384,
  rfqsPerMinute: 100,
  openRfqs: 100,
  storedQuotesPerMaker: 100,
  socketsPerBacker: 3,
  minQuoteLifetimeSeconds: 20,
  maxQuoteLifetimeSeconds: 86_400,
  openAuctions: 100,
  runningJudgements: 100,
  minSecondsAfterClose: 20,
  dustDivisor: 1e15,
  dustLimits: new Map(),
}

export type HubFixture = Awaited<ReturnType<typeof startHub>>

/**
 * Creates a hub without a chain, on an in-memory store and, by default, with high limits. Tests may replace any method
 * of `store`, `sync`, `storage` and `halts`.
 */
export async function startHub(options: { limits?: Partial<ServiceLimits> } = {}) {
  // The origin of a monotonic clock is arbitrary.
  const clock = createFakeClock(openedAt - 123_456)
  clock.advance(123_456)
  const inner = await createSqliteStore({ file: ':memory:', clock })
  const store = { ...inner }
  const logs: { level: string; facts: Record<string, unknown>; message: string }[] = []
  const write = (level: string) => (facts: Record<string, unknown>, message: string) =>
    void logs.push({ level, facts, message })
  const createBus = () =>
    createInProcessBus({ onError: (err) => write('error')({ err }, 'failed to handle a message') })
  /** The observed states `opened`, `abandoned`, `done` and `interrupted`, in order. */
  const observed: string[] = []
  const chain: ScriptedChain = { verdict: 'good', proofs: [], funds: 10n ** 30n }
  const block = { number: 1n, hash: zeroHash, timestamp: BigInt(openedAt) / 1_000n }
  const halts: Pick<Halts, 'rfqRejection'> = { rfqRejection: () => null }
  const sync: { status(): SyncStatus; cycle(): Promise<void> } = {
    status: () => ({ head: block, synced: block, lagSeconds: 0, failing: false, disagrees: false, state: 'ok' }),
    cycle: async () => {},
  }
  const storage = { isWritable: () => true }
  const pool = { poolId, loanToken: zeroAddress, adapter: zeroAddress, market: zeroHash }
  const series = seriesCreated({ expiry: openedAt / 1_000 + 86_400, cap: 1_000_000n })
  await applyBlock(inner, 1, { type: 'poolCreated', ...pool }, series)

  let drawn = 0
  const makers = new Map<Hex, Address>()
  const given = { ...limits, ...options.limits }
  const readable = () => {
    if (chain.verdict === 'fails') throw new ChainUnavailableError('no answer')
  }
  const deps: ServiceDeps = {
    clock,
    store,
    bus: createBus(),
    signatures: {
      hashQuote({ salt, maker }) {
        makers.set(salt, maker)
        return salt
      },
      recoverSigner: async (hash) => ({ signer: makers.get(hash) ?? zeroAddress }),
    },
    chain: {
      readQuoteStates: async (queries: QuoteStateQuery[]) => {
        readable()
        if (chain.verdict === 'hangs') await new Promise(() => {})
        const states = queries.map(
          ({ quote: { notional, nonce, maker }, hash }): QuoteState => ({
            ...{ block, hash, status: 'open', loanToken: zeroAddress, recovered: maker },
            makerNonce: chain.verdict === 'refused' ? nonce + 1n : nonce,
            series: { poolId, expiry: Number(block.timestamp) + 86_400, cap: notional, outstanding: 0n },
            ...{ capacity: notional, balance: notional, allowance: notional },
            preview: { executable: true, reason: '', borrowerCost: 0n },
          }),
        )
        return { block, states }
      },
      readHead: async () => block,
      readBlocks: async () => [block],
      readDebt: async () => ({ debt: 1_000n, index: 10n ** 27n }),
      async readTakerSignature({ digest }: { digest: Hex }) {
        chain.proofs.push(digest)
        return chain.verdict === 'good'
      },
      readFunds: async ({ makers, tokens: [token = zeroAddress] }: { makers: Address[]; tokens: Address[] }) => {
        readable()
        return { block, funds: new Map([[token, new Map(makers.map((maker) => [maker, chain.funds]))]]) }
      },
      readCapacities: async (keys: Hex[]) => ({ block, capacities: new Map(keys.map((key) => [key, 10n ** 30n])) }),
    } as unknown as ServiceDeps['chain'],
    random: (bytes) => {
      drawn += 1
      return new Uint8Array(bytes).fill(drawn)
    },
    domain: { chainId: 1, quoteMarket: zeroAddress },
    interestRatePool: zeroAddress,
    limits: given,
    quotas: createInProcessQuotas(clock, given),
    presence: createInProcessPresence(given.socketsPerBacker),
    sync: { deployBlock: 0, intervalMs: 1_000, headDegradedSeconds: 1e9, headStaleSeconds: 1e9 },
    observe: {
      auctionOpened: () => void observed.push('opened'),
      auctionClosed: (outcome) => void observed.push(outcome),
      auctionAbandoned: () => void observed.push('abandoned'),
    },
    auctionDurationMs,
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
  }
  const hubs: AuctionHub[] = []
  const start = (change: Partial<ServiceDeps> = {}) => {
    const judging = { ...createMakerChecks(deps), ...unbanned }
    const hub = createAuctionHub({ ...deps, ...judging, ...change }, { sync, storage, halts })
    hubs.push(hub)
    return hub
  }
  return {
    hub: start(),
    ...{ deps, clock, bus: deps.bus, store, sync, storage, halts, logs, observed, chain },
    /** Starts another instance on the same store, with the same bus or an isolated one. */
    startPeer: (kind: 'shared' | 'own', change: Partial<ServiceDeps> = {}) =>
      start({
        ...{ quotas: createInProcessQuotas(clock, given), presence: createInProcessPresence(1) },
        ...(kind === 'own' && { bus: createBus() }),
        ...change,
      }),
    async close() {
      for (const hub of hubs) hub.stop()
      await inner.close()
    },
  }
}

/** Lets the store and the bus answer pending requests without advancing the clock. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 12; turns += 1) await yieldToEventLoop()
}

/** Returns a promise's outcome after everything has settled, or `waiting` if it is still pending. */
export async function answerOf<T>(promise: Promise<T>): Promise<T | 'waiting' | { error: string }> {
  const answer = promise.catch((error: Error) => ({ error: error.name }))
  await settle()
  return Promise.race([answer, 'waiting' as const])
}

/** Opens an auction and throws if the request is rejected. */
export async function opened(
  hub: AuctionHub,
  change: Partial<RFQRequest> = {},
  requester: Requester = { address: 'one' },
): Promise<FollowedAuction> {
  const outcome = await hub.open({ ...request, ...change } as RFQRequest, requester)
  if (!outcome.ok) throw new TypeError(`refused: ${outcome.rejection.code}`)
  return outcome.value
}

/** Returns the outcome of a request: `opened` or the rejection code. */
export async function openingOf(
  hub: AuctionHub,
  change: Partial<RFQRequest> = {},
  requester: Requester = { address: 'one' },
): Promise<unknown> {
  const answer = await answerOf(hub.open({ ...request, ...change } as RFQRequest, requester))
  if (answer === 'waiting' || !('ok' in answer)) return answer
  return answer.ok ? 'opened' : answer.rejection.code
}

/** Sends the quote with this number from a separate backer. */
export function send(hub: AuctionHub, { rfq }: FollowedAuction, number: number, rfqId = publicRfqId(rfq.rfqId)) {
  const { quote } = newAuctionQuote(number)
  return hub.submit({ backer: quote.maker, rfqId, quote })
}

/** Follows an auction. Records the auction's events by kind and position, and how often its stream ended. */
export function follow(auction: FollowedAuction, behind?: number) {
  const told = { events: [] as RFQStreamEvent[], ended: 0, places: () => told.events.map(placeOf), leave: () => {} }
  const end = () => {
    told.ended += 1
  }
  told.leave = auction.listen({ event: (event) => told.events.push(event), end }, behind)
  return told
}

const placeOf = ({ type, id }: RFQStreamEvent) => `${type} ${id.split(':')[1]}`

type Method =
  | 'probe'
  | 'openAuction'
  | 'findAuction'
  | 'findAuctionEntry'
  | 'findAuctionByKey'
  | 'listOpenAuctions'
  | 'listPools'
  | 'acceptQuote'
  | 'closeAuction'

/**
 * Delays subsequent calls to a store method, or their answers. The returned function releases the delayed calls and
 * ends the delays.
 */
export function hold(store: Store, name: Method, before: 'done' | 'answered' = 'done'): () => void {
  const original = store[name] as (...given: unknown[]) => Promise<unknown>
  const waiting: (() => void)[] = []
  let isHeld = true
  const wait = () => new Promise<void>((resolve) => (isHeld ? waiting.push(resolve) : resolve()))
  const held = async (...given: unknown[]) => {
    if (before === 'done') await wait()
    const answer = await original(...given)
    if (before === 'answered') await wait()
    return answer
  }
  Object.assign(store, { [name]: held })
  return () => {
    isHeld = false
    Object.assign(store, { [name]: original })
    for (const go of waiting) go()
  }
}

/** Counts subsequent calls to a store method. */
export function count(store: Store, name: Method): () => number {
  let asked = 0
  const original = store[name] as (...given: unknown[]) => Promise<unknown>
  const counted = (...given: unknown[]) => {
    asked += 1
    return original(...given)
  }
  Object.assign(store, { [name]: counted })
  return () => asked
}
