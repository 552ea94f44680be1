import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@firmquote/cluster/freePort'
import { startNats } from '@firmquote/cluster/startNats'
import { startPostgres } from '@firmquote/cluster/startPostgres'
import { findProxy, startProxy } from '@firmquote/cluster/startProxy'
import { type Devnet, type DevnetAccount, startDevnet } from '@firmquote/devnet'
import { type Program, programOf, startProgram } from '@firmquote/test-support/startProgram'
import { serverCount } from '@firmquote/test-support/trial'
import { type Hex, keccak256, maxUint256, numberToHex, stringToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'

/** One process of the server, from its start to its end. Times are Unix milliseconds; all processes share the clock. */
export type ServerRun = {
  program: Program
  spawnedAt: number
  /** When it took quotes and RFQs; null until then. */
  readyAt: number | null
  /** When it was killed or told to stop; null until then. */
  endedAt: number | null
  /** Resolves when it is ready. Rejects when it ends before. */
  ready: Promise<void>
}

/** A port, and the process that runs there now or ran last. */
type Slot = { port: number; run: ServerRun | null }

const mostRespawns = 5
const clusterAuctionMs = 3_000

/**
 * A chain, and a server on it that is killed and started again: always on the same port and directory. If the run asks for a
 * cluster, three servers on one PostgreSQL and one NATS, behind a proxy, of which one after the other is killed, and then all at once.
 */
export type CrashFixture = Awaited<ReturnType<typeof startCrashFixture>>

/** How a fixture is started. */
export type CrashFixtureOptions = {
  makers?: number
  /** The server's settings, beside those that every fixture has. */
  settings?: Record<string, string>
  /** Where the server keeps its data; by default a folder of its own, gone with the fixture. */
  dataFolder?: string
}

/** Limits that no trial reaches. */
export const generousSettings = {
  RFQS_PER_MINUTE: '1000000',
  OPEN_RFQS: '100000',
  OPEN_AUCTIONS: '100000',
  MAX_CONNECTIONS: '100000',
  CONNECTIONS_PER_NETWORK: '100000',
  // This chain mines on transactions only, so its newest block may be old.
  HEAD_DEGRADED_SECONDS: '360000',
  HEAD_STALE_SECONDS: '360000',
}

/** Starts a devnet and funds the makers. No server runs yet. */
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
  /** All processes so far, the one that was started last is the last. */
  const runs: ServerRun[] = []
  const slots: Slot[] = ports.map((own) => ({ port: own, run: null }))
  /** Those that are killed together, and started together. */
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
    // Who waits for it sees that it has ended.
    ready.catch(() => {})
    runs.push(run)
    slot.run = run
    return run
  }
  /** Starts a server and waits until it is ready. One of a cluster that cannot reach its database in time ends, and is started again. */
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
    if (!run) throw new TypeError('No server has been started.')
    return run
  }
  const fixture = {
    devnet,
    url: `http://localhost:${port}`,
    socketUrl: `ws://localhost:${port}/ws/rfq`,
    /** What the server keeps. */
    dataFolder,
    /** Funded makers, the same on every run. */
    makers,
    runs: runs as readonly ServerRun[],
    current,
    /** Starts a process, or all that were killed together; it may find that another one has the directory. Gives the last. */
    spawn(): ServerRun {
      for (const slot of victims) spawnIn(slot)
      return current()
    },
    /** The same, and waits until they are ready. */
    async start(): Promise<ServerRun> {
      await Promise.all(victims.map((slot) => startIn(slot)))
      return current()
    },
    /**
     * Sets how long auctions are open from the next start on, by how long a start takes here: a server that is killed in the
     * middle of one is back in time on a slow machine too; in a cluster the others are there. Gives it, in milliseconds.
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
    /** Ends the running process at once, or those whose turn it is, as a loss of power would, and waits until it is gone. */
    async kill(): Promise<void> {
      // Those that were killed last may be killed again while they start.
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
    /** Kills what runs, and ends the chain. */
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

/** Where the servers of a fixture listen, where clients find them, and what they need beside their settings. */
async function startCrashCluster(folder: string) {
  const ports: number[] = []
  while (ports.length < serverCount) ports.push(await freePort())
  const [first = 0] = ports
  const none: Record<string, string> = {}
  if (serverCount === 1) return { port: first, ports, environment: none, stop: async () => {} }
  const name = findProxy()
  if (!name) throw new TypeError('Clients of a cluster need a proxy that leads them to a server that lives.')
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

/** The entries of a server's log with this message. `time` is Unix milliseconds. */
export function logEntries({ program }: ServerRun, message: string): { time: number; [fact: string]: unknown }[] {
  return program.text.err
    .split('\n')
    .filter((line) => line.includes(JSON.stringify(message)))
    .flatMap((line) => {
      // The last line of a process that was killed may be cut off.
      if (!line.endsWith('}')) return []
      const { time, ...facts } = JSON.parse(line) as { time: string }
      return [{ ...facts, time: Date.parse(time) }]
    })
}

/** When a process had taken up what an earlier one left open, Unix milliseconds; null when it never came that far. */
export function resumedAt(run: ServerRun): number | null {
  const [resumed] = logEntries(run, 'resumed open auctions of an earlier process')
  return resumed?.time ?? run.readyAt
}

/** Accounts that are the same on every run. */
export function createMakers(count: number): DevnetAccount[] {
  return Array.from({ length: count }, (_, index) => {
    const privateKey = keccak256(stringToHex(`firmquote crash maker ${index}`))
    return { address: privateKeyToAddress(privateKey), privateKey }
  })
}

/** Gives every maker loan tokens and an allowance for the quote market, by the node's test methods. */
export async function fundMakers({ testClient, contracts }: Devnet, makers: readonly DevnetAccount[]): Promise<void> {
  const { loanToken, quoteMarket } = contracts
  const request = (method: string, params: readonly unknown[]) => testClient.request({ method, params } as never)
  for (const { address } of makers) {
    await request('anvil_dealERC20', [address, loanToken, numberToHex(10n ** 15n)])
    await request('anvil_setERC20Allowance', [address, quoteMarket, loanToken, numberToHex(maxUint256)])
  }
  await testClient.mine({ blocks: 1 })
}

/** A pool and a series of a fixture, whose quotes all trials ask for. */
export function seriesOf({ devnet }: Pick<CrashFixture, 'devnet'>): { poolId: Hex; seriesKey: Hex } {
  const [{ poolId, series }] = devnet.pools
  return { poolId, seriesKey: series[2]?.seriesKey ?? poolId }
}

/** What borrowers ask for whose auctions the backers answer; other auctions they only see. Raw units of the loan token. */
export const askedNotional = 2_000_000_000n
