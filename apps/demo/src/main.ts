import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BaseError } from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import type { ServiceClient } from '@firmquote/sdk'
import { startDemoBacker } from './demoBacker.ts'
import { readPort, requireFreePort } from './ports.ts'
import { startServerProcess } from './serverProcess.ts'
import { thingsToTry } from './thingsToTry.ts'

const policies = [
  { policy: { spreadBps: 20n, termBpsPerMonth: 3n }, thinkMs: 1_200 },
  { policy: { spreadBps: 45n, termBpsPerMonth: 2n }, thinkMs: 400 },
  { policy: { spreadBps: 80n, termBpsPerMonth: 1n }, thinkMs: 2_500 },
]

/** What has been started, newest last; stopped in the opposite order. */
const running: (() => Promise<void> | void)[] = []
/** The ends of parts that were stopped alone. */
const stopped = new Set<Promise<void>>()
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
    process.stderr.write(`\n${error instanceof BaseError ? error.message : (error as Error).stack}\n`)
    await end(1)
  }
}

async function start(): Promise<void> {
  const port = readPort('PORT', 3005)
  const rpcPort = readPort('RPC_PORT', 8545)
  await requireFreePort('PORT', port)
  await requireFreePort('RPC_PORT', rpcPort)

  const devnet = await progress('Starting a chain with the reference contracts', () =>
    startDevnet({ port: rpcPort, blockTime: 2 }),
  )
  if (ending) return devnet.stop()
  running.push(devnet.stop)
  watch('The chain', devnet.exited)

  // A chain that is gone takes its quotes with it: every start has a database of its own.
  const dataDir = mkdtempSync(join(tmpdir(), 'firmquote-demo-'))
  running.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const startServer = async () => {
    const started = await startServerProcess({ port, rpcUrl: devnet.rpcUrl, dataDir })
    watch('The server', started.exited)
    return started
  }
  let server = await progress('Starting the server', startServer)
  running.push(() => server.stop())
  // Who started this may stop the server alone and start it again, to see what its clients do meanwhile.
  process.on('message', async (message) => {
    if (message === 'stop server') {
      stopped.add(server.exited)
      await server.stop()
    }
    if (message === 'start server') server = await startServer()
    process.send?.(message)
  })

  await progress('Connecting three backers', async () => {
    const clients = await Promise.all(policies.map((policy, index) => connect(server.url, devnet, policy, index)))
    running.push(() => {
      for (const client of clients) client.disconnectWebSocket()
    })
  })
  if (!ending) process.stdout.write(thingsToTry(server.url, devnet))
}

function connect(
  url: string,
  devnet: Devnet,
  options: (typeof policies)[number],
  index: number,
): Promise<ServiceClient> {
  return startDemoBacker(url, devnet, { ...options, account: devnet.backers[index] ?? devnet.backers[0] })
}

function watch(name: string, exited: Promise<void>): void {
  void exited.then(() => {
    if (ending || stopped.has(exited)) return
    process.stderr.write(`${name} ended by itself; stopping.\n`)
    void end(1)
  })
}

async function progress<T>(title: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  process.stdout.write(`${title} … `)
  const result = await work()
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  return result
}
