import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { systemClock } from '@firmquote/core/utils'
import type { TracingSettings } from '@firmquote/node-runtime/tracingSettings'
import type { Logger } from 'pino'
import { type Address, bytesToHex, type Hex } from 'viem'
import { createProofFolder } from '../adapters/createProofFolder.ts'
import { createSdkService } from '../adapters/createSdkService.ts'
import { createCommandHook } from '../adapters/fillHook/createCommandHook.ts'
import { loadModuleHook } from '../adapters/fillHook/loadModuleHook.ts'
import { serveMetrics } from '../adapters/serveMetrics.ts'
import { createSqliteStore } from '../adapters/sqliteStore/createSqliteStore.ts'
import { tracePorts } from '../adapters/tracePorts.ts'
import { createViemChain } from '../adapters/viemChain/createViemChain.ts'
import { openLogWitness } from '../adapters/witness/openLogWitness.ts'
import { createDaemon } from '../app/createDaemon.ts'
import type { DaemonControl } from '../app/daemonControl.ts'
import type { HookSetup } from '../app/fillNotices.ts'
import type { KeeperRules } from '../domain/keeping.ts'
import type { Pricer } from '../domain/priceRfq.ts'
import type { LogWitness } from '../ports/logWitness.ts'
import type { Tracing } from '../ports/tracing.ts'
import { createAccount } from './createAccount.ts'
import type { Configuration } from './loadConfiguration.ts'

/** Opens the operator's socket. */
export type Serve = (options: {
  socketPath: string
  control: DaemonControl
  log: Logger
}) => Promise<{ close(): Promise<void> }>

/** Options of {@link startDaemon} besides the configuration. */
export type StartOptions = {
  privateKey: Hex
  pricer: Pricer
  /**
   * Whether to price RFQs without signing or submitting quotes. State is kept in memory, so another daemon can run at
   * the same time.
   */
  dryRun: boolean
  /** Trace settings. Default: tracing is off. */
  traces?: TracingSettings | null
  /** Environment for hook programs, without the daemon's own variables. */
  environment: Readonly<Record<string, string | undefined>>
  log: Logger
  version: string
  serve: Serve
  /** Called when the service authenticates the maker for the first time. */
  onReady(address: Address): void
  /** Called when the operator requests a shutdown. */
  onShutdown(): void
  /** Called when the service refuses the maker permanently. */
  onRefused(error: Error): void
}

/** A running daemon. */
export type RunningDaemon = {
  control: DaemonControl
  /** Completes pending answers, then stops everything. May be called repeatedly. */
  stop(): Promise<void>
}

/**
 * Opens the database, checks the chain, opens the operator's socket and connects. The database's exclusive lock
 * prevents a second daemon.
 *
 * @throws {ConfigurationError} if a setting must be changed. Everything already started is stopped.
 * @throws {SocketTakenError} if another process listens on the socket.
 * @throws {SocketPathError} if no safe socket can be created at its path.
 * @throws {ChainUnavailableError} if the node does not respond.
 */
export async function startDaemon(configuration: Configuration, options: StartOptions): Promise<RunningDaemon> {
  const { privateKey, pricer, dryRun, log, serve } = options
  const { chain: chainSettings, dataDir, socket: socketPath, policy } = configuration
  const { chainId, quoteMarket, interestRatePool, keeperBundler, rpcUrl, maxBlockAgeSeconds } = chainSettings
  const keeper = keeperRules(configuration)
  const account = createAccount(configuration, privateKey)
  const hook = dryRun ? null : await loadHook(configuration, options.environment)
  const alertHook = dryRun ? null : await loadAlertHook(configuration, options.environment)
  const file = dryRun ? ':memory:' : join(dataDir, 'firmquote-daemon.db')
  const store = await createSqliteStore({ file, now: systemClock.now() })
  let witness: LogWitness | null = null
  try {
    await store.claim({ chainId, quoteMarket, maker: account.address })
    const chain = createViemChain({ rpcUrl, account, chainId, quoteMarket, interestRatePool, keeperBundler })
    await chain.check()
    if (keeper.mode !== 'off') await chain.positions.checkKeeper()
    const {
      enabled,
      folder = join(dataDir, 'proofs'),
      maxMegabytes,
      witnesses: trustedWitnesses,
    } = configuration.proofs
    const proofFiles = enabled && !dryRun ? createProofFolder(folder, { maxBytes: maxMegabytes * 1_000_000 }) : null
    const { url, audience } = configuration.service
    const { enabled: isWitness, ...witnessOptions } = configuration.witness
    witness =
      isWitness && !dryRun ? await openLogWitness({ ...witnessOptions, folder: join(dataDir, 'witness'), log }) : null
    const tracing = await openTracing(options)
    const service = createSdkService({
      ...{ url, audience, chainId, quoteMarket, interestRatePool, privateKey, log },
      traces: tracing !== null,
      receipts: proofFiles !== null,
      witness,
    })
    const ports = { service, chain, pricer }
    const daemon = await createDaemon({
      ...options,
      ...(tracing ? { ...tracePorts(ports, tracing), tracing } : ports),
      maker: account.address,
      domain: { chainId, quoteMarket },
      positionChain: chain.positions,
      keeper,
      checkpoints: configuration.checkpoints,
      alertLimits: configuration.alerts,
      alertHook,
      proofFiles,
      witnesses: trustedWitnesses,
      witness,
      store,
      clock: systemClock,
      policy,
      randomSalt: () => bytesToHex(randomBytes(32)),
      maxBlockAgeSeconds,
      hook,
    })
    const { control } = daemon
    const page = configuration.metrics && (await serveMetrics(configuration.metrics.port, daemon.metrics))
    const served = await serve({ socketPath, control, log }).catch(async (error: unknown) => {
      await page?.close()
      throw error
    })
    daemon.start()
    if (witness) log.info({ key: witness.key }, 'witnessing the log of the service')

    let stopping: Promise<void> | undefined
    const stop = async () => {
      await daemon.drain()
      await page?.close()
      witness?.close()
      await store.close()
      await served.close()
      await tracing?.close()
    }
    return {
      control,
      stop() {
        stopping ??= stop()
        return stopping
      },
    }
  } catch (error) {
    witness?.close()
    await store.close()
    throw error
  }
}

/** Starts tracing. Without a collector, returns null and does not load OpenTelemetry. */
async function openTracing({ traces, log, version }: StartOptions): Promise<Tracing | null> {
  if (!traces) return null
  const { createOpenTelemetry } = await import('@firmquote/node-runtime/openTelemetry')
  log.info({ url: traces.url }, 'tracing enabled')
  return createOpenTelemetry(traces, { log, version })
}

/**
 * Loads the maker's fill hook. Returns null if no fill hook is configured.
 *
 * @throws {ConfigurationError} if its module cannot be loaded.
 */
async function loadHook({ hooks }: Configuration, environment: StartOptions['environment']): Promise<HookSetup | null> {
  if (hooks?.onFilled === undefined) return null
  const { command, module, when, timeoutSeconds } = hooks.onFilled
  const timeoutMs = timeoutSeconds * 1_000
  if (module !== undefined) return { call: await loadModuleHook(module), when, timeoutMs }
  return { call: createCommandHook(command ?? [], environment), when, timeoutMs }
}

/**
 * Loads the maker's alert hook. Returns null if no alert hook is configured.
 *
 * @throws {ConfigurationError} if its module cannot be loaded.
 */
async function loadAlertHook({ hooks }: Configuration, environment: StartOptions['environment']) {
  if (hooks?.onAlert === undefined) return null
  const { command, module, timeoutSeconds } = hooks.onAlert
  const timeoutMs = timeoutSeconds * 1_000
  if (module !== undefined) return { call: await loadModuleHook(module, 'hooks.onAlert'), timeoutMs }
  return { call: createCommandHook(command ?? [], environment, 'hooks.onAlert'), timeoutMs }
}

function keeperRules(configuration: Configuration): KeeperRules {
  return {
    mode: configuration.keeper,
    maxGas: BigInt(configuration.keeperMaxGas),
    maxGasPrice: BigInt(Math.round(configuration.keeperMaxGasPriceGwei * 1e9)),
    tokensPerCoin: BigInt(configuration.keeperTokensPerCoin),
    latestSeconds: configuration.keeperLatestHours * 3_600,
  }
}
