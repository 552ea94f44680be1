// Why: docs/decisions/0041-fill-hook-state.md
import type { QuoteDomain, QuoteStatusMessage } from '@firmquote/core'
import { isSequenceNumber } from '@firmquote/core/protocol'
import type { Clock } from '@firmquote/core/utils'
import type { DaemonHookStatus } from '@firmquote/sdk/node'
import type { Address, Hex } from 'viem'
import { describeFill, type Fill, type HookTiming } from '../domain/fill.ts'
import { HookError } from '../errors.ts'
import type { Chain } from '../ports/chain.ts'
import type { FillHook } from '../ports/fillHook.ts'
import type { FillRecord, Store } from '../ports/store.ts'
import type { Counts } from './daemonMetrics.ts'

/** The maker's hook and its options. */
export type HookSetup = { call: FillHook; when: HookTiming; timeoutMs: number }

/** Dependencies of {@link createFillNotices}. */
export type FillNoticesDeps = {
  maker: Address
  domain: QuoteDomain
  chain: Pick<Chain, 'readFill'>
  store: Store
  clock: Clock
  /** If the hook is null, no notices are sent. */
  hook: HookSetup | null
  counts: Pick<Counts, 'filled'>
  log: {
    info(facts: object, message: string): void
    warn(facts: object, message: string): void
    error(facts: object, message: string): void
  }
}

/**
 * Stores the service's status updates for the maker's quotes, and notifies the maker's hook of each fill at least once,
 * with retries. The hook receives only fills confirmed by the maker's own node.
 */
export type FillNotices = {
  /** Stores a status update. Updates are stored in call order. */
  receive(service: string, status: QuoteStatusMessage): void
  /** Notifies the hook of undelivered fills. */
  start(): void
  status(): Promise<DaemonHookStatus>
  /** Stores the received updates and stops calling the hook. A call in progress may take up to 5 s to finish. */
  stop(): Promise<void>
}

/** Retry delay in milliseconds, doubled after each failure up to the maximum. */
const minRetryDelayMs = 1_000
const maxRetryDelayMs = 60_000
/** Milliseconds that a call in progress may take during shutdown. */
const maxDrainMs = 5_000
/** Maximum number of status updates waiting to be stored. Bounds memory. */
const maxQueuedUpdates = 10_000

/** Creates a daemon's {@link FillNotices}. */
export function createFillNotices(deps: FillNoticesDeps): FillNotices {
  const { store, clock, hook, log } = deps
  /** Failed changes by quote, with the number of attempts and the time of the next retry. */
  const failures = new Map<Hex, { change: number; count: number; until: number }>()
  /** Prevents new calls and retries. */
  const stopping = new AbortController()
  /** Aborts the call in progress. */
  const cutting = new AbortController()
  let lastError: string | null = null
  let waiting = 0
  let saving = Promise.resolve()
  let isLost = false
  let notifying: Promise<void> | null = null
  let isAsked = false
  let cancelPause = () => {}

  async function save(service: string, status: QuoteStatusMessage): Promise<void> {
    while (!isLost) {
      try {
        const effect = await store.saveStatus(service, status, { hasHook: hook !== null, now: clock.now() })
        if (effect === 'filled') deps.counts.filled()
        report(effect, status)
        if (effect === 'filled' || effect === 'reverted' || status.final) wake()
        return
      } catch (err) {
        log.error({ err, hash: status.hash }, 'failed to store a status update; will retry')
      }
      // If shutdown interrupts the wait, later updates must not be stored either. The next start requests all updates
      // after the last stored one.
      isLost = !(await pause(minRetryDelayMs))
    }
  }

  function report(effect: Awaited<ReturnType<Store['saveStatus']>>, status: QuoteStatusMessage): void {
    const { hash, block, transactionHash, notional, cost } = status
    if (effect === 'none') return
    const facts = { hash, block, transactionHash }
    if (effect === 'filled') log.info({ ...facts, notional: amount(notional), cost: amount(cost) }, 'filled')
    else if (effect === 'reverted') log.warn(facts, 'a fill was reverted by a reorganisation')
    else log.error(facts, 'fill of an unknown quote not stored: too many undelivered fills')
  }

  /**
   * Waits.
   *
   * @returns false if the daemon is stopping.
   */
  function pause(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = clock.after(milliseconds, () => end(true))
      const onStop = () => end(false)
      const end = (goesOn: boolean) => {
        cancel()
        stopping.signal.removeEventListener('abort', onStop)
        resolve(goesOn)
      }
      if (stopping.signal.aborted) end(false)
      else stopping.signal.addEventListener('abort', onStop)
    })
  }

  function wake(): void {
    isAsked = true
    if (hook === null || notifying !== null || stopping.signal.aborted) return
    cancelPause()
    notifying = notifyAll(hook)
      .catch((err: unknown) => {
        // The database failed. The read is repeated in the next round.
        log.error({ err }, 'failed to read undelivered fills')
        return minRetryDelayMs
      })
      .then((pauseMs) => {
        notifying = null
        if (isAsked) wake()
        else if (pauseMs !== null && !stopping.signal.aborted) cancelPause = clock.after(pauseMs, wake)
      })
  }

  /**
   * Notifies the hook of each undelivered fill that is not waiting for a retry.
   *
   * @returns milliseconds until the next retry, or null if all fills are delivered.
   */
  async function notifyAll(setup: HookSetup): Promise<number | null> {
    isAsked = false
    const unanswered = await store.listUnansweredFills(setup.when)
    for (const record of unanswered) {
      if (stopping.signal.aborted) return null
      // A failed delivery does not delay other deliveries. A new change to the same fill is delivered immediately.
      const failure = failures.get(record.hash)
      const before = failure?.change === record.change ? failure : { count: 0, until: 0 }
      if (before.until > clock.monotonic()) continue
      try {
        await notify(setup, record)
        failures.delete(record.hash)
      } catch (err) {
        if (cutting.signal.aborted) return null
        const pauseMs = Math.min(minRetryDelayMs * 2 ** Math.min(before.count, 10), maxRetryDelayMs)
        const { change } = record
        failures.set(record.hash, { change, count: before.count + 1, until: clock.monotonic() + pauseMs })
        lastError = err instanceof HookError ? err.shortMessage : 'Failed to read the chain or the database.'
        log.warn({ err, hash: record.hash, change, retryInMs: pauseMs }, 'failed to deliver a fill to the hook')
      }
    }
    const left = new Set((await store.listUnansweredFills(setup.when)).map(({ hash }) => hash))
    for (const hash of failures.keys()) if (!left.has(hash)) failures.delete(hash)
    if (left.size === 0) lastError = null
    const soonest = Math.min(...[...left].map((hash) => failures.get(hash)?.until ?? 0))
    return left.size === 0 ? null : Math.max(0, soonest - clock.monotonic())
  }

  async function notify({ call, timeoutMs }: HookSetup, record: FillRecord): Promise<void> {
    const fill = await confirmFill(record)
    // Record the call before making it. If the fill is later reverted, the hook must be notified even if it is unknown
    // whether the call was made.
    if (!(await store.beginFill(record, fill))) return
    const { status: event, final } = record
    const { maker, domain } = deps
    const notice = describeFill(fill, { event, final }, { ...domain, maker })
    await callWithin(timeoutMs, (signal) => call(notice, signal))
    await store.finishFill(record)
    log.info({ hash: record.hash, event }, 'fill delivered to the hook')
  }

  /**
   * Reads the fill from the maker's node.
   *
   * @throws {HookError} while the node disagrees with the service.
   */
  async function confirmFill({ hash, status, block, told }: FillRecord): Promise<Fill> {
    if (status === 'filled') {
      const fill = await deps.chain.readFill(hash, BigInt(block))
      if (fill) return fill
      throw new HookError(
        'The node at chain.rpcUrl does not have the fill in the reported block, or does not have it yet.',
      )
    }
    if (told === null) throw new HookError('A fill that was never delivered was reverted.')
    const still = await deps.chain.readFill(hash, told.block)
    if (still?.transactionHash !== told.transactionHash) return told
    throw new HookError('The service reports that the fill was reverted, but the node at chain.rpcUrl still has it.')
  }

  async function callWithin(timeoutMs: number, call: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const ending = new AbortController()
    const end = () => ending.abort()
    const cancel = clock.after(timeoutMs, end)
    cutting.signal.addEventListener('abort', end)
    const ended = new Promise<never>((_, reject) => {
      ending.signal.addEventListener('abort', () => {
        const why = cutting.signal.aborted ? 'was stopped with the daemon' : `took longer than ${timeoutMs / 1_000} s`
        reject(new HookError(`The hook ${why}.`))
      })
    })
    try {
      // Stop waiting for the hook after the time limit, because a function cannot be aborted from outside and must not
      // block other notices.
      await Promise.race([call(ending.signal), ended])
    } finally {
      cancel()
      cutting.signal.removeEventListener('abort', end)
    }
  }

  return {
    receive(service, status) {
      // An update that arrives during shutdown is not stored. The daemon requests it again at the next start.
      if (isLost || stopping.signal.aborted || !isSequenceNumber(status.seq) || !isSequenceNumber(status.block)) return
      if (waiting >= maxQueuedUpdates) {
        isLost = true
        log.error({}, 'status update queue is full; dropping updates until the next start')
        return
      }
      waiting += 1
      saving = saving
        .then(() => save(service, status))
        .finally(() => {
          waiting -= 1
        })
    },
    start: wake,
    async status() {
      const unanswered = hook === null ? 0 : await store.countUnansweredFills(hook.when)
      return { unanswered, lastError: unanswered === 0 ? null : lastError }
    },
    async stop() {
      stopping.abort()
      cancelPause()
      const cancel = clock.after(maxDrainMs, () => cutting.abort())
      await saving
      await notifying
      cancel()
    },
  }
}

function amount(value: bigint | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}
