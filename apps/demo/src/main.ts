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
import { commands } from './commands.ts'
import { DemoError } from './demoError.ts'
import { describeCluster } from './describeCluster.ts'
import { marketMakers } from './marketMakers.ts'
import { nextCommands } from './nextCommands.ts'
import { parsePort, requireFreePort } from './ports.ts'
import { programFiles } from './programFiles.ts'
import { publishQuotes } from './publishQuotes.ts'
import { startDemoCluster } from './startDemoCluster.ts'
import { startMarketMaker } from './startMarketMaker.ts'
import { type Program, startProgram } from './startProgram.ts'

const usage = `Usage: ${commands.demo}

Starts a local chain, the Firmquote server with its web app, and three market maker daemons, and prints commands to try.
The tokens have no value. Ctrl-C stops everything and deletes the data.

  ${commands.cluster}   run three servers with PostgreSQL and NATS instead of one server

Environment variables:
  PORT       port of the server and the web app (3005)
  RPC_PORT   port of the chain (8545)
  and any server setting, such as AUCTION_DURATION_MS
`

/** Stop functions in start order. They run in reverse order. */
const running: (() => Promise<void> | void)[] = []
/** Programs stopped at the parent process's request. */
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
// The IPC channel closes when the parent script ends, even after `kill -9`.
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
    throw new DemoError(`unknown option ${option}.\n${usage}`)
  }
  checkNodeVersion('the demo')
  const port = parsePort('PORT', 3005)
  const rpcPort = parsePort('RPC_PORT', 8545)
  const url = `http://localhost:${port}`
  await requireFreePort('PORT', port)
  await requireFreePort('RPC_PORT', rpcPort)

  const devnet = await progress('Starting a chain with the reference contracts, a year ago', () =>
    // The chain signs with its test accounts for the allowed origin. The web app connects to the chain through the
    // server. A year of history provides past rates to display.
    startDevnet({ port: rpcPort, blockTime: 2, allowOrigin: url, historyDays: 365 }),
  )
  running.push(devnet.stop)
  void devnet.exited.then(() => handleCrash('The chain'))

  // Quotes are useless once their chain has stopped, so each start uses new databases. Only this user can read the
  // files.
  const dataDir = mkdtempSync(join(tmpdir(), 'firmquote-demo-'))
  running.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const { rpcUrl } = devnet
  const environment = {
    LOG_LEVEL: 'warn',
    // The server reads some past rates after each poll, so a short interval loads a year of rates in half a minute.
    SYNC_INTERVAL_MS: '250',
    // All debts on the chain are new, including a visitor's.
    DEBT_AGE_BLOCKS: '0',
    ...process.env,
    RPC_URL: rpcUrl,
    // Do not let open auctions delay Ctrl-C. A restarted server resumes them.
    SHUTDOWN_TIMEOUT_MS: '3000',
    // The web app's demo accounts, for which the chain signs. Neither account has used the service before.
    DEVNET_RELAY: 'true',
    DEMO_ACCOUNT: devnet.newcomers[0].address,
    DEMO_SMART_ACCOUNT: devnet.newcomers[1].address,
  }
  const cluster = isCluster ? await startServers(port, environment) : undefined
  if (!cluster) await startServer(url, { ...environment, PORT: String(port), DATA_DIR: join(dataDir, 'server') })

  // If there is no proxy, each market maker connects to a different server.
  const addressOf = (index: number) => {
    const instance = cluster?.proxy ? undefined : cluster?.instances[index % cluster.instances.length]
    return instance ? { url: instance.url, audience: `${url.replace('http', 'ws')}/ws/rfq` } : { url }
  }
  const makers = await progress('Starting three market makers', async () => {
    const started = marketMakers.map((maker, index) =>
      startMarketMaker({
        maker,
        account: devnet.backers[maker.backer],
        ...addressOf(index),
        rpcUrl,
        folder: join(dataDir, maker.name),
      }),
    )
    await untilReady(started)
    // Wait until every server reports that all makers are connected. Each server learns of the others' makers within a
    // second.
    const urls = cluster?.instances.map((instance) => instance.url) ?? [url]
    await Promise.all(urls.map((server) => untilConnected(server, started.length)))
    return started
  })
  await progress('Publishing their quotes', () =>
    Promise.all(makers.map(({ socketPath }) => publishQuotes(url, devnet, socketPath))),
  )
  process.stdout.write(
    nextCommands({ url, devnet, makers, ...(cluster && { more: describeCluster(cluster, devnet) }) }),
  )
}

/** Waits until a server reports at least this many backers connected to the whole service. */
async function untilConnected(server: string, backers: number): Promise<void> {
  const client = new ServiceClient({ orderbookUrl: server })
  for (let tries = 100; tries > 0; tries -= 1) {
    const { connected } = (await client.getHealth()).backers
    if (connected >= backers) return
    await sleep(100)
  }
  throw new DemoError('The market makers did not connect within 10 seconds.')
}

async function startServer(url: string, environment: NodeJS.ProcessEnv): Promise<void> {
  // Ignore any database settings for another server in the environment.
  const own = { ...environment, DATABASE_URL: undefined, NATS_URL: undefined }
  const begin = () => startProgram({ name: 'The server', file: programFiles.server, environment: own })
  let server = begin()
  await progress('Starting the server', () => untilReady([server]))
  // The parent process may stop and restart the server to test how clients react.
  process.on('message', async (message) => {
    if (message === 'stop server') {
      stopped.add(server)
      await server.stop()
    }
    if (message === 'start server') {
      server = begin()
      await untilReady([server])
      // The market makers reconnect within a few seconds.
      await untilConnected(url, marketMakers.length)
    }
    process.send?.(message)
  })
}

/**
 * Starts three servers with PostgreSQL and NATS. If one of these processes is killed, the demo reports it and continues
 * with the others.
 */
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
      if (isLastServer) handleCrash('The last server')
    },
  })
}

/**
 * Waits until all programs are ready. After that, the demo stops if any program exits. On shutdown, all programs are
 * stopped together.
 */
async function untilReady(programs: readonly Program[]): Promise<void> {
  running.push(async () => {
    await Promise.all(programs.map(({ stop }) => stop()))
  })
  await Promise.all(programs.map(({ ready }) => ready))
  for (const program of programs) {
    void program.exited.then((how) => stopped.has(program) || handleCrash(program.name, how))
  }
}

function handleCrash(name: string, how?: number | string): void {
  if (ending) return
  process.stderr.write(`${name} stopped unexpectedly${how === undefined ? '' : ` (${how})`}. Stopping.\n`)
  void end(1)
}

async function progress<T>(title: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  process.stdout.write(`${title} … `)
  const result = await work()
  // Stop here if a shutdown began during this step.
  if (ending) await ending
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  return result
}
