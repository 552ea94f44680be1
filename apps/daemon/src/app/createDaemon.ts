import { type QuoteDomain, serializeSignedQuote } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import type { RaisedNonce } from '@firmquote/sdk/node'
import type { Address, Hex } from 'viem'
import type { AlertLimits } from '../domain/alerts.ts'
import { isLive } from '../domain/exposure.ts'
import type { KeeperRules } from '../domain/keeping.ts'
import type { Policy } from '../domain/policy.ts'
import { decodePolicy, encodePolicy } from '../domain/policyDocument.ts'
import type { Pricer } from '../domain/priceRfq.ts'
import type { Chain } from '../ports/chain.ts'
import type { LogWitness } from '../ports/logWitness.ts'
import type { PositionChain } from '../ports/positionChain.ts'
import type { ProofFiles } from '../ports/proofFiles.ts'
import type { Service } from '../ports/service.ts'
import type { Store } from '../ports/store.ts'
import type { Tracing } from '../ports/tracing.ts'
import { loadActivePolicy, saveActivePolicy } from './activePolicy.ts'
import { createApprovals, signedOf } from './approvals.ts'
import { createCheckpointTimers } from './checkpointTimers.ts'
import { ControlError, type DaemonControl, InvalidPolicyError } from './daemonControl.ts'
import { createDaemonMetrics } from './daemonMetrics.ts'
import { createExposureLedger } from './exposureLedger.ts'
import { createFillNotices, type HookSetup } from './fillNotices.ts'
import { createFundsWatch, type FundsWatchDeps } from './fundsWatch.ts'
import { isOutcomeUnknown } from './isOutcomeUnknown.ts'
import { createKeeper } from './keeper.ts'
import { createMarketWatch } from './marketWatch.ts'
import { createPeriodicTasks } from './periodicTasks.ts'
import { createPositionBook } from './positionBook.ts'
import { createQuoteSigning } from './quoteSigning.ts'
import { createReceipts } from './receipts.ts'
import { createRfqAnswering, type Mode, type RfqAnsweringDeps } from './rfqAnswering.ts'
import { withControlErrors } from './withControlErrors.ts'

/** Dependencies of {@link createDaemon}. */
export type DaemonDeps = {
  maker: Address
  domain: QuoteDomain
  chain: Chain
  /** The maker's positions and transactions. */
  positionChain: PositionChain
  keeper: KeeperRules
  /** Whether to take the checkpoints of the maker's series. */
  checkpoints: boolean
  alertLimits: AlertLimits
  /** Alert hook, or null. */
  alertHook: FundsWatchDeps['hook']
  /** Folder of proof files, or null to keep no receipts. */
  proofFiles: ProofFiles | null
  /** Keys of witnesses that the maker trusts, besides its own. */
  witnesses: readonly string[]
  /** This maker's witness of the service's log, or null. */
  witness: Pick<LogWitness, 'key' | 'alerts' | 'cosignatures'> | null
  store: Store
  service: Service
  clock: Clock
  pricer: Pricer
  /** The configuration file's policy. */
  policy: Policy
  randomSalt: () => Hex
  maxBlockAgeSeconds: number
  version: string
  /** Fill hook, or null. */
  hook: HookSetup | null
  /** Whether to price RFQs without signing or submitting quotes, or tracking fills. */
  dryRun: boolean
  /** If absent, tracing is off. */
  tracing?: Tracing
  log: RfqAnsweringDeps['log']
  /** Called when the service authenticates the maker for the first time. */
  onReady(address: Address): void
  /** Called when the operator requests a shutdown. */
  onShutdown(): void
  /** Called when the service refuses the maker permanently. */
  onRefused(error: Error): void
}

/** A maker that runs unattended. */
export type Daemon = {
  control: DaemonControl
  /**
   * Formats metrics in the Prometheus text format.
   *
   * @throws {StorageUnavailableError} if the store cannot be read.
   */
  metrics(): Promise<string>
  /** Connects and starts to answer RFQs. */
  start(): void
  /**
   * Completes pending answers, then disconnects. Quotes that still have no verdict after 5 s are submitted again at the
   * next start.
   */
  drain(): Promise<void>
}

/** Maximum number of quotes returned by `listQuotes`. */
const maxListedQuotes = 200
/** Milliseconds to wait for pending answers during shutdown, even if the service is unreachable. */
const maxDrainMs = 5_000
/** Interval between updates of the market, the positions and the funds, in milliseconds. */
const roundMs = 15_000

/**
 * Creates a daemon from its stored state: its outstanding quotes, whether it was paused, and its active policy.
 *
 * @throws {StorageUnavailableError} if the store cannot be read.
 */
export async function createDaemon(deps: DaemonDeps): Promise<Daemon> {
  const { maker, chain, store, service, clock, dryRun, log, tracing, witness } = deps
  const startedAt = clock.now()
  const ledger = await createExposureLedger(store)
  const mode: Mode = { paused: (await store.findNote('paused')) === 'yes', raising: false, stopping: false }
  let policy = await loadActivePolicy(store, deps.policy, log)
  if (dryRun) log.warn({}, 'dry run: pricing RFQs without signing or submitting quotes')
  if (mode.paused) log.warn({}, 'still paused after the restart; call `resume` to continue')

  const { counts, format } = createDaemonMetrics()
  const positions = createPositionBook(deps.positionChain, { maker, holdsAll: deps.keeper.mode === 'all' })
  const market = createMarketWatch({ maker, service, positions, clock })
  const signing = createQuoteSigning({ ...deps, ledger, market }, () => policy)
  const receipts = createReceipts({
    ...{ maker, domain: deps.domain, service, store, clock, counts, log },
    witnesses: [...(witness ? [witness.key] : []), ...deps.witnesses],
    proofFiles: dryRun ? null : deps.proofFiles,
    hook: dryRun ? null : deps.alertHook,
  })
  const rfqs = createRfqAnswering({
    service: { ...service, submit: receipts.submit },
    ...{ signing, store, clock, mode, dryRun, counts, log },
    ...(tracing && { tracing }),
  })
  const fills = createFillNotices({ ...deps, counts })
  const keeper = createKeeper({
    maker,
    rules: deps.keeper,
    chain: deps.positionChain,
    book: positions,
    isDisabled: () => dryRun || mode.stopping || mode.raising,
    counts,
    log,
  })
  const checkpoints = createCheckpointTimers({
    maker,
    chain: deps.positionChain,
    book: positions,
    clock,
    maxGasPrice: deps.keeper.maxGasPrice,
    isDisabled: () => mode.stopping,
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
    otherAlerts: () => [...receipts.alerts(), ...(witness?.alerts() ?? [])],
    hook: dryRun ? null : deps.alertHook,
    log,
  })
  const rounds = createPeriodicTasks({
    clock,
    everyMs: roundMs,
    log,
    steps: [
      // A late checkpoint changes payouts, so it does not wait for the service or the keeper.
      { what: 'reading the positions', work: positions.refresh },
      ...(deps.checkpoints && !dryRun ? [{ what: 'taking checkpoints', work: checkpoints.refresh }] : []),
      { what: "reading the service's market", work: market.refresh },
      { what: "reading the maker's funds", work: funds.refresh },
      { what: 'settling positions', work: keeper.keep },
    ],
  })
  const approvals = createApprovals({ maker, domain: deps.domain, signing, store, clock })

  function requireSigning(): void {
    if (dryRun)
      throw new ControlError(
        'DRY_RUN',
        'This daemon runs with --dry-run and signs nothing; restart it without that option.',
      )
  }

  function requireRunning(): void {
    requireSigning()
    if (mode.stopping) throw new ControlError('STOPPING', 'The daemon is shutting down.')
    if (mode.paused) throw new ControlError('PAUSED', 'The daemon is paused; resume it first.')
    if (mode.raising) throw new ControlError('POLICY_REFUSED', 'The nonce is being raised; try again later.')
  }

  async function setPaused(paused: boolean): Promise<void> {
    // Set the flag in memory first, so that it takes effect immediately, then on disk, so that a restart does not
    // resume a paused daemon.
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
        log.info({ changed: Object.keys(changes) }, 'policy changed')
        return encodePolicy(policy)
      }),
    pause: () => withControlErrors(() => setPaused(true)),
    resume: () => withControlErrors(() => setPaused(false)),
    listRfqs: async () => rfqs.open(),
    listQuotes: () =>
      withControlErrors(async () =>
        (await store.listSigned(maxListedQuotes)).map((record) => ({
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
          throw new ControlError('NOT_CONNECTED', 'No authenticated connection to the service.')
        if (!rfqs.open().some((rfq) => rfq.rfqId === rfqId)) {
          throw new ControlError('RFQ_NOT_OPEN', 'No such RFQ is open.')
        }
        const record = await approvals.approveSigned(signed, rfqId)
        const ack = await receipts.submit(rfqId, serializeSignedQuote(signed))
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
    if (mode.raising) throw new ControlError('TRANSACTION_FAILED', 'The nonce is already being raised.')
    mode.raising = true
    try {
      const { transactionHash, nonce } = await chain.raiseNonce()
      const endings = await chain.readEnded(ledger.open()).catch((err: unknown) => {
        // Report the raised nonce even though the read failed. The report then also attributes quotes filled earlier to
        // the new nonce.
        log.warn({ err }, 'failed to read the quotes invalidated by the new nonce')
        return { timestamp: BigInt(Math.floor(clock.now() / 1_000)), ended: new Set<Hex>() }
      })
      const endedQuotes = ledger
        .open()
        .filter((record) => isLive(record, { ...endings, nonce: 0n }) && !isLive(record, { ...endings, nonce }))
        .map(({ hash }) => hash)
      log.warn({ transactionHash, nonce: String(nonce), endedQuotes }, 'nonce raised')
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
        receipts: receipts.counts,
        cosignatures: () => witness?.cosignatures() ?? 0,
        hookQueue: async () => (deps.hook === null ? 0 : (await fills.status()).unanswered),
      }),
    start() {
      let isReady = false
      fills.start()
      rounds.start()
      receipts.start()
      service.connect(
        {
          onAuthenticated() {
            if (!isReady) deps.onReady(maker)
            isReady = true
            receipts.authenticated()
            // Retry submissions interrupted by the disconnect. Retrying is safe because the service accepts only one
            // quote per RFQ.
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
          onReceipt: receipts.receive,
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
        cancel = clock.after(maxDrainMs, resolve)
      })
      // A transaction that has been sent is mined even if the daemon does not wait for its receipt.
      await Promise.race([Promise.all([rfqs.settled(), rounds.stop(), checkpoints.stop()]), late])
      cancel()
      const disconnected = service.disconnect()
      await rfqs.settled()
      await receipts.stop()
      await disconnected
      await toldOfFills
      await toldOfAlerts
    },
  }
}
