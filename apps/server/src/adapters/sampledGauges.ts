// Why: docs/decisions/0062-one-fault-one-alert.md
import { Counter, Gauge, type Registry } from 'prom-client'
import type { CountedLimit, Figures, ThreadFigures } from '../ports/metrics.ts'

/** Limits exported alongside the metrics to which they apply. */
export type ExportedLimit = CountedLimit | 'MAX_SOCKETS' | 'HEAD_STALE_SECONDS'

/** Options of {@link createSampledGauges}. */
export type SampledGaugesOptions = {
  /** The version, and the build's commit or `unknown`. */
  build?: { version: string; commit: string }
  limits?: () => Partial<Record<ExportedLimit, number>>
  threads?: () => ThreadFigures[]
  /** Counts the process's open file descriptors. Null if unknown. */
  descriptors?: () => number | null
}

/** This process's operations in progress. */
export type InProgress = { quotes: Record<'socket' | 'http', number>; writes: number; streams: number }

/** Creates the gauges sampled at each scrape, and returns a function that sets them. Unknown values are NaN. */
export function createSampledGauges(
  registers: Registry[],
  { build, limits = () => ({}), threads = () => [], descriptors = () => null }: SampledGaugesOptions,
): (figures: Figures, inFlight: InProgress) => void {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge<Label>({ name: `firmquote_${name}`, help, labelNames, registers })

  const open = gauge('auctions_open', 'Open auctions.')
  const places = gauge(
    'auction_places',
    'Auction slots in use, across all instances: verified and unverified count against OPEN_AUCTIONS; abandoned auctions do not.',
    'kind',
  )
  const backers = gauge('backers_connected', 'Distinct connected backers.')
  const sockets = gauge('backer_sockets', 'Backer sockets: pending (not authenticated) or seated.', 'state')
  const streams = gauge('streams_open', "Borrowers' open event streams.")
  const waitingQuotes = gauge('quotes_waiting', 'Quotes waiting for their verdict.', 'from')
  const waitingWrites = gauge('database_writes_waiting', 'Writes waiting for their commit.')
  const lag = gauge(
    'sync_lag_seconds',
    'Age of the newest block whose events are in the database; NaN if there is none.',
  )
  const headAge = gauge('head_age_seconds', "Age of the node's newest block; NaN if there is none.")
  const blocks = gauge(
    'chain_block',
    "Number of the node's newest block, and of the newest block whose events are in the database (store); NaN if there is none.",
    'of',
  )
  const overdue = gauge(
    'checkpoint_overdue_seconds',
    'Seconds since the expiry of the first expired series with positions and without a checkpoint, else 0; NaN on an instance that does not follow the chain.',
  )
  const logEntries = gauge('proof_log_entries', 'Entries in the newest checkpoint of the log; NaN with PROOFS=off.')
  const logAge = gauge(
    'proof_log_checkpoint_age_seconds',
    'Age of the newest checkpoint of the log; NaN if there is none.',
  )
  const logWaiting = gauge('proof_log_waiting_entries', 'Entries that no checkpoint has yet; NaN with PROOFS=off.')
  const logWitnesses = gauge('proof_log_witnesses', 'Witnesses that cosign the log; NaN with PROOFS=off.')
  const logCosignedAge = gauge(
    'proof_log_cosigned_age_seconds',
    "Age of the witnesses' newest signature of the log; NaN if there is none.",
  )
  const readable = gauge('database_readable', '1 if the database answered within a second, else 0.')
  const writable = gauge('database_writable', '1 if the database accepts writes, else 0.')
  const whole = gauge('database_whole', '1 if the data is intact, 0 if it is damaged; NaN during the check.')
  const bytes = gauge('database_bytes', 'Size of the data with indexes, and of the log (WAL); NaN if unknown.', 'part')
  const free = gauge('database_free_bytes', 'Free space on the disk of the SQLite file; NaN if unknown.')
  const clockOffset = gauge(
    'clock_offset_seconds',
    "Seconds that the service's time is ahead of the database's clock or, on SQLite, the machine's; 0 unless that clock was stepped.",
  )
  const heap = gauge('thread_heap_bytes', 'JavaScript heap in use by a thread.', 'thread')
  const heapLimit = gauge('thread_heap_limit_bytes', 'JavaScript heap limit of a thread.', 'thread')
  const cpu = new Counter({
    name: 'firmquote_thread_cpu_seconds_total',
    help: 'CPU time of a thread.',
    labelNames: ['thread'],
    registers,
  })
  const busy = new Counter({
    name: 'firmquote_thread_busy_seconds_total',
    help: "Time during which a thread's event loop was busy.",
    labelNames: ['thread'],
    registers,
  })
  const openDescriptors = new Gauge({
    name: 'process_open_fds',
    help: 'Number of open file descriptors; NaN if unknown.',
    registers,
  })
  const limit = gauge('limit', "Value of this instance's limit, by setting.", 'setting')
  const info = gauge('build_info', 'Always 1; the labels identify the build.', 'version', 'commit', 'node')
  if (build) info.set({ ...build, node: process.version }, 1)

  const known = (value: number | bigint | null | undefined) => Number(value ?? Number.NaN)

  const setThreads = () => {
    // Reset all series, because some threads may have ended. The running threads report totals since they started.
    for (const one of [heap, heapLimit, cpu, busy]) one.reset()
    for (const { thread, ...its } of threads()) {
      if (its.heapBytes !== null) heap.set({ thread }, its.heapBytes)
      if (its.heapLimitBytes !== null) heapLimit.set({ thread }, its.heapLimitBytes)
      if (its.cpuSeconds !== null) cpu.inc({ thread }, its.cpuSeconds)
      if (its.busySeconds !== null) busy.inc({ thread }, its.busySeconds)
    }
  }

  return (figures, inFlight) => {
    const { chain, database } = figures
    open.set(figures.openAuctions)
    const total = figures.places
    places.set({ kind: 'verified' }, known(total && total.open - total.unverified))
    places.set({ kind: 'unverified' }, known(total?.unverified))
    places.set({ kind: 'abandoned' }, known(total?.abandoned))
    backers.set(figures.backers)
    for (const state of ['pending', 'seated'] as const) sockets.set({ state }, figures.sockets[state])
    streams.set(inFlight.streams)
    for (const from of ['socket', 'http'] as const) waitingQuotes.set({ from }, inFlight.quotes[from])
    waitingWrites.set(inFlight.writes)
    lag.set(known(chain.lagSeconds))
    headAge.set(known(chain.headAgeSeconds))
    blocks.set({ of: 'node' }, known(chain.head))
    blocks.set({ of: 'store' }, known(chain.synced))
    overdue.set(known(figures.checkpointOverdueSeconds))
    logEntries.set(known(figures.proofLog?.size))
    logAge.set(known(figures.proofLog?.ageSeconds))
    logWaiting.set(known(figures.proofLog?.waiting))
    logWitnesses.set(known(figures.proofLog?.witnesses))
    logCosignedAge.set(known(figures.proofLog?.cosignedAgeSeconds))
    readable.set(Number(database.isReadable))
    writable.set(Number(database.isWritable))
    whole.set(database.isWhole === null ? Number.NaN : Number(database.isWhole))
    bytes.set({ part: 'data' }, known(database.size.data))
    bytes.set({ part: 'log' }, known(database.size.log))
    free.set(known(database.size.free))
    clockOffset.set(figures.clockOffsetSeconds)
    for (const [setting, value] of Object.entries(limits())) limit.set({ setting }, value)
    setThreads()
    openDescriptors.set(known(descriptors()))
  }
}
