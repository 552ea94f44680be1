import { type Clock, type QuoteDomain, serializeSignedQuote } from '@firmquote/core'
import type { RaisedNonce } from '@firmquote/sdk/node'
import type { Address, Hex } from 'viem'
import { isLive } from '../domain/exposure.ts'
import type { Policy } from '../domain/policy.ts'
import { decodePolicy, encodePolicy } from '../domain/policyDocument.ts'
import type { Pricer } from '../domain/priceRfq.ts'
import type { Chain } from '../ports/chain.ts'
import type { Service } from '../ports/service.ts'
import type { Store } from '../ports/store.ts'
import { createApprovals, signedOf } from './approvals.ts'
import { refusing } from './controlFailure.ts'
import { ControlError, type DaemonControl, InvalidPolicyError } from './daemonControl.ts'
import { createPromiseBook } from './promiseBook.ts'
import { createQuoteDesk } from './quoteDesk.ts'
import { createRfqDesk, type Mode, type RfqDeskDeps } from './rfqDesk.ts'
import { keepRulingPolicy, readRulingPolicy } from './rulingPolicy.ts'

/** What a daemon is made of. */
export type DaemonDeps = {
  maker: Address
  domain: QuoteDomain
  chain: Chain
  store: Store
  service: Service
  clock: Clock
  pricer: Pricer
  /** The policy of the configuration file. */
  policy: Policy
  randomSalt: () => Hex
  maxBlockAgeSeconds: number
  version: string
  log: RfqDeskDeps['log']
  /** The service has let this backer in for the first time. */
  onReady(address: Address): void
  /** The operator has asked for an ordered end. */
  onShutdown(): void
  /** The service will not have this backer. */
  onRefused(error: Error): void
}

/** A backer that runs by itself. */
export type Daemon = {
  control: DaemonControl
  /** Connects, and answers from now on. */
  start(): void
  /** Answers what is under way, then leaves the service. */
  drain(): Promise<void>
}

const listedQuotes = 200

/**
 * Puts a daemon together with what its store remembers: its promises, whether it was paused, and the policy that rules.
 *
 * @throws {StorageUnavailableError} when the store cannot be read.
 */
export async function createDaemon(deps: DaemonDeps): Promise<Daemon> {
  const { maker, chain, store, service, clock, log } = deps
  const startedAt = clock.now()
  const book = await createPromiseBook(store)
  const mode: Mode = { paused: (await store.readNote('paused')) === 'yes', raising: false, stopping: false }
  let policy = await readRulingPolicy(store, deps.policy, log)
  if (mode.paused) log.warn({}, 'still paused, as before the start; `resume` goes on')

  const desk = createQuoteDesk({ ...deps, book }, () => policy)
  const rfqs = createRfqDesk({ desk, store, service, clock, mode, log })
  const approvals = createApprovals({ maker, domain: deps.domain, desk, store, clock })

  function requireAwake(): void {
    if (mode.stopping) throw new ControlError('STOPPING', 'The daemon is ending.')
    if (mode.paused) throw new ControlError('PAUSED', 'The daemon is paused; resume it first.')
    if (mode.raising) throw new ControlError('POLICY_REFUSED', 'The nonce is being raised; ask again in a moment.')
  }

  async function setPaused(paused: boolean): Promise<void> {
    // At once, then on the disk: a daemon that was paused must not wake up by itself.
    mode.paused = paused
    await store.keepNote('paused', paused ? 'yes' : 'no')
    log.info({}, paused ? 'paused' : 'resumed')
    if (!paused) rfqs.resume()
  }

  const control: DaemonControl = {
    status: async () => ({
      version: deps.version,
      address: maker,
      paused: mode.paused,
      service: { url: service.url, connected: service.isConnected(), authenticated: service.isAuthenticated() },
      openRfqs: rfqs.open().length,
      startedAt,
    }),
    getAddress: async () => maker,
    getPolicy: async () => encodePolicy(policy),
    setPolicy: (changes) =>
      refusing(async () => {
        const decoded = decodePolicy({ ...encodePolicy(policy), ...changes })
        if (!decoded.ok) throw new InvalidPolicyError(decoded.issues)
        await keepRulingPolicy(store, { file: deps.policy, ruling: decoded.value })
        policy = decoded.value
        log.info({ changed: Object.keys(changes) }, 'the policy has been changed')
        return encodePolicy(policy)
      }),
    pause: () => refusing(() => setPaused(true)),
    resume: () => refusing(() => setPaused(false)),
    listRfqs: async () => rfqs.open(),
    listQuotes: () =>
      refusing(async () =>
        (await store.readSigned(listedQuotes)).map((kept) => ({
          hash: kept.hash,
          rfqId: kept.rfqId,
          quote: signedOf(kept),
          verdict: kept.verdict,
          ...(kept.code === null ? {} : { code: kept.code }),
          signedAt: kept.signedAt,
        })),
      ),
    signQuote: (quote) =>
      refusing(async () => {
        requireAwake()
        const kept = await approvals.approve(quote)
        const { signature } = await desk.sign(kept)
        log.info({ hash: kept.hash, notional: String(quote.notional) }, 'signed a quote for the operator')
        return { ...kept.quote, signature }
      }),
    submitQuote: (rfqId, signed) =>
      refusing(async () => {
        requireAwake()
        if (!service.isAuthenticated()) throw new ControlError('NOT_CONNECTED', 'There is no line to the service.')
        if (!rfqs.open().some((rfq) => rfq.rfqId === rfqId)) {
          throw new ControlError('RFQ_NOT_OPEN', 'There is no such RFQ that is open.')
        }
        const kept = await approvals.approveSigned(signed, rfqId)
        const ack = await service.submit(rfqId, serializeSignedQuote(signed))
        await store.keepVerdict(kept.hash, ack.status, ack.status === 'rejected' ? ack.code : null)
        return ack
      }),
    raiseNonce: () => refusing(raiseNonce),
    async shutdown() {
      if (!mode.stopping) deps.onShutdown()
    },
  }

  async function raiseNonce(): Promise<RaisedNonce> {
    if (mode.stopping) throw new ControlError('STOPPING', 'The daemon is ending.')
    if (mode.raising) throw new ControlError('TRANSACTION_FAILED', 'The nonce is being raised already.')
    mode.raising = true
    try {
      const { transactionHash, nonce } = await chain.raiseNonce()
      const word = await chain.readEnded(book.open()).catch((err: unknown) => {
        // The transaction is done, and says so; what had been taken before it is then not told apart.
        log.warn({ err }, 'what the raised nonce has ended could not be read')
        return { timestamp: BigInt(Math.floor(clock.now() / 1_000)), ended: new Set<Hex>() }
      })
      const endedQuotes = book
        .open()
        .filter((kept) => isLive(kept, { ...word, nonce: 0n }) && !isLive(kept, { ...word, nonce }))
        .map(({ hash }) => hash)
      log.warn({ transactionHash, nonce: String(nonce), endedQuotes }, 'the nonce has been raised')
      return { transactionHash, endedQuotes }
    } finally {
      mode.raising = false
    }
  }

  return {
    control,
    start() {
      let isReady = false
      service.connect({
        onAuthenticated() {
          if (!isReady) deps.onReady(maker)
          isReady = true
          // What was on its way when the line broke is sent again; the service takes one quote for each RFQ.
          rfqs.resume()
        },
        onRfq: rfqs.receive,
        onResult: rfqs.close,
        onRefused: deps.onRefused,
      })
    },
    async drain() {
      mode.stopping = true
      await rfqs.settled()
      service.disconnect()
    },
  }
}
