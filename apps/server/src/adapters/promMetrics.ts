import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { countedLimits, hintDrops, type Metrics, type MetricsPage } from '../ports/metrics.ts'
import { createSampledGauges, type SampledGaugesOptions } from './sampledGauges.ts'

/** Counts for Prometheus, in a registry of its own; process and event-loop figures of Node are in it too. */
export function createPromMetrics(options: SampledGaugesOptions = {}): Metrics & MetricsPage {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })

  const opened = new Counter({ name: 'firmquote_auctions_opened_total', help: 'Auctions that were opened.', registers })
  const closed = new Counter({
    name: 'firmquote_auctions_closed_total',
    help: 'Auctions that have ended, by outcome: done, or interrupted when no server was there at the deadline.',
    labelNames: ['outcome'],
    registers,
  })
  const abandoned = new Counter({
    name: 'firmquote_auctions_abandoned_total',
    help: 'Auctions that nobody followed any more and whose place among the open ones went to others.',
    registers,
  })
  const quotes = new Counter({
    name: 'firmquote_quotes_total',
    help: 'Quotes that were judged, by where they came from and verdict: ACCEPTED or the code of the refusal.',
    labelNames: ['from', 'verdict'],
    registers,
  })
  const latency = new Histogram({
    name: 'firmquote_quote_acknowledgement_seconds',
    help: 'How long a quote waited for its verdict, which for an accepted one includes the disk.',
    labelNames: ['from'],
    buckets: latencyBuckets,
    registers,
  })
  const requests = new Counter({
    name: 'firmquote_http_requests_total',
    help: 'HTTP requests that have ended, by the id of their endpoint (none for pages, descriptions and what is unknown) and status: that of the answer, or aborted.',
    labelNames: ['route', 'status'],
    registers,
  })
  const requestTimes = new Histogram({
    name: 'firmquote_http_request_seconds',
    help: 'How long HTTP requests took, from their arrival to the end of the answer, by the id of their endpoint. A stream takes as long as it is followed.',
    labelNames: ['route'],
    buckets: [...latencyBuckets, 20],
    registers,
  })
  const commits = new Histogram({
    name: 'firmquote_database_commit_seconds',
    help: 'How long writes waited until they were committed.',
    buckets: latencyBuckets,
    registers,
  })
  const failedWrites = new Counter({
    name: 'firmquote_database_failed_writes_total',
    help: 'Writes that have failed, or whose outcome is not known.',
    registers,
  })
  const reached = new Counter({
    name: 'firmquote_limit_reached_total',
    help: 'RFQs, quotes and proofs that were refused by a limit, by the setting that has it.',
    labelNames: ['setting'],
    registers,
  })
  const suspended = new Counter({
    name: 'firmquote_makers_suspended_total',
    help: "Times that a maker was put aside because its contract failed in a signature check's limits.",
    registers,
  })
  const givenBack = new Counter({
    name: 'firmquote_seats_given_back_total',
    help: 'Times that a backer lost its seat to one with more means.',
    registers,
  })
  const refusedBackers = new Counter({
    name: 'firmquote_backers_refused_total',
    help: 'Backers that were not authenticated, by the code of their auth_failed; unanswered: gone without an answer to the challenge.',
    labelNames: ['code'],
    registers,
  })
  const statuses = new Counter({
    name: 'firmquote_quote_statuses_total',
    help: 'What makers were told of their quotes on the chain, by status and by whether the block is final; active takes something back.',
    labelNames: ['status', 'final'],
    registers,
  })
  const rpc = new Counter({
    name: 'firmquote_rpc_failures_total',
    help: 'Requests to the node that failed for good: silent (no answer in time) or refused.',
    labelNames: ['kind'],
    registers,
  })
  const refused = new Counter({
    name: 'firmquote_requests_refused_total',
    help: 'HTTP requests that were answered with a problem, by its code.',
    labelNames: ['code'],
    registers,
  })
  const cut = new Counter({
    name: 'firmquote_connections_cut_total',
    help: 'Connections that were ended: too many requests ahead of their answers (pipelining), answers that are not read (not_reading), or too many of one network or of all (too_many).',
    labelNames: ['reason'],
    registers,
  })
  const hints = new Counter({
    name: 'firmquote_hints_dropped_total',
    help: 'Messages between instances that were not sent (disconnected, stalled, oversized) or not believed (forged, replayed, untimely, unknown_version, oversized).',
    labelNames: ['reason'],
    registers,
  })
  const bus = new Gauge({
    name: 'firmquote_nats_connected',
    help: 'Whether NATS is connected, 1 or 0; NaN where the service runs without it.',
    registers,
  })
  bus.set(Number.NaN)
  // A counter that appears with its first failure shows no increase.
  for (const outcome of ['done', 'interrupted']) closed.inc({ outcome }, 0)
  for (const reason of ['pipelining', 'not_reading', 'too_many']) cut.inc({ reason }, 0)
  for (const status of ['filled', 'cancelled', 'nonce_raised', 'active']) statuses.inc({ status, final: 'false' }, 0)
  for (const kind of ['silent', 'refused']) rpc.inc({ kind }, 0)
  for (const reason of hintDrops) hints.inc({ reason }, 0)
  for (const from of ['socket', 'http']) quotes.inc({ from, verdict: 'ACCEPTED' }, 0)
  for (const setting of countedLimits) reached.inc({ setting }, 0)

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
    rpcFailed: (kind) => rpc.inc({ kind }),
    hintsDropped: (reason, count) => hints.inc({ reason }, count),
    busConnected: (connected) => bus.set(connected ? 1 : 0),
    contentType: register.contentType,
    write(figures) {
      setGauges(figures, now)
      return register.metrics()
    },
  }
}

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
