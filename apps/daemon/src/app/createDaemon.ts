import { type Clock, type QuoteDomain, serializeSignedQuote } from '@firmquote/core'
import type { RaisedNonce } from '@firmquote/sdk/node'
import type { Address, Hex } from 'viem'
import type { AlertLimits } from '../domain/alerts.ts'
import { isLive } from '../domain/exposure.ts'
import type { KeeperRules } from '../domain/keeping.ts'
import type { Policy } from '../domain/policy.ts'
import { decodePolicy, encodePolicy } from '../domain/policyDocument.ts'
import type { Pricer } from '../domain/priceRfq.ts'
import type { Chain } from '../ports/chain.ts'
import type { PositionChain } from '../ports/positionChain.ts'
import type { Service } from '../ports/service.ts'
import type { Store } from '../ports/store.ts'
import type { Tracing } from '../ports/tracing.ts'
import { loadActivePolicy, saveActivePolicy } from './activePolicy.ts'
import { createApprovals, signedOf } from './approvals.ts'
import { ControlError, type DaemonControl, InvalidPolicyError } from './daemonControl.ts'
import { createDaemonMetrics } from './daemonMetrics.ts'
import { createExposureLedger } from './exposureLedger.ts'
import { createFillNotices, type HookSetup } from './fillNotices.ts'
import { createFundsWatch, type FundsWatchDeps } from './fundsWatch.ts'
import { isOutcomeUnknown } from './isOutcomeUnknown.ts'
import { createKeeper } from './keeper.ts'
import { createMarketWatch } from './marketWatch.ts'
import { createPositionBook } from './positionBook.ts'
import { createQuoteSigning } from './quoteSigning.ts'
import { createRfqAnswering, type Mode, type RfqAnsweringDeps } from './rfqAnswering.ts'
import { createRounds } from './rounds.ts'
import { withControlErrors } from './withControlErrors.ts'

/** What {@link createDaemon} needs. */
export type DaemonDeps = {
  maker: Address
  domain: QuoteDomain
  chain: Chain
  /** Positions, and what the maker's account can do about them. */
  positionChain: PositionChain
  keeper: KeeperRules
  alertLimits: AlertLimits
  /** The maker's own hook for alerts, or null. */
  alertHook: FundsWatchDeps['hook']
  store: Store
  service: Service
  clock: Clock
  pricer: Pricer
  /** The policy of the configuration file. */
  policy: Policy
  randomSalt: () => Hex
  maxBlockAgeSeconds: number
  version: string
  /** The maker's own hook, which is told of fills; or null. */
  hook: HookSetup | null
  /** Whether it prices and tells, but signs and submits nothing, and follows no fills. */
  dryRun: boolean
  /** Absent: nothing is traced. */
  tracing?: Tracing
  log: RfqAnsweringDeps['log']
  /** The service has authenticated this backer for the first time. */
  onReady(address: Address): void
  /** The operator has asked for an ordered end. */
  onShutdown(): void
  /** The service has refused this backer for good. */
  onRefused(error: Error): void
}

/** A backer that runs unattended. */
export type Daemon = {
  control: DaemonControl
  /** The figures for Prometheus. @throws {StorageUnavailableError} when the store cannot be read. */
  metrics(): Promise<string>
  /** Connects, and answers from now on. */
  start(): void
  /**
   * Finishes the answers under way, then disconnects from the service. What has no verdict after 5 s keeps none; the next
   * start sends it again.
   */
  drain(): Promise<void>
}

/** The most quotes that `listQuotes` gives. */
const mostListed = 200
/** How long answers under way may take while the daemon stops, in milliseconds: a service that is away must not hold it. */
const longestDrainMs = 5_000
/** How often the market, the positions and the funds are looked at, in milliseconds. */
const roundMs = 15_000

/**
 * Creates a daemon from what its store holds: its outstanding quotes, whether it was paused, and the policy in force.
 *
 * @throws {StorageUnavailableError} when the store cannot be read.
 */
export async function createDaemon(deps: DaemonDeps): Promise<Daemon> {
  const { maker, chain, store, service, clock, dryRun, log, tracing } = deps
  const startedAt = clock.now()
  const ledger = await createExposureLedger(store)
  const mode: Mode = { paused: (await store.findNote('paused')) === 'yes', raising: false, stopping: false }
  let policy = await loadActivePolicy(store, deps.policy, log)
  if (dryRun) log.warn({}, 'a dry run: RFQs are priced, and nothing is signed or submitted')
  if (mode.paused) log.warn({}, 'still paused, as before the start; `resume` ends it')

  const { counts, format } = createDaemonMetrics()
  const positions = createPositionBook(deps.positionChain, { maker, holdsAll: deps.keeper.mode === 'all' })
  const market = createMarketWatch({ maker, service, positions, clock })
  const signing = createQuoteSigning({ ...deps, ledger, market }, () => policy)
  const rfqs = createRfqAnswering({
    ...{ signing, store, service, clock, mode, dryRun, counts, log },
    ...(tracing && { tracing }),
  })
  const fills = createFillNotices({ ...deps, counts })
  const keeper = createKeeper({
    maker,
    rules: deps.keeper,
    chain: deps.positionChain,
    book: positions,
    isHeldBack: () => dryRun || mode.stopping || mode.raising,
    counts,
    log,
  })
  const funds = createFundsWatch({
    maker,
    chain: deps.positionChain,
    positions,
    market,
    policy: () => policy,
    outstanding: ledger.open,
    clock,
    limits: deps.alertLimits,
    hook: dryRun ? null : deps.alertHook,
    log,
  })
  const rounds = createRounds({
    clock,
    everyMs: roundMs,
    log,
    steps: [
      { what: 'reading the market of the service', work: market.refresh },
      { what: 'reading the positions', work: positions.refresh },
      { what: "looking at the maker's funds", work: funds.refresh },
      { what: 'settling positions', work: keeper.keep },
    ],
  })
  const approvals = createApprovals({ maker, domain: deps.domain, signing, store, clock })

  function requireSigning(): void {
    if (dryRun) throw new ControlError('DRY_RUN', 'This is a dry run, which signs nothing; start without --dry-run.')
  }

  function requireRunning(): void {
    requireSigning()
    if (mode.stopping) throw new ControlError('STOPPING', 'The daemon is shutting down.')
    if (mode.paused) throw new ControlError('PAUSED', 'The daemon is paused; resume it first.')
    if (mode.raising) throw new ControlError('POLICY_REFUSED', 'The nonce is being raised; try again when it is done.')
  }

  async function setPaused(paused: boolean): Promise<void> {
    // In memory at once, then on the disk: a daemon that was paused must not resume by a restart.
    mode.paused = paused
    await store.saveNote('paused', paused ? 'yes' : 'no')
    log.info({}, paused ? 'paused' : 'resumed')
    if (!paused) rfqs.resume()
  }

  const control: DaemonControl = {
    status: () =>
      withControlErrors(async () => ({
        version: deps.version,
        address: maker,
        paused: mode.paused,
        dryRun,
        service: { url: service.url, connected: service.isConnected(), authenticated: service.isAuthenticated() },
        openRfqs: rfqs.open().length,
        hook: deps.hook === null ? null : await fills.status(),
        alerts: funds.alerts().map(({ code, token, message }) => ({ code, token, message })),
        startedAt,
      })),
    getAddress: async () => maker,
    getPolicy: async () => encodePolicy(policy),
    setPolicy: (changes) =>
      withControlErrors(async () => {
        const decoded = decodePolicy({ ...encodePolicy(policy), ...changes })
        if (!decoded.ok) throw new InvalidPolicyError(decoded.issues)
        await saveActivePolicy(store, { file: deps.policy, inForce: decoded.value })
        policy = decoded.value
        log.info({ changed: Object.keys(changes) }, 'the policy has been changed')
        return encodePolicy(policy)
      }),
    pause: () => withControlErrors(() => setPaused(true)),
    resume: () => withControlErrors(() => setPaused(false)),
    listRfqs: async () => rfqs.open(),
    listQuotes: () =>
      withControlErrors(async () =>
        (await store.listSigned(mostListed)).map((record) => ({
          hash: record.hash,
          rfqId: record.rfqId,
          quote: signedOf(record),
          verdict: record.verdict,
          ...(record.code === null ? {} : { code: record.code }),
          signedAt: record.signedAt,
        })),
      ),
    signQuote: (quote) =>
      withControlErrors(async () => {
        requireRunning()
        const record = await approvals.approve(quote)
        const { signature } = await signing.sign(record)
        log.info({ hash: record.hash, notional: String(quote.notional) }, 'signed a quote for the operator')
        return { ...record.quote, signature }
      }),
    submitQuote: (rfqId, signed) =>
      withControlErrors(async () => {
        requireRunning()
        if (!service.isAuthenticated())
          throw new ControlError('NOT_CONNECTED', 'There is no authenticated connection to the service.')
        if (!rfqs.open().some((rfq) => rfq.rfqId === rfqId)) {
          throw new ControlError('RFQ_NOT_OPEN', 'There is no such RFQ that is open.')
        }
        const record = await approvals.approveSigned(signed, rfqId)
        const ack = await service.submit(rfqId, serializeSignedQuote(signed))
        if (isOutcomeUnknown(ack)) {
          throw new ControlError('VERDICT_UNKNOWN', 'The service does not know yet whether it has stored the quote.')
        }
        await store.saveVerdict(record.hash, ack.status, ack.status === 'rejected' ? ack.code : null)
        return ack
      }),
    raiseNonce: () => withControlErrors(raiseNonce),
    async shutdown() {
      if (!mode.stopping) deps.onShutdown()
    },
  }

  async function raiseNonce(): Promise<RaisedNonce> {
    requireSigning()
    if (mode.stopping) throw new ControlError('STOPPING', 'The daemon is shutting down.')
    if (mode.raising) throw new ControlError('TRANSACTION_FAILED', 'The nonce is being raised already.')
    mode.raising = true
    try {
      const { transactionHash, nonce } = await chain.raiseNonce()
      const endings = await chain.readEnded(ledger.open()).catch((err: unknown) => {
        // The transaction is done and must be reported; quotes that were filled before it then count as ended by it.
        log.warn({ err }, 'the quotes that the raised nonce has ended could not be read')
        return { timestamp: BigInt(Math.floor(clock.now() / 1_000)), ended: new Set<Hex>() }
      })
      const endedQuotes = ledger
        .open()
        .filter((record) => isLive(record, { ...endings, nonce: 0n }) && !isLive(record, { ...endings, nonce }))
        .map(({ hash }) => hash)
      log.warn({ transactionHash, nonce: String(nonce), endedQuotes }, 'the nonce has been raised')
      return { transactionHash, endedQuotes }
    } finally {
      mode.raising = false
    }
  }

  const resumeFrom = await store.findStatusSeq(service.url)
  return {
    control,
    metrics: () =>
      format({
        funds,
        clock,
        isAuthenticated: service.isAuthenticated,
        hookQueue: async () => (deps.hook === null ? 0 : (await fills.status()).unanswered),
      }),
    start() {
      let isReady = false
      fills.start()
      rounds.start()
      service.connect(
        {
          onAuthenticated() {
            if (!isReady) deps.onReady(maker)
            isReady = true
            // What was being sent when the connection broke is sent again; the service takes one quote for each RFQ.
            rfqs.resume()
          },
          onRfq: rfqs.receive,
          onResult(result) {
            const rfq = rfqs.find(result.rfqId)
            if (rfq) market.noteResult(rfq, result)
            rfqs.close(result)
          },
          onStatus: (status) => {
            if (!dryRun) fills.receive(service.url, status)
          },
          onRefused: deps.onRefused,
        },
        { resumeFrom },
      )
    },
    async drain() {
      mode.stopping = true
      const toldOfFills = fills.stop()
      const toldOfAlerts = funds.stop()
      let cancel = () => {}
      const late = new Promise<void>((resolve) => {
        cancel = clock.after(longestDrainMs, resolve)
      })
      // A transaction that was sent needs nobody to wait for it.
      await Promise.race([Promise.all([rfqs.settled(), rounds.stop()]), late])
      cancel()
      service.disconnect()
      await rfqs.settled()
      await toldOfFills
      await toldOfAlerts
    },
  }
}
