#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { checkNodeVersion } from '@firmquote/node-runtime/checkNodeVersion'
import { formatError } from '@firmquote/node-runtime/formatError'
import { secretTracingVariables } from '@firmquote/node-runtime/tracingSettings'
import { ConfigurationError } from './errors.ts'
import type { Configuration } from './start/loadConfiguration.ts'
import { type CommandLine, parseCommandLine, usage } from './start/parseCommandLine.ts'

// Only this file accesses the process: arguments, environment, signals and exit codes.

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

try {
  await main(parseCommandLine(process.argv.slice(2)))
} catch (error) {
  fail(error)
}

async function main(line: CommandLine): Promise<void> {
  switch (line.command) {
    case 'help':
      process.stdout.write(usage())
      return
    case 'version':
      process.stdout.write(`${version}\n`)
      return
    case 'init':
      return initialise(line.folder)
    case 'approve':
      return approve(line)
    case 'report':
      return showReport(line)
    case 'run':
      return run(line)
  }
}

async function initialise(folder: string): Promise<void> {
  checkNodeVersion('the daemon')
  const { init } = await import('./start/init.ts')
  const { loadPassword } = await import('./start/loadPrivateKey.ts')
  const { address, configuration, keystore } = await init({
    folder,
    async loadPassword() {
      const ask = terminal()
      const given = {
        password: process.env['FIRMQUOTE_KEYSTORE_PASSWORD'],
        passwordFile: process.env['FIRMQUOTE_KEYSTORE_PASSWORD_FILE'] || undefined,
      }
      const password = await loadPassword({ ...given, ask }, 'New keystore password: ')
      const isTyped = !given.password && given.passwordFile === undefined
      if (!isTyped || (await ask?.('Repeat the password: ')) === password) return password
      throw new ConfigurationError('The two passwords differ. No file was written.')
    },
  })
  // Print the command as the user ran it.
  const program = process.env['npm_command'] === 'exec' ? 'npx @firmquote/daemon' : 'firmquote-daemon'
  process.stdout.write(`Wrote ${configuration} and ${keystore}.

The maker is ${address}.
1. Send it loan tokens to lend, and some native coins for transactions.
2. Review ${configuration}.
3. Approve tokens for the quote market: ${program} approve 500000 --config ${configuration}
4. Start: ${program} --config ${configuration}
`)
}

async function approve({ config, amount }: Extract<CommandLine, { command: 'approve' }>): Promise<void> {
  checkNodeVersion('the daemon')
  const { approve } = await import('./start/approve.ts')
  const { configuration, privateKey } = await loadSetup(config)
  for (const { about, loanToken, transactionHash } of await approve(configuration, privateKey, amount)) {
    const cause = transactionHash === null ? 'unchanged' : `transaction ${transactionHash}`
    process.stdout.write(`The quote market may spend ${about} (${loanToken}); ${cause}.\n`)
  }
}

async function showReport({ config, format }: Extract<CommandLine, { command: 'report' }>): Promise<void> {
  checkNodeVersion('the daemon')
  const { loadMaker } = await import('./start/loadMaker.ts')
  const { report } = await import('./start/report.ts')
  const configuration = await loadFile(config)
  const maker = await loadMaker(keySources(configuration))
  deleteSecretVariables()
  process.stdout.write(await report(configuration, maker, format))
}

async function run({ config, pricer: pricerFile, dryRun }: Extract<CommandLine, { command: 'run' }>): Promise<void> {
  checkNodeVersion('the daemon')
  // Older versions of Node.js cannot parse the following modules.
  const { createLogger } = await import('@firmquote/node-runtime/createLogger')
  const { createProcessShutdown } = await import('@firmquote/node-runtime/createShutdown')
  const { loadPricer } = await import('./adapters/loadPricer.ts')
  const { priceRfq } = await import('./domain/priceRfq.ts')
  const { createDaemonMethods } = await import('./rpc/daemonMethods.ts')
  const { serveSocket } = await import('@firmquote/node-runtime/socket/serveSocket')
  const { keyEncodings } = await import('./start/keyEncodings.ts')
  const { loadTracing } = await import('./start/loadTracing.ts')
  const { startDaemon } = await import('./start/startDaemon.ts')

  // Load the trace settings before the secrets are deleted from the environment.
  const traces = loadTracing(process.env)
  const { configuration, privateKey, secrets } = await loadSetup(config)
  const pricer = pricerFile === undefined ? priceRfq : await loadPricer(pricerFile)

  const { logLevel: level, shutdownTimeoutMs: timeoutMs } = configuration
  const log = createLogger({
    level,
    secrets: [
      ...keyEncodings(privateKey),
      ...secrets,
      configuration.chain.rpcUrl,
      ...Object.values(traces?.headers ?? {}),
    ],
  })
  const shutdown = createProcessShutdown({ log, timeoutMs })

  const daemon = await startDaemon(configuration, {
    privateKey,
    pricer,
    dryRun,
    traces,
    environment: process.env,
    log,
    version,
    serve: ({ socketPath, control, log }) =>
      serveSocket({ socketPath, methods: createDaemonMethods(control), program: 'daemon', log }),
    onReady: (address) => process.stdout.write(`ready ${address}\n`),
    onShutdown: () => shutdown.onSignal('shutdown'),
    onRefused: (error) => shutdown.onFailure(error),
  })
  shutdown.register(daemon.stop)
}

/** Loads the configuration and the private key. */
async function loadSetup(config: string) {
  const { loadPrivateKey } = await import('./start/loadPrivateKey.ts')
  const configuration = await loadFile(config)
  const key = await loadPrivateKey(keySources(configuration))
  deleteSecretVariables()
  return { configuration, ...key }
}

async function loadFile(config: string): Promise<Configuration> {
  const { loadConfiguration } = await import('./start/loadConfiguration.ts')
  return loadConfiguration(loadText(config), config, process.env)
}

/** Possible sources of the key. */
function keySources({ key }: Configuration) {
  return {
    privateKey: process.env['FIRMQUOTE_PRIVATE_KEY'],
    password: process.env['FIRMQUOTE_KEYSTORE_PASSWORD'],
    keystore: key?.keystore,
    passwordFile: key?.passwordFile,
    ask: terminal(),
  }
}

/** Deletes secrets from the environment before a pricer or hook is loaded or started. */
function deleteSecretVariables(): void {
  delete process.env['FIRMQUOTE_PRIVATE_KEY']
  delete process.env['FIRMQUOTE_KEYSTORE_PASSWORD']
  for (const name of secretTracingVariables) delete process.env[name]
}

/** Returns a function that prompts on this terminal, or null if there is no terminal. */
function terminal(): ((question: string) => Promise<string>) | null {
  if (!process.stdin.isTTY) return null
  return async (question) => {
    const { promptOnTerminal } = await import('./adapters/promptOnTerminal.ts')
    return promptOnTerminal(question, { input: process.stdin, output: process.stderr })
  }
}

function loadText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new ConfigurationError(
      `Cannot read the configuration ${file}; create one with \`firmquote-daemon init\`, or pass another with --config.`,
      { cause },
    )
  }
}

function fail(error: unknown): never {
  process.stderr.write(`${formatError(error)}\n`)
  process.exit(1)
}
