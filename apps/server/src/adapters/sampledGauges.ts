// Why: docs/decisions/0062-one-fault-one-alert.md
import { Counter, Gauge, type Registry } from 'prom-client'
import type { CountedLimit, Figures, ThreadFigures } from '../ports/metrics.ts'

/** The limits that are shown beside what is counted against them. */
export type ShownLimit = CountedLimit | 'MAX_SOCKETS' | 'HEAD_STALE_SECONDS'

/** What is shown beside the figures of a moment. */
export type SampledGaugesOptions = {
  /** What runs: its version, and the commit that it was built from where that is known. */
  build?: { version: string; commit: string }
  limits?: Partial<Record<ShownLimit, number>>
  threads?: () => ThreadFigures[]
}

/** What is under way in this process. */
export type InProgress = { quotes: Record<'socket' | 'http', number>; writes: number; streams: number }

/** Creates the gauges that are set when they are asked for, and what sets them. What is not known is NaN. */
export function createSampledGauges(
  registers: Registry[],
  { build, limits = {}, threads = () => [] }: SampledGaugesOptions,
): (figures: Figures, underWay: InProgress) => void {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge<Label>({ name: `firmquote_${name}`, help, labelNames, registers })

  const open = gauge('auctions_open', 'Auctions that are open.')
  const places = gauge(
    'auction_places',
    'Auctions that have a place, of all instances: verified and unverified ones count against OPEN_AUCTIONS, abandoned ones run on beside them.',
    'kind',
  )
  const backers = gauge('backers_connected', 'Distinct backers that are connected.')
  const sockets = gauge('backer_sockets', 'Sockets of backers: pending (not authenticated) or seated.', 'state')
  const streams = gauge('streams_open', 'Streams by which borrowers follow auctions.')
  const waitingQuotes = gauge('quotes_waiting', 'Quotes that wait for their verdict.', 'from')
  const waitingWrites = gauge('database_writes_waiting', 'Writes that wait for their commit.')
  const lag = gauge(
    'sync_lag_seconds',
    'Age of the newest block whose events are in the store; NaN while there is none.',
  )
  const headAge = gauge('head_age_seconds', "Age of the node's newest block; NaN while there is none.")
  const blocks = gauge(
    'chain_block',
    "Numbers of the node's newest block (node) and of the newest whose events are in the store (store); NaN while there is none.",
    'of',
  )
  const readable = gauge('database_readable', 'Whether the database has answered within a second, 1 or 0.')
  const writable = gauge('database_writable', 'Whether the database takes writes, 1 or 0.')
  const whole = gauge('database_whole', 'Whether what is kept is whole, 1 or 0; NaN while that is looked at.')
  const bytes = gauge(
    'database_bytes',
    'Size of the database: its data with all indexes, and its log of writes; NaN where it cannot be told.',
    'part',
  )
  const free = gauge('database_free_bytes', 'What the disk of the database has left; NaN where it cannot be told.')
  const heap = gauge('thread_heap_bytes', 'JavaScript memory that a thread uses.', 'thread')
  const heapLimit = gauge('thread_heap_limit_bytes', 'JavaScript memory with which a thread fails.', 'thread')
  const cpu = new Counter({
    name: 'firmquote_thread_cpu_seconds_total',
    help: 'Processor time of a thread since its start.',
    labelNames: ['thread'],
    registers,
  })
  const busy = new Counter({
    name: 'firmquote_thread_busy_seconds_total',
    help: 'For how long the event loop of a thread had work, since its start.',
    labelNames: ['thread'],
    registers,
  })
  const limit = gauge('limit', 'Limits of this instance, by the setting.', 'setting')
  for (const [setting, value] of Object.entries(limits)) limit.set({ setting }, value)
  const info = gauge('build_info', 'Always 1: what runs is in the labels.', 'version', 'commit', 'node')
  if (build) info.set({ ...build, node: process.version }, 1)

  const known = (value: number | bigint | null | undefined) => Number(value ?? Number.NaN)

  const setThreads = () => {
    // One that has ended is no longer shown; the others say how much it is since their start.
    for (const one of [heap, heapLimit, cpu, busy]) one.reset()
    for (const { thread, ...its } of threads()) {
      if (its.heapBytes !== null) heap.set({ thread }, its.heapBytes)
      if (its.heapLimitBytes !== null) heapLimit.set({ thread }, its.heapLimitBytes)
      if (its.cpuSeconds !== null) cpu.inc({ thread }, its.cpuSeconds)
      if (its.busySeconds !== null) busy.inc({ thread }, its.busySeconds)
    }
  }

  return (figures, underWay) => {
    const { chain, database } = figures
    open.set(figures.openAuctions)
    const total = figures.places
    places.set({ kind: 'verified' }, known(total && total.open - total.unverified))
    places.set({ kind: 'unverified' }, known(total?.unverified))
    places.set({ kind: 'abandoned' }, known(total?.abandoned))
    backers.set(figures.backers)
    for (const state of ['pending', 'seated'] as const) sockets.set({ state }, figures.sockets[state])
    streams.set(underWay.streams)
    for (const from of ['socket', 'http'] as const) waitingQuotes.set({ from }, underWay.quotes[from])
    waitingWrites.set(underWay.writes)
    lag.set(known(chain.lagSeconds))
    headAge.set(known(chain.headAgeSeconds))
    blocks.set({ of: 'node' }, known(chain.head))
    blocks.set({ of: 'store' }, known(chain.synced))
    readable.set(Number(database.isReadable))
    writable.set(Number(database.isWritable))
    whole.set(database.isWhole === null ? Number.NaN : Number(database.isWhole))
    bytes.set({ part: 'data' }, known(database.size.data))
    bytes.set({ part: 'log' }, known(database.size.log))
    free.set(known(database.size.free))
    setThreads()
  }
}
