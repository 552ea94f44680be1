import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, expect } from '@jest/globals'
import { type BackerWatch, type CrashBackers, connectCrashBackers } from '../crashBackers.ts'
import { seriesOf } from '../crashFixture.ts'
import { describeMs, quantile } from '../quantile.ts'
import { refusalOf, sendRaw } from '../rawRequests.ts'
import { stopAfter } from '../stopAfter.ts'
import { beginFault, type ClusterFixture, isReady } from './clusterFixture.ts'
import { openAll, planAnswers, startLoadedCluster, tallyAnswers, testOnCluster } from './clusterLoad.ts'
import { expectKept } from './clusterRound.ts'

// Tests outages of NATS or PostgreSQL, as observed by clients of three servers under load. With ten or more rounds,
// outages last as long as documented. With fewer rounds, outages are shorter. A single round tests only one of the four
// outages.

const isLong = rounds >= 10
const natsGoneMs = isLong ? 30_000 : 6_000
const postgresGoneMs = isLong ? 10_000 : 4_000
const auctionMs = 8_000
const backerCount = 6

const started = stopAfter(afterEach)

/**
 * `rfqs` records when each backer received each auction's RFQ, by public id and backer number. `closes` lists closed
 * connections. Times are in Unix milliseconds.
 */
type Seen = { rfqs: Map<string, Map<number, number>>; closes: { index: number; code: number; at: number }[] }

async function startAll({
  moves = false,
}: {
  /** Whether a disconnected backer moves to the next instance. */
  moves?: boolean
} = {}): Promise<{ running: ClusterFixture; connected: CrashBackers; seen: Seen }> {
  const seen: Seen = { rfqs: new Map(), closes: [] }
  const running = started(await startLoadedCluster(backerCount, auctionMs))
  // Two backers per instance. A backer leaves its instance only when the instance disconnects it.
  const channel = (index: number) =>
    moves
      ? { ...running.backerFrom(index), ...{ connectTimeoutMs: 15_000, pongTimeoutMs: 15_000 } }
      : running.backerAt(index)
  const watch: BackerWatch = {
    onRfq(index, { rfqId }) {
      const known = seen.rfqs.get(rfqId) ?? new Map<number, number>()
      seen.rfqs.set(rfqId, known)
      if (!known.has(index)) known.set(index, Date.now())
    },
    onClose: (index, code) => seen.closes.push({ index, code, at: Date.now() }),
  }
  const connected = started(await connectCrashBackers(running, (index) => [channel(index)], watch))
  planAnswers(connected, backerCount, seed)
  return { running, connected, seen }
}

/** Defines the test for one of the four outages. A single round runs only one of the four tests, chosen by the seed. */
function outage(place: number, name: string, play: () => Promise<void>, timeoutMs: number): void {
  if (rounds === 1 && place !== seed % 4) return
  testOnCluster(name, play, timeoutMs)
}

outage(
  0,
  `behavior: everything works without NATS for ${natsGoneMs} ms, but other instances' backers receive auctions a second later`,
  async () => {
    const { running, connected, seen } = await startAll()
    const opened = openAll(running)
    await sleep(2_000)
    const goneAt = Date.now()
    await running.cluster.nats.stop()
    await sleep(natsGoneMs)
    await running.cluster.nats.start()
    const backAt = Date.now()
    await sleep(8_000)
    const auctions = await opened.end()
    const results = await expectKept(running, connected, auctions, auctions.length)

    const { postgres } = running.cluster
    const ids = await postgres.query(
      `select encode(rfq_id, 'hex') as own, encode(public_rfq_id, 'hex') as public from auctions`,
      postgres.url,
    )
    const publicIds = new Map(ids.map(({ own, public: id }) => [String(own), String(id)]))
    /** Delays between an auction's start and the arrival of its RFQ at backers on other instances, in milliseconds. */
    const delays = (from: number, to: number) =>
      auctions.flatMap(({ rfqId, startedAt }, turn) => {
        if (rfqId === null || startedAt === null || startedAt < from || startedAt >= to) return []
        const heard = seen.rfqs.get(publicIds.get(rfqId) ?? '') ?? new Map<number, number>()
        return Array.from({ length: backerCount }, (_, index) => index)
          .filter((index) => index % 3 !== turn % 3)
          .map((index) => (heard.get(index) ?? Number.POSITIVE_INFINITY) - startedAt)
      })
    const acks = (from: number, to: number) =>
      connected.submissions.flatMap(({ tries }) =>
        tries
          .filter(({ sentAt }) => sentAt >= from && sentAt < to)
          .map(({ sentAt, answeredAt }) => (answeredAt ?? 0) - sentAt),
      )
    const spans = {
      before: [0, goneAt],
      gone: [goneAt, backAt],
      after: [backAt + 5_000, Number.POSITIVE_INFINITY],
    } as const
    const rfqs = { before: delays(...spans.before), gone: delays(...spans.gone), after: delays(...spans.after) }
    const verdicts = { before: acks(...spans.before), gone: acks(...spans.gone), after: acks(...spans.after) }
    process.stdout.write(
      `outages.trial: NATS gone for ${natsGoneMs} ms, --seed ${seed}, ${results.length} auctions with ` +
        `${results.reduce((sum, { quotes }) => sum + quotes.length, 0)} quotes; RFQs to backers elsewhere: ${describeAll(rfqs)}; ` +
        `acknowledgements: ${describeAll(verdicts)}\n`,
    )
    for (const values of Object.values(rfqs)) expect(values.length).toBeGreaterThan(0)
    expect(Math.max(...rfqs.gone)).toBeLessThanOrEqual(1_500)
    expect(quantile(rfqs.after, 0.5)).toBeLessThan(200)
    // Quote verdicts depend only on the database, so every attempt was answered immediately and none was rejected.
    expect(connected.submissions.filter(({ tries }) => tries.length !== 1)).toEqual([])
    expect(quantile(verdicts.gone, 0.5)).toBeLessThan(Math.max(100, 2 * quantile(verdicts.before, 0.5)))
  },
  120_000 + natsGoneMs,
)

const kinds = ['stopped', 'killed'] as const
for (const [index, kind] of kinds.entries()) {
  outage(
    1 + index,
    `behavior: PostgreSQL is ${kind} for ${postgresGoneMs} ms: everything is rejected with a code, clients are redirected, and nothing is lost`,
    async () => {
      const { running, connected, seen } = await startAll()
      const { postgres } = running.cluster
      const opened = openAll(running)
      await sleep(3_000)

      /**
       * When each instance reported not ready and then ready again, and when its streams ended, in milliseconds after
       * the outage began.
       */
      const readyAgain: number[] = []
      const unready: number[] = []
      const streams: number[] = []
      const codes: Record<string, number> = {}
      let slowest = 0
      const followed = running.instances.map(async ({ url }) => {
        const auction = opened.auctions.findLast(({ startedAt }) => startedAt !== null)
        const answer = await fetch(`${url}/api/v1/rfq/${auction?.rfqId}/stream`)
        await answer.text().catch(() => '')
        streams.push(Date.now())
      })
      await sleep(200)
      const goneAt = Date.now()
      const restore = await takeAway(postgres, kind)
      let backAt = Number.POSITIVE_INFINITY
      const watched = running.instances.map(async ({ url }) => {
        while (await isReady(url)) await sleep(20)
        unready.push(Date.now() - goneAt)
        while (!(await isReady(url))) await sleep(20)
        readyAgain.push(Date.now() - backAt)
      })
      const asked = running.instances.map(async ({ url }) => {
        const body = { ...seriesOf(running), notional: '1000000000' }
        while (Date.now() < goneAt + postgresGoneMs - 1_000) {
          const from = Date.now()
          const code = refusalOf(await sendRaw(`${url}/api/v1/rfq/quote/stream`, { body })) ?? 'opened'
          codes[code] = (codes[code] ?? 0) + 1
          slowest = Math.max(slowest, Date.now() - from)
          await sleep(100)
        }
      })
      await sleep(postgresGoneMs)
      await Promise.all(asked)
      await restore()
      backAt = Date.now()
      await Promise.all([...watched, ...followed])
      await sleep(2_000)
      const auctions = await opened.end()
      // The number of auctions is not checked, since one requested during the outage may have been written.
      const results = await expectKept(running, connected, auctions, null)

      const movedMs = seen.closes.filter(({ code }) => code === 1012).map(({ at }) => at - goneAt)
      const ended = streams.map((at) => at - goneAt)
      const refused = tallyAnswers(connected)
      process.stdout.write(
        `outages.trial: PostgreSQL ${kind} for ${postgresGoneMs} ms, --seed ${seed}, ${results.length} auctions: not ready after ` +
          `${unready.join(', ')} ms; ${movedMs.length} sockets 1012 after at most ${Math.max(...movedMs)} ms; streams ended after ` +
          `${ended.join(', ')} ms; ready again after ${readyAgain.join(', ')} ms; RFQs meanwhile ${JSON.stringify(codes)}, slowest ` +
          `${slowest} ms; quotes ${JSON.stringify(refused)}\n`,
      )
      expect(Object.keys(codes)).toEqual(['STORAGE_UNAVAILABLE'])
      expect(new Set(seen.closes.filter(({ code }) => code === 1012).map(({ index }) => index)).size).toBe(backerCount)
      for (const values of [unready, movedMs, ended]) expect(Math.max(...values)).toBeLessThanOrEqual(5_000)
      expect(Math.max(...readyAgain)).toBeLessThanOrEqual(5_000)
    },
    120_000 + postgresGoneMs,
  )
}

const modes = ['hold', 'drop', 'cut'] as const
outage(
  3,
  `behavior: one instance is cut off from PostgreSQL for ${postgresGoneMs} ms: its clients soon move to others, which keep working`,
  async () => {
    const { running, connected, seen } = await startAll({ moves: true })
    const number = seed % 3
    const mode = modes[Math.floor(seed / 3) % 3] ?? 'cut'
    const instance = running.instances[number]
    if (!instance) throw new TypeError('There are three instances.')
    const opened = openAll(running)
    await sleep(3_000)
    const latest = opened.auctions.findLast(({ startedAt }) => startedAt !== null)
    const stream = await fetch(`${instance.url}/api/v1/rfq/${latest?.rfqId}/stream`)
    const goneAt = Date.now()
    const streamEnd = stream.text().then(
      () => Date.now() - goneAt,
      () => Date.now() - goneAt,
    )
    const join = await beginFault(instance, { kind: 'postgres', mode })
    while (await isReady(instance.url)) await sleep(20)
    const unreadyMs = Date.now() - goneAt
    await sleep(postgresGoneMs - unreadyMs)
    await join()
    const backAt = Date.now()
    while (!(await isReady(instance.url))) await sleep(20)
    const readyMs = Date.now() - backAt
    await sleep(2_000)
    const auctions = await opened.end()
    await expectKept(running, connected, auctions, auctions.length)

    const moved = seen.closes.filter(({ code }) => code === 1012)
    /**
     * Milliseconds from the start of the outage until another instance first acknowledged a quote from each
     * disconnected backer.
     */
    const movedMs = moved.map(({ index, at }) => {
      const own = connected.submissions.filter(({ maker }) => maker === running.makers[index])
      const after = own.flatMap(({ tries }) =>
        tries.flatMap(({ sentAt, answeredAt, answer }) =>
          answer?.type === 'accepted' && sentAt >= at ? [answeredAt ?? Number.POSITIVE_INFINITY] : [],
        ),
      )
      return Math.min(...after) - goneAt
    })
    const sentAway = new Set(moved.map(({ index }) => running.makers[index]))
    /** Milliseconds that the other backers waited for the outcome of each quote. */
    const verdictMs = connected.submissions.flatMap(({ maker, tries }) =>
      sentAway.has(maker) ? [] : [(tries.at(-1)?.answeredAt ?? Number.POSITIVE_INFINITY) - (tries[0]?.sentAt ?? 0)],
    )
    const streamMs = await streamEnd
    process.stdout.write(
      `outages.trial: one instance cut off (${mode}) for ${postgresGoneMs} ms, --seed ${seed}, ${auctions.length} auctions: not ` +
        `ready after ${unreadyMs} ms, its stream ended after ${streamMs} ms, ${moved.length} sockets 1012 after ` +
        `${moved.map(({ at }) => at - goneAt).join(', ')} ms, acknowledged elsewhere after ${movedMs.join(', ')} ms; verdicts of the other ` +
        `instances p50 ${quantile(verdictMs, 0.5)}, worst ${Math.max(...verdictMs)} ms; ready again after ${readyMs} ms\n`,
    )
    expect(moved.map(({ index }) => index % 3)).toEqual([number, number])
    for (const ms of [unreadyMs, streamMs, ...movedMs, readyMs]) expect(ms).toBeLessThanOrEqual(5_000)
    // The disconnected instance's locks are released within a second.
    expect(Math.max(...verdictMs)).toBeLessThanOrEqual(2_500)
  },
  120_000 + postgresGoneMs,
)

/** Makes PostgreSQL unresponsive or unreachable. Returns a function that restores PostgreSQL. */
async function takeAway(
  postgres: ClusterFixture['cluster']['postgres'],
  kind: (typeof kinds)[number],
): Promise<() => Promise<void>> {
  const own = postgres.process()
  if (kind === 'killed') {
    await own.kill('SIGKILL')
    return postgres.start
  }
  // Connections are separate processes.
  await own.kill('SIGSTOP')
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(own.pid)], { encoding: 'utf8' })
  const pids = children.trim().split(/\s+/).map(Number)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return async () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    await own.kill('SIGCONT')
  }
}

function describeAll(spans: Readonly<Record<string, readonly number[]>>): string {
  return Object.entries(spans)
    .map(([name, values]) => `${name} ${describeMs(values)}`)
    .join(', ')
}
