import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@firmquote/cluster/freePort'
import { startNats } from '@firmquote/cluster/startNats'
import { startPostgres } from '@firmquote/cluster/startPostgres'
import { findProxy, startProxy } from '@firmquote/cluster/startProxy'
import { startDevnet } from '@firmquote/devnet'
import { type Program, programOf, startProgram } from '@firmquote/test-support/startProgram'
import { serverCount } from '@firmquote/test-support/trial'
import type { Hex } from 'viem'
import { createMakers, fundMakers } from '../../../packages/devnet/test/fundMakers.ts'

/** One server process, from start to end. Times are in Unix milliseconds, and all processes share the same clock. */
export type ServerRun = {
  program: Program
  spawnedAt: number
  /** When the server first accepted quotes and RFQs; null until then. */
  readyAt: number | null
  /** When the server was killed or asked to stop; null if it is running. */
  endedAt: number | null
  /** Resolves once it is ready. Rejects if it exits first. */
  ready: Promise<void>
}

/** A port and the latest process that uses it. */
type Slot = { port: number; run: ServerRun | null }

const mostRespawns = 5
const clusterAuctionMs = 3_000

/**
 * A chain and a server that is killed and restarted on the same port and directory. If the run uses a cluster, three
 * servers share PostgreSQL and NATS behind a proxy. The servers are killed one after another, then all together.
 */
export type CrashFixture = Awaited<ReturnType<typeof startCrashFixture>>

/** Options for a fixture. */
export type CrashFixtureOptions = {
  makers?: number
  /** Additional server settings. */
  settings?: Record<string, string>
  /** The server's data directory. Default: a temporary folder. */
  dataFolder?: string
}

/** Limits too high for any trial to reach. */
export const generousSettings = {
  RFQS_PER_MINUTE: '1000000',
  OPEN_RFQS: '100000',
  OPEN_AUCTIONS: '100000',
  CONNECTIONS_PER_NETWORK: '100000',
  // This chain mines only when there are transactions, so its latest block may be old.
  HEAD_DEGRADED_SECONDS: '360000',
  HEAD_STALE_SECONDS: '360000',
}

/** Starts a devnet and funds the makers. Does not start a server. */
export async function startCrashFixture(options: CrashFixtureOptions = {}) {
  const devnet = await startDevnet()
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-crash-'))
  const { dataFolder = join(folder, 'data') } = options
  const makers = createMakers(options.makers ?? 0)
  await fundMakers(devnet, makers)
  const { port, ports, environment, stop: stopCluster } = await startCrashCluster(folder)
  const settings: Record<string, string> = {
    ...{ RPC_URL: devnet.rpcUrl, DATA_DIR: dataFolder },
    ...environment,
    ...generousSettings,
    ...options.settings,
  }
  /** All processes so far, in start order. */
  const runs: ServerRun[] = []
  const slots: Slot[] = ports.map((own) => ({ port: own, run: null }))
  /** Servers to kill and start together. */
  let victims = slots
  let turn = 0
  const setAuctions = (auctionMs: number) => {
    settings['AUCTION_DURATION_MS'] = String(auctionMs)
    return auctionMs
  }
  const spawnIn = (slot: Slot): ServerRun => {
    const program = startProgram(programOf('server'), [], { ...settings, PORT: String(slot.port) })
    const ready = program.says(/^ready http/m).then(() => {
      run.readyAt = Date.now()
    })
    const run: ServerRun = { program, spawnedAt: Date.now(), readyAt: null, endedAt: null, ready }
    // Callers that await `ready` receive the failure.
    ready.catch(() => {})
    runs.push(run)
    slot.run = run
    return run
  }
  /**
   * Starts a server and waits until it is ready. In a cluster, a server that cannot reach its database in time exits
   * and is restarted.
   */
  const startIn = async (slot: Slot, respawns = mostRespawns): Promise<void> => {
    const run = spawnIn(slot)
    try {
      await run.ready
    } catch (error) {
      if (serverCount === 1 || run.endedAt !== null || respawns === 0) throw error
      run.endedAt = Date.now()
      await startIn(slot, respawns - 1)
    }
  }
  const current = () => {
    const run = runs.at(-1)
    if (!run) throw new TypeError('No server was started.')
    return run
  }
  const fixture = {
    devnet,
    url: `http://localhost:${port}`,
    socketUrl: `ws://localhost:${port}/ws/rfq`,
    /** The server's data directory. */
    dataFolder,
    /** Funded makers. The same in every run. */
    makers,
    runs: runs as readonly ServerRun[],
    current,
    /**
     * Starts a process, or all processes killed together. The data directory may still be locked. Returns the last
     * process started.
     */
    spawn(): ServerRun {
      for (const slot of victims) spawnIn(slot)
      return current()
    },
    /** Like `spawn`, but waits until the processes are ready. */
    async start(): Promise<ServerRun> {
      await Promise.all(victims.map((slot) => startIn(slot)))
      return current()
    },
    /**
     * Sets the auction duration for later starts, based on the measured start time. A server killed during an auction
     * then restarts in time even on a slow machine. In a cluster, the other servers keep running. Returns the duration
     * in milliseconds.
     */
    async fitAuctions(): Promise<number> {
      if (serverCount > 1) return setAuctions(clusterAuctionMs)
      const startMs: number[] = []
      for (let start = 0; start < 2; start += 1) {
        const { readyAt, spawnedAt } = await fixture.start()
        startMs.push((readyAt ?? 0) - spawnedAt)
        await fixture.kill()
      }
      return setAuctions(Math.max(2_000, Math.ceil(2.5 * Math.min(...startMs))))
    },
    /** Kills the running process or, in a cluster, the next victims, and waits until they have exited. */
    async kill(): Promise<void> {
      // If servers are still starting, the previous victims are killed again.
      if (slots.every(({ run }) => run?.endedAt === null && run.readyAt !== null)) {
        victims = turn % 4 === 3 ? slots : [slots[(turn % 4) % slots.length] as Slot]
        turn += 1
      }
      const killed = victims.flatMap(({ run }) => run ?? [])
      for (const run of killed) {
        run.endedAt ??= Date.now()
        run.program.child.kill('SIGKILL')
      }
      await Promise.all(killed.map(({ program }) => program.ended))
    },
    /** Kills all servers and stops the chain. */
    async stop(): Promise<void> {
      for (const { program } of runs) program.child.kill('SIGKILL')
      await Promise.all(runs.map(({ program }) => program.ended))
      await stopCluster()
      await devnet.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return fixture
}

/** Starts a cluster's services. Returns the servers' addresses, the address for clients, and additional settings. */
async function startCrashCluster(folder: string) {
  const ports: number[] = []
  while (ports.length < serverCount) ports.push(await freePort())
  const [first = 0] = ports
  const none: Record<string, string> = {}
  if (serverCount === 1) return { port: first, ports, environment: none, stop: async () => {} }
  const name = findProxy()
  if (!name) throw new TypeError('A cluster test requires nginx or Caddy to route clients to a running server.')
  chmodSync(folder, 0o711)
  const postgres = await startPostgres({ folder: join(folder, 'postgres') })
  const nats = await startNats({ folder: join(folder, 'nats') })
  const port = await freePort()
  const proxy = await startProxy({ name, folder: join(folder, name), port, servers: ports })
  return {
    port,
    ports,
    environment: {
      DATABASE_URL: postgres.url,
      NATS_URL: nats.url,
      PUBLIC_WS_URL: `ws://localhost:${port}/ws/rfq`,
      TRUST_PROXY: 'loopback',
    },
    async stop() {
      await proxy.stop()
      await nats.stop()
      await postgres.stop('immediate')
    },
  }
}

/** Returns a server's log entries with this message. `time` is in Unix milliseconds. */
export function logEntries({ program }: ServerRun, message: string): { time: number; [fact: string]: unknown }[] {
  return program.text.err
    .split('\n')
    .filter((line) => line.includes(JSON.stringify(message)))
    .flatMap((line) => {
      // The last line of a killed process may be truncated.
      if (!line.endsWith('}')) return []
      const { time, ...facts } = JSON.parse(line) as { time: string }
      return [{ ...facts, time: Date.parse(time) }]
    })
}

/**
 * Returns when a process finished restoring the auctions left open by an earlier one, in Unix milliseconds, or null.
 */
export function resumedAt(run: ServerRun): number | null {
  const [resumed] = logEntries(run, 'resumed open auctions from a previous process')
  return resumed?.time ?? run.readyAt
}

/** Returns the fixture's pool and series, which all trials use. */
export function seriesOf({ devnet }: Pick<CrashFixture, 'devnet'>): { poolId: Hex; seriesKey: Hex } {
  const [{ poolId, series }] = devnet.pools
  return { poolId, seriesKey: series[2]?.seriesKey ?? poolId }
}

/**
 * Notional of auctions that backers answer, in raw units of the loan token. Backers ignore auctions of any other size.
 */
export const askedNotional = 2_000_000_000n
