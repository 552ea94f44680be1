// Why: docs/decisions/0085-a-makers-evidence.md
import type { QuoteDomain, ReceiptMessage } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import { createReceiptBook, type ReceiptBook, type ReceiptCounts, type ReceiptProof } from '@firmquote/sdk/proofs'
import type { Address } from 'viem'
import type { Alert } from '../domain/alerts.ts'
import type { ProofFiles } from '../ports/proofFiles.ts'
import type { LogSettings, Service } from '../ports/service.ts'
import type { Store } from '../ports/store.ts'
import { type AlertHookSetup, callAlertHook } from './callAlertHook.ts'
import type { Counts } from './daemonMetrics.ts'
import { createPeriodicTasks } from './periodicTasks.ts'

/** Dependencies of {@link createReceipts}. */
export type ReceiptsDeps = {
  maker: Address
  domain: QuoteDomain
  service: Service
  store: Store
  /** Folder of proof files. If null, receipts are neither kept nor checked. */
  proofFiles: ProofFiles | null
  /** Keys of the witnesses that the maker trusts. */
  witnesses: readonly string[]
  hook: AlertHookSetup | null
  clock: Clock
  counts: Pick<Counts, 'receiptProblem'>
  log: {
    info(facts: object, message: string): void
    warn(facts: object, message: string): void
    error(facts: object, message: string): void
  }
}

/** Keeps the service's receipts, and checks its promises. */
export type Receipts = {
  /** Sends a quote. Its receipt is kept if the service has a log. */
  submit: Service['submit']
  receive(message: ReceiptMessage): void
  /** Reads whether the service has a log. Called whenever the service authenticates the maker. */
  authenticated(): void
  start(): void
  /** A log that shows no fresh checkpoints is an alert. */
  alerts(): readonly Alert[]
  counts(): ReceiptCounts | null
  stop(): Promise<void>
}

/** Interval between checks, in milliseconds. */
const checkMs = 15_000

/** Milliseconds that a check in progress may take during shutdown. */
const maxStopMs = 2_000

/** Creates a daemon's {@link Receipts}. */
export function createReceipts(deps: ReceiptsDeps): Receipts {
  const { maker, domain, service, store, proofFiles, witnesses, hook, clock, counts, log } = deps
  const stopping = new AbortController()
  let book: ReceiptBook | null = null
  /** The log whose receipts the book keeps. */
  let origin: string | null = null
  let isRead = false
  let opening: Promise<void> | null = null
  let staleness: string | null = null
  /** Files whose alarm was logged. The hook may need several attempts. */
  const logged = new Set<string>()

  async function open(): Promise<void> {
    if (isRead || proofFiles === null) return
    const settings = await service.readLogSettings()
    isRead = true
    if (settings === null) return log.info({}, 'the service keeps no log, so its promises cannot be checked')
    if (settings.origin === origin) return
    await book?.stop()
    book = await openBook({ ...settings, key: await pinKey(settings) }, proofFiles)
    origin = settings.origin
    log.info({ origin, witnesses: witnesses.length, open: book.counts().open }, 'checking receipts')
  }

  /** The key that the log had first. Another one could hide that the history was replaced. */
  async function pinKey({ origin: name, key }: LogSettings): Promise<string> {
    const note = `log key ${name}`
    const pinned = await store.findNote(note)
    if (pinned === null) await store.saveNote(note, key)
    else if (pinned !== key) log.error({ origin: name, pinned, key }, 'the service changed the key of its log')
    return pinned ?? key
  }

  function openBook(settings: LogSettings, files: ProofFiles): Promise<ReceiptBook> {
    return createReceiptBook({
      ...{ maker, market: domain, proofs: settings, witnesses, clock },
      log: service.openLog(settings),
      service: {
        submit: (rfqId, signed) => service.submit(rfqId, signed),
        readAuction: service.readAuction,
        readProof: service.readProof,
      },
      store: { save: store.saveReceipt, remove: store.removeReceipt, list: store.listReceipts },
      // The daemon judged the quote before it signed it.
      isWrong: () => true,
      events: {
        onProof: (proof) => keep(proof, files),
        onProblem({ code, rfqId, hash, message }) {
          counts.receiptProblem(code)
          if (code === 'LOG_STALE') staleness = message
          else log.warn({ code, rfqId, hash }, message)
          // There is no file, so the message is all that can be kept.
          if (code === 'NOT_OPENED') void alarm(`${message} Quote ${hash}.`, undefined).catch(() => {})
        },
      },
    })
  }

  /** Saves a proof. A failure of the hook is passed on, so that the book repeats both after a while. */
  async function keep({ type, rfqId, hash, text }: ReceiptProof, files: ProofFiles): Promise<void> {
    const file = await files.save(`${type}-${hash}.json`, text)
    if (type === 'quote') return
    if (type === 'refusal') return log.info({ rfqId, hash, file }, 'kept the proof of a refusal')
    const what = type === 'omission' ? 'its auction was closed without it' : 'its auction was never closed'
    const message = `The service broke its promise to include the quote ${hash}: ${what}. The file proves it.`
    if (!logged.has(hash)) log.error({ rfqId, hash, file, proof: type }, 'the service broke a promise')
    logged.add(hash)
    await alarm(message, file)
    logged.delete(hash)
  }

  async function alarm(message: string, file: string | undefined): Promise<void> {
    if (hook === null) return
    const alert = { code: 'PROMISE_BROKEN', token: null, message, ...(file !== undefined && { file }) } as const
    try {
      await callAlertHook(hook, { event: 'alert', maker, ...alert }, { clock, stopping: stopping.signal })
    } catch (err) {
      log.warn({ err, code: alert.code }, 'failed to deliver an alert to the hook')
      throw err
    }
  }

  async function check(): Promise<void> {
    opening ??= open().finally(() => {
      opening = null
    })
    await opening
    await book?.check()
  }

  // Separate from the daemon's other rounds, because a slow service must not delay settlements.
  const rounds = createPeriodicTasks({
    ...{ clock, everyMs: checkMs, log },
    steps: proofFiles === null ? [] : [{ what: 'checking receipts', work: check }],
  })

  return {
    submit: (...args) => (book ? book.submit(args[0], args[1]) : service.submit(...args)),
    receive: (message) => book?.receive(message),
    authenticated() {
      isRead = false
      // A failure is logged by the next round.
      void check().catch(() => {})
    },
    start: rounds.start,
    alerts() {
      if (!book?.counts().isStale) return []
      return [{ code: 'LOG_STALE', token: null, message: staleness ?? 'The log shows no fresh checkpoints.' }]
    },
    counts: () => book?.counts() ?? null,
    async stop() {
      stopping.abort()
      let cancel = () => {}
      // A check that waits for the service changes nothing that the next start would not repeat.
      const late = new Promise<void>((resolve) => {
        cancel = clock.after(maxStopMs, resolve)
      })
      await Promise.race([Promise.all([rounds.stop(), book?.stop()]), late])
      cancel()
    },
  }
}
