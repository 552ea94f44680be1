#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { BaseError } from '@firmquote/core'
import { checkNodeVersion } from './adapters/sqliteStore/nodeVersion.ts'

// The only place that touches the process: arguments, environment, signals, exit codes.

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof BaseError ? error.message : ((error as Error).stack ?? String(error))}\n`)
  process.exit(1)
}

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--version')) {
    process.stdout.write(`${version}\n`)
    return
  }
  checkNodeVersion()
  // From here on things are loaded that an older Node could not even read.
  if (args.length > 0) {
    const { usage } = await import('./usage.ts')
    const asked = args.every((argument) => argument === '--help' || argument === '-h')
    process[asked ? 'stdout' : 'stderr'].write(
      asked ? usage() : `${args.join(' ')}: there is no such option.\n\n${usage()}`,
    )
    process.exitCode = asked ? 0 : 1
    return
  }
  const { readConfiguration } = await import('./configuration.ts')
  const { createLogger } = await import('./createLogger.ts')
  const { startServer } = await import('./startServer.ts')
  const { createShutdown } = await import('./shutdown.ts')

  const configuration = readConfiguration(process.env)
  const log = createLogger({ level: configuration.LOG_LEVEL, secrets: [configuration.RPC_URL] })
  const shutdown = createShutdown({
    log,
    timeoutMs: configuration.SHUTDOWN_TIMEOUT_MS,
    exit: (code) => process.exit(code),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shutdown.onSignal(signal))
  // Started by another program with a channel to it: gone with that program, however it ends.
  process.once('disconnect', () => shutdown.onSignal('disconnect'))
  process.on('uncaughtException', (error) => shutdown.onFailure(error))
  process.on('unhandledRejection', (error) => shutdown.onFailure(error))

  const server = await startServer(configuration, { log, version })
  shutdown.register(server.stop)
  log.info({ url: server.url, version, chainId: configuration.CHAIN_ID }, 'ready')
  process.stdout.write(`ready ${server.url}\n`)
}
