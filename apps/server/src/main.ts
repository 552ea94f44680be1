#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { checkNodeVersion } from '@firmquote/node-runtime/checkNodeVersion'
import { formatError } from '@firmquote/node-runtime/formatError'
import { redactSecrets } from '@firmquote/node-runtime/redactSecrets'

// This is the only module that accesses process arguments, the environment, signals and exit codes.

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** The commit, set by the build if known. */
declare const __FIRMQUOTE_COMMIT__: string | undefined

let secrets: string[] = []
try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${redactSecrets(formatError(error), secrets)}\n`)
  process.exit(1)
}

async function main(args: readonly string[]): Promise<void> {
  if (args[0] !== 'admin' && args.includes('--version')) {
    process.stdout.write(`${version}\n`)
    return
  }
  checkNodeVersion('the server')
  // Only this process's user can access the files it creates.
  process.umask(0o077)
  // Older versions of Node.js cannot parse the modules imported below.
  const { secretTexts } = await import('./start/secretTexts.ts')
  secrets = secretTexts(process.env)
  const [command, ...given] = args
  const [first, second] = given
  if (command === 'backup' && first === '--verify' && second !== undefined && given.length === 2) {
    const { verifyBackup } = await import('./start/backUp.ts')
    await verifyBackup(process.env, second, (line) => process.stdout.write(`${line}\n`))
    return
  }
  if (command === 'backup' && first !== undefined && !first.startsWith('-') && given.length === 1) {
    const { backUp } = await import('./start/backUp.ts')
    await backUp(process.env, first)
    return
  }
  if (command === 'copy' && first === '--to' && second !== undefined && given.length === 2) {
    secrets = secretTexts({ ...process.env, DATABASE_URL: second })
    const { copy } = await import('./start/copy.ts')
    await copy(process.env, second, (line) => process.stdout.write(`${line}\n`))
    return
  }
  if (command === 'admin') {
    const { runAdmin } = await import('./admin/runAdmin.ts')
    const { exitCode, out, err } = await runAdmin(given, { environment: process.env, user: operator() })
    process.stdout.write(out)
    process.stderr.write(err)
    process.exitCode = exitCode
    return
  }
  if (args.length > 0) {
    const { usage } = await import('./start/usage.ts')
    const asked = args.every((argument) => argument === '--help' || argument === '-h')
    process[asked ? 'stdout' : 'stderr'].write(
      asked ? usage() : `${args.join(' ')}: unknown option or command.\n\n${usage()}`,
    )
    process.exitCode = asked ? 0 : 1
    return
  }
  const { createLogger } = await import('@firmquote/node-runtime/createLogger')
  const { createProcessShutdown } = await import('@firmquote/node-runtime/createShutdown')
  const { loadConfiguration } = await import('./start/configuration.ts')
  const { startServer } = await import('./start/startServer.ts')
  const { mebibytes } = await import('./adapters/watchHeap.ts')

  const configuration = loadConfiguration(process.env)
  const log = createLogger({ level: configuration.LOG_LEVEL, secrets })
  const shutdown = createProcessShutdown({ log, timeoutMs: configuration.SHUTDOWN_TIMEOUT_MS })

  const server = await startServer(configuration, {
    log,
    version,
    ...(typeof __FIRMQUOTE_COMMIT__ === 'string' && { commit: __FIRMQUOTE_COMMIT__ }),
  })
  shutdown.register(server.stop)
  const { url, adminSocket } = server
  const memory = {
    heapLimitMiB: mebibytes(getHeapStatistics().heap_size_limit),
    availableMiB: mebibytes(process.availableMemory()),
  }
  log.info({ url, version, chainId: configuration.CHAIN_ID, adminSocket, ...memory }, 'ready')
  process.stdout.write(`ready ${url}\n`)
}

/** Returns the name of the user who runs this process, or of the one who became this user with sudo. */
function operator(): string {
  const { SUDO_USER: before } = process.env
  if (before) return before
  try {
    return userInfo().username
  } catch {
    // A container's user may have no name.
    return `uid ${process.getuid?.()}`
  }
}
