// Why: docs/decisions/0041-fill-hook-state.md
import { type Clock, isSequenceNumber, type QuoteDomain, type QuoteStatusMessage } from '@firmquote/core'
import type { DaemonHookStatus } from '@firmquote/sdk/node'
import type { Address, Hex } from 'viem'
import { describeFill, type Fill, type HookMoment } from '../domain/fill.ts'
import { HookError } from '../errors.ts'
import type { Chain } from '../ports/chain.ts'
import type { FillHook } from '../ports/fillHook.ts'
import type { FillRecord, Store } from '../ports/store.ts'
import type { Counts } from './daemonMetrics.ts'

/** The maker's hook, and how it is called. */
export type HookSetup = { call: FillHook; when: HookMoment; timeoutMs: number }

/** What {@link createFillNotices} needs. */
export type FillNoticesDeps = {
  maker: Address
  domain: QuoteDomain
  chain: Pick<Chain, 'readFill'>
  store: Store
  clock: Clock
  /** Null: nobody is told. */
  hook: HookSetup | null
  counts: Pick<Counts, 'filled'>
  log: {
    info(facts: object, message: string): void
    warn(facts: object, message: string): void
    error(facts: object, message: string): void
  }
}

/**
 * Stores what a service tells of the maker's quotes, and tells the maker's hook of fills: each at least once, until it succeeds.
 * The service's word alone moves nothing: the hook is told what the maker's own node shows.
 */
export type FillNotices = {
  /** Stores a status, in the order of the calls. */
  receive(service: string, status: QuoteStatusMessage): void
  /** Tells the hook what it was not told of before. */
  start(): void
  status(): Promise<DaemonHookStatus>
  /** Stores what was received, and calls the hook no more; a call that is under way has 5 s to end. */
  stop(): Promise<void>
}

/** After a failure the pause doubles, from the shortest to the longest. Milliseconds. */
const shortestPauseMs = 1_000
const longestPauseMs = 60_000
/** How long a call that is under way may take while the daemon stops, in milliseconds. */
const longestDrainMs = 5_000
/** Statuses that wait for a disk that does not answer: a bound on memory. */
const mostWaiting = 10_000

/** Creates it. */
export function createFillNotices(deps: FillNoticesDeps): FillNotices {
  const { store, clock, hook, log } = deps
  /** By quote: the change that could not be told, how often, and until when it pauses. */
  const failures = new Map<Hex, { change: number; count: number; until: number }>()
  /** No more calls, and no more pauses. */
  const stopping = new AbortController()
  /** The call under way ends as well. */
  const cutting = new AbortController()
  let lastError: string | null = null
  let waiting = 0
  let saving = Promise.resolve()
  let isLost = false
  let telling: Promise<void> | null = null
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
        log.error({ err, hash: status.hash }, 'the status of a quote could not be stored; it is tried again')
      }
      // Nothing behind it is stored either: it comes again after the next start, which asks from what was stored.
      isLost = !(await pause(shortestPauseMs))
    }
  }

  function report(effect: Awaited<ReturnType<Store['saveStatus']>>, status: QuoteStatusMessage): void {
    const { hash, block, transactionHash, notional, cost } = status
    if (effect === 'none') return
    const facts = { hash, block, transactionHash }
    if (effect === 'filled') log.info({ ...facts, notional: amount(notional), cost: amount(cost) }, 'filled')
    else if (effect === 'reverted') log.warn(facts, 'a fill is gone: the chain was reorganised')
    else log.error(facts, 'a fill of an unknown quote was not stored: too many are unanswered')
  }

  /** Waits. @returns whether to go on: false when everything stops. */
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
    if (hook === null || telling !== null || stopping.signal.aborted) return
    cancelPause()
    telling = tellAll(hook)
      .catch((err: unknown) => {
        // The database: the next round reads it again.
        log.error({ err }, 'the fills that the hook was not told of could not be read')
        return shortestPauseMs
      })
      .then((pauseMs) => {
        telling = null
        if (isAsked) wake()
        else if (pauseMs !== null && !stopping.signal.aborted) cancelPause = clock.after(pauseMs, wake)
      })
  }

  /** Tells, one after the other, whatever does not pause. @returns how long nothing is to be done; null: until something new. */
  async function tellAll(setup: HookSetup): Promise<number | null> {
    isAsked = false
    const unanswered = await store.listUnansweredFills(setup.when)
    for (const record of unanswered) {
      if (stopping.signal.aborted) return null
      // One that fails does not hold up the others; news of it begin anew.
      const failure = failures.get(record.hash)
      const before = failure?.change === record.change ? failure : { count: 0, until: 0 }
      if (before.until > clock.monotonic()) continue
      try {
        await tell(setup, record)
        failures.delete(record.hash)
      } catch (err) {
        if (cutting.signal.aborted) return null
        const pauseMs = Math.min(shortestPauseMs * 2 ** Math.min(before.count, 10), longestPauseMs)
        const { change } = record
        failures.set(record.hash, { change, count: before.count + 1, until: clock.monotonic() + pauseMs })
        lastError = err instanceof HookError ? err.shortMessage : 'The chain or the database could not be read.'
        log.warn({ err, hash: record.hash, change, retryInMs: pauseMs }, 'the hook was not told of a fill')
      }
    }
    const left = new Set((await store.listUnansweredFills(setup.when)).map(({ hash }) => hash))
    for (const hash of failures.keys()) if (!left.has(hash)) failures.delete(hash)
    if (left.size === 0) lastError = null
    const soonest = Math.min(...[...left].map((hash) => failures.get(hash)?.until ?? 0))
    return left.size === 0 ? null : Math.max(0, soonest - clock.monotonic())
  }

  async function tell({ call, timeoutMs }: HookSetup, record: FillRecord): Promise<void> {
    const fill = await readTruth(record)
    // On the disk before the call: a call that may have been made counts as one that was, when the fill is taken back.
    if (!(await store.beginFill(record, fill))) return
    const { status: event, final } = record
    const { maker, domain } = deps
    const notice = describeFill(fill, { event, final }, { ...domain, maker })
    await callWithin(timeoutMs, (signal) => call(notice, signal))
    await store.finishFill(record)
    log.info({ hash: record.hash, event }, 'the hook was told of a fill')
  }

  /** What the maker's own node shows. @throws {HookError} as long as it does not agree. */
  async function readTruth({ hash, status, block, told }: FillRecord): Promise<Fill> {
    if (status === 'filled') {
      const fill = await deps.chain.readFill(hash, BigInt(block))
      if (fill) return fill
      throw new HookError('The node of chain.rpcUrl does not show the fill at its block, or not yet.')
    }
    if (told === null) throw new HookError('A fill that was never told is gone.')
    const still = await deps.chain.readFill(hash, told.block)
    if (still?.transactionHash !== told.transactionHash) return told
    throw new HookError('The service has told that a fill is gone, but the node of chain.rpcUrl still shows it.')
  }

  async function callWithin(timeoutMs: number, call: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const ending = new AbortController()
    const end = () => ending.abort()
    const cancel = clock.after(timeoutMs, end)
    cutting.signal.addEventListener('abort', end)
    const ended = new Promise<never>((_, reject) => {
      ending.signal.addEventListener('abort', () => {
        const why = cutting.signal.aborted ? 'was ended with the daemon' : `took longer than ${timeoutMs / 1_000} s`
        reject(new HookError(`The hook ${why}.`))
      })
    })
    try {
      // A function cannot be ended, and must not hold up the others either.
      await Promise.race([call(ending.signal), ended])
    } finally {
      cancel()
      cutting.signal.removeEventListener('abort', end)
    }
  }

  return {
    receive(service, status) {
      // What comes while the daemon stops is not stored, and so comes again after the next start.
      if (isLost || stopping.signal.aborted || !isSequenceNumber(status.seq) || !isSequenceNumber(status.block)) return
      if (waiting >= mostWaiting) {
        isLost = true
        log.error({}, 'the database does not keep up: statuses of quotes are left out until the next start')
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
      const cancel = clock.after(longestDrainMs, () => cutting.abort())
      await saving
      await telling
      cancel()
    },
  }
}

function amount(value: bigint | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}
