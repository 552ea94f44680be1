import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { nodeFaults } from '../domain/chooseNode.ts'
import { countedLimits, hintDrops, type Metrics, type MetricsPage } from '../ports/metrics.ts'
import { createSampledGauges, type SampledGaugesOptions } from './sampledGauges.ts'

/** Creates the Prometheus metrics in a separate registry, including Node.js's default metrics. */
export function createPromMetrics(options: SampledGaugesOptions = {}): Metrics & MetricsPage {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  // The default gauge keeps its old value if no descriptor is left for counting.
  register.removeSingleMetric('process_open_fds')

  const opened = new Counter({ name: 'firmquote_auctions_opened_total', help: 'Opened auctions.', registers })
  const closed = new Counter({
    name: 'firmquote_auctions_closed_total',
    help: 'Closed auctions, by outcome: done, or interrupted if closed after a restart.',
    labelNames: ['outcome'],
    registers,
  })
  const abandoned = new Counter({
    name: 'firmquote_auctions_abandoned_total',
    help: 'Auctions without followers whose slot was released.',
    registers,
  })
  const quotes = new Counter({
    name: 'firmquote_quotes_total',
    help: 'Judged quotes, by origin and verdict: ACCEPTED or the rejection code.',
    labelNames: ['from', 'verdict'],
    registers,
  })
  const latency = new Histogram({
    name: 'firmquote_quote_acknowledgement_seconds',
    help: "Time from a quote's arrival to its verdict, including the commit of an accepted quote.",
    labelNames: ['from'],
    buckets: latencyBuckets,
    registers,
  })
  const requests = new Counter({
    name: 'firmquote_http_requests_total',
    help: 'Completed HTTP requests, by endpoint ID (none for the web app, the API descriptions and unknown paths) and status: the HTTP status or aborted.',
    labelNames: ['route', 'status'],
    registers,
  })
  const requestTimes = new Histogram({
    name: 'firmquote_http_request_seconds',
    help: 'Duration of HTTP requests, by endpoint ID. A stream counts until it ends.',
    labelNames: ['route'],
    buckets: [...latencyBuckets, 20],
    registers,
  })
  const commits = new Histogram({
    name: 'firmquote_database_commit_seconds',
    help: 'Time from a write to its commit.',
    buckets: latencyBuckets,
    registers,
  })
  const failedWrites = new Counter({
    name: 'firmquote_database_failed_writes_total',
    help: 'Writes that failed or whose outcome is unknown.',
    registers,
  })
  const reached = new Counter({
    name: 'firmquote_limit_reached_total',
    help: 'RFQs, quotes, proofs and reads refused because of a limit, by setting.',
    labelNames: ['setting'],
    registers,
  })
  const suspended = new Counter({
    name: 'firmquote_makers_suspended_total',
    help: 'Suspensions of makers whose contract exceeded the limits of a signature check.',
    registers,
  })
  const givenBack = new Counter({
    name: 'firmquote_seats_given_back_total',
    help: 'Backers evicted from their seat by one with more funds.',
    registers,
  })
  const refusedBackers = new Counter({
    name: 'firmquote_backers_refused_total',
    help: 'Failed authentications, by the code in auth_failed; unanswered: the backer left without answering the challenge.',
    labelNames: ['code'],
    registers,
  })
  const statuses = new Counter({
    name: 'firmquote_quote_statuses_total',
    help: 'Status updates sent to makers, by status (active after a reorganization) and by whether the block is finalized.',
    labelNames: ['status', 'final'],
    registers,
  })
  const rpc = new Counter({
    name: 'firmquote_rpc_failures_total',
    help: 'Failed requests to a node, after retries, by host name: silent (no answer in time) or refused.',
    labelNames: ['kind', 'node'],
    registers,
  })
  const nodeInUse = new Gauge({
    name: 'firmquote_rpc_node_in_use',
    help: '1 for the node in use, by host name.',
    labelNames: ['node'],
    registers,
  })
  const nodePreferred = new Gauge({
    name: 'firmquote_rpc_node_preferred',
    help: '1 if the node in use is the first one in RPC_URL, else 0.',
    registers,
  })
  const nodesDisagree = new Gauge({
    name: 'firmquote_rpc_nodes_disagree',
    help: '1 while the nodes have different finalized blocks, else 0.',
    registers,
  })
  const nodeSwitches = new Counter({
    name: 'firmquote_rpc_node_switches_total',
    help: 'Switches to another node, by the fault of the node that was left; preferred: the first one has recovered.',
    labelNames: ['reason'],
    registers,
  })
  const refused = new Counter({
    name: 'firmquote_requests_refused_total',
    help: 'HTTP requests answered with an error, by code.',
    labelNames: ['code'],
    registers,
  })
  const cut = new Counter({
    name: 'firmquote_connections_cut_total',
    help: 'Closed connections: pipelining (too many unanswered requests), not_reading (unread responses), too_many (from one network or in total).',
    labelNames: ['reason'],
    registers,
  })
  const hints = new Counter({
    name: 'firmquote_hints_dropped_total',
    help: 'Messages between instances that were not sent (disconnected, stalled, oversized) or were rejected (forged, replayed, untimely, unknown_version, oversized).',
    labelNames: ['reason'],
    registers,
  })
  const steps = new Counter({
    name: 'firmquote_clock_steps_total',
    help: "Detected steps of the database's clock or, on SQLite, the machine's.",
    registers,
  })
  const bus = new Gauge({
    name: 'firmquote_nats_connected',
    help: '1 if NATS is connected, else 0; NaN without NATS_URL.',
    registers,
  })
  bus.set(Number.NaN)
  // Initializes each series to 0. Otherwise, a series would first appear with the first failure, and no increase would
  // be visible.
  for (const outcome of ['done', 'interrupted']) closed.inc({ outcome }, 0)
  for (const reason of ['pipelining', 'not_reading', 'too_many']) cut.inc({ reason }, 0)
  for (const status of ['filled', 'cancelled', 'nonce_raised', 'active']) statuses.inc({ status, final: 'false' }, 0)
  for (const reason of nodeSwitchReasons) nodeSwitches.inc({ reason }, 0)
  for (const reason of hintDrops) hints.inc({ reason }, 0)
  for (const from of ['socket', 'http']) quotes.inc({ from, verdict: 'ACCEPTED' }, 0)
  for (const setting of countedLimits) reached.inc({ setting }, 0)

  let knownNode: string | null = null
  const now = { quotes: { socket: 0, http: 0 }, writes: 0, streams: 0 }
  const setGauges = createSampledGauges(registers, options)

  return {
    auctionOpened: () => opened.inc(),
    auctionClosed: (outcome) => closed.inc({ outcome }),
    auctionAbandoned: () => abandoned.inc(),
    makerSuspended: () => suspended.inc(),
    seatGivenBack: () => givenBack.inc(),
    statusTold: ({ status, final }) => statuses.inc({ status, final: String(final) }),
    backerRefused: (code) => refusedBackers.inc({ code }),
    quoteArrived(from) {
      now.quotes[from] += 1
    },
    quoteJudged({ from, verdict, seconds }) {
      now.quotes[from] -= 1
      quotes.inc({ from, verdict })
      latency.observe({ from }, seconds)
    },
    writeAsked() {
      now.writes += 1
    },
    writeEnded({ outcome, seconds }) {
      now.writes -= 1
      if (outcome === 'committed') commits.observe(seconds)
      else failedWrites.inc()
    },
    limitReached: (setting) => reached.inc({ setting }),
    requestEnded({ route, status, seconds }) {
      requests.inc({ route, status })
      requestTimes.observe({ route }, seconds)
    },
    streamOpened() {
      now.streams += 1
    },
    streamEnded() {
      now.streams -= 1
    },
    requestRefused: (code) => refused.inc({ code }),
    connectionCut: (reason) => cut.inc({ reason }),
    rpcFailed: (kind, node) => rpc.inc({ kind, node }),
    nodeInUse({ name, isPreferred, reason, disagrees }) {
      if (knownNode !== null && knownNode !== name) {
        nodeSwitches.inc({ reason })
        nodeInUse.set({ node: knownNode }, 0)
      }
      for (const kind of ['silent', 'refused']) rpc.inc({ kind, node: name }, 0)
      knownNode = name
      nodeInUse.set({ node: name }, 1)
      nodePreferred.set(isPreferred ? 1 : 0)
      nodesDisagree.set(disagrees ? 1 : 0)
    },
    hintsDropped: (reason, count) => hints.inc({ reason }, count),
    clockStepped: () => steps.inc(),
    busConnected: (connected) => bus.set(connected ? 1 : 0),
    contentType: register.contentType,
    write(figures) {
      setGauges(figures, now)
      return register.metrics()
    },
  }
}

const nodeSwitchReasons = [...nodeFaults, 'preferred']
const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
