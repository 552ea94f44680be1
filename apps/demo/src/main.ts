#!/usr/bin/env node
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '@firmquote/cluster/startCluster'
import { BaseError } from '@firmquote/core'
import { startDevnet } from '@firmquote/devnet'
import { checkNodeVersion } from '@firmquote/node-runtime/checkNodeVersion'
import { ServiceClient } from '@firmquote/sdk'
import { clusterToTry } from './clusterToTry.ts'
import { commands } from './commands.ts'
import { DemoError } from './demoError.ts'
import { marketMakers } from './marketMakers.ts'
import { nextCommands } from './nextCommands.ts'
import { parsePort, requireFreePort } from './ports.ts'
import { programFiles } from './programFiles.ts'
import { publishQuotes } from './publishQuotes.ts'
import { startDemoCluster } from './startDemoCluster.ts'
import { startMarketMaker } from './startMarketMaker.ts'
import { type Program, startProgram } from './startProgram.ts'

const usage = `Usage: ${commands.demo}

Starts a chain, the Firmquote server with its page, and three market makers' daemons, all on this machine, and says what to try.
Nothing of it is worth anything, and Ctrl-C removes all of it.

  ${commands.cluster}   three servers on a PostgreSQL and a NATS, in place of one

From the environment:
  PORT       port of the server with its page (3005)
  RPC_PORT   port of the chain (8545)
  and every setting of the server, as AUCTION_DURATION_MS
`

/** What has been started, newest last; stopped in the opposite order. */
const running: (() => Promise<void> | void)[] = []
/** What was stopped alone, on request. */
const stopped = new Set<Program>()
let ending: Promise<never> | undefined

function end(code: number): Promise<never> {
  ending ??= (async () => {
    for (const stop of running.reverse()) await stop()
    process.exit(code)
  })()
  return ending
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!ending) process.stdout.write('\nStopping …\n')
    void end(0)
  })
}
// The channel closes when the script that started this is gone, also when it was killed.
process.on('disconnect', () => void end(0))

try {
  await start()
} catch (error) {
  if (!ending) {
    process.stderr.write(`\n${error instanceof BaseError ? error.shortMessage : (error as Error).stack}\n`)
    await end(1)
  }
}

async function start(): Promise<void> {
  const [option] = process.argv.slice(2)
  if (option === '--help') {
    process.stdout.write(usage)
    return
  }
  const isCluster = option === '--cluster'
  if (option !== undefined && !isCluster) {
    throw new DemoError(`${option}: there is no such option.\n${usage}`)
  }
  checkNodeVersion('the demo')
  const port = parsePort('PORT', 3005)
  const rpcPort = parsePort('RPC_PORT', 8545)
  const url = `http://localhost:${port}`
  await requireFreePort('PORT', port)
  await requireFreePort('RPC_PORT', rpcPort)

  const devnet = await progress('Starting a chain with the reference contracts, a year ago', () =>
    // Its accounts sign for every page that may ask; the server's own page goes through the server.
    // It is a year old, so that there are rates of the past to show.
    startDevnet({ port: rpcPort, blockTime: 2, allowOrigin: url, historyDays: 365 }),
  )
  running.push(devnet.stop)
  void devnet.exited.then(() => endedByItself('The chain'))

  // A chain that is gone takes its quotes with it: every start has databases of its own. Nobody else can look in.
  const dataDir = mkdtempSync(join(tmpdir(), 'firmquote-demo-'))
  running.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const { rpcUrl } = devnet
  const environment = {
    LOG_LEVEL: 'warn',
    // Rates of the past are read after each poll: a year of them in half a minute.
    SYNC_INTERVAL_MS: '250',
    ...process.env,
    RPC_URL: rpcUrl,
    // Ctrl-C is not kept waiting for open auctions: a server that is started again takes them up.
    SHUTDOWN_TIMEOUT_MS: '3000',
    // The page's demo accounts, for which the chain signs: both come for the first time.
    DEVNET_RELAY: 'true',
    DEMO_ACCOUNT: devnet.newcomers[0].address,
    DEMO_SMART_ACCOUNT: devnet.newcomers[1].address,
  }
  const cluster = isCluster ? await startServers(port, environment) : undefined
  if (!cluster) await startServer(url, { ...environment, PORT: String(port), DATA_DIR: join(dataDir, 'server') })

  // One behind each server: through the proxy they take turns.
  const placeOf = (index: number) => {
    const instance = cluster?.proxy ? undefined : cluster?.instances[index % cluster.instances.length]
    return instance ? { url: instance.url, audience: `${url.replace('http', 'ws')}/ws/rfq` } : { url }
  }
  const makers = await progress('Starting three market makers', async () => {
    const started = marketMakers.map((maker, index) =>
      startMarketMaker({
        maker,
        account: devnet.backers[maker.backer],
        ...placeOf(index),
        rpcUrl,
        folder: join(dataDir, maker.name),
      }),
    )
    await untilReady(started)
    // An auction says how many makers it asks. Servers hear of each other's within a second.
    const urls = cluster?.instances.map((instance) => instance.url) ?? [url]
    await Promise.all(urls.map((server) => untilConnected(server, started.length)))
    return started
  })
  await progress('Publishing their quotes', () =>
    Promise.all(makers.map(({ socketPath }) => publishQuotes(url, devnet, socketPath))),
  )
  process.stdout.write(nextCommands({ url, devnet, makers, ...(cluster && { more: clusterToTry(cluster, devnet) }) }))
}

/** Until a server knows that so many backers are connected, wherever they are. */
async function untilConnected(server: string, backers: number): Promise<void> {
  const client = new ServiceClient({ orderbookUrl: server })
  for (let tries = 100; tries > 0; tries -= 1) {
    const { connected } = (await client.getHealth()).backers
    if (connected >= backers) return
    await sleep(100)
  }
  throw new DemoError('The market makers are not connected after 10 seconds.')
}

async function startServer(url: string, environment: NodeJS.ProcessEnv): Promise<void> {
  // A database that somebody's own service uses is none of the demo's.
  const own = { ...environment, DATABASE_URL: undefined, NATS_URL: undefined }
  const begin = () => startProgram({ name: 'The server', file: programFiles.server, environment: own })
  let server = begin()
  await progress('Starting the server', () => untilReady([server]))
  // Who started this may stop the server alone and start it again, to see what its clients do meanwhile.
  process.on('message', async (message) => {
    if (message === 'stop server') {
      stopped.add(server)
      await server.stop()
    }
    if (message === 'start server') {
      server = begin()
      await untilReady([server])
      // They come back by themselves, within some seconds.
      await untilConnected(url, marketMakers.length)
    }
    process.send?.(message)
  })
}

/** Three of them on a PostgreSQL and a NATS. Any of these may be killed: the demo tells, and goes on with the others. */
async function startServers(port: number, environment: NodeJS.ProcessEnv): Promise<Cluster> {
  return startDemoCluster({
    port,
    environment,
    progress,
    onStarting: (starting) =>
      running.push(() =>
        starting.then(
          ({ stop }) => stop(),
          () => {},
        ),
      ),
    onEnded(message, isLastServer) {
      if (ending) return
      process.stderr.write(`${message}\n`)
      if (isLastServer) endedByItself('The last server')
    },
  })
}

/** From here on they are stopped with the demo, side by side, and the demo with any of them. */
async function untilReady(programs: readonly Program[]): Promise<void> {
  running.push(async () => {
    await Promise.all(programs.map(({ stop }) => stop()))
  })
  await Promise.all(programs.map(({ ready }) => ready))
  for (const program of programs) {
    void program.exited.then((how) => stopped.has(program) || endedByItself(program.name, how))
  }
}

function endedByItself(name: string, how?: number | string): void {
  if (ending) return
  process.stderr.write(`${name} ended by itself${how === undefined ? '' : ` (${how})`}; stopping.\n`)
  void end(1)
}

async function progress<T>(title: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  process.stdout.write(`${title} … `)
  const result = await work()
  // Whatever was asked to end while it was starting goes no further.
  if (ending) await ending
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  return result
}
