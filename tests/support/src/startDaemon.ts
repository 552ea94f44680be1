import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DevnetAccount } from '@firmquote/devnet'
import { type Program, programOf, startProgram } from './startProgram.ts'
import type { Stack } from './startStack.ts'

/** Options for starting a daemon. */
export type DaemonOptions = {
  account: DevnetAccount
  /** The daemon's folder, created if missing. A daemon restarted in the same folder resumes from its stored state. */
  folder: string
  /** Spread added to the floating rate, in basis points of APR. */
  spreadBps: number
  /** Lifetime of the daemon's quotes, in seconds. */
  lifetimeSeconds?: number
  /**
   * The percentages of its funds that all unverified RFQs combined, and each verified taker, may reserve. Default: no
   * limit.
   */
  shares?: { unverifiedPercent: number; takerPercent: number }
  /** Additional configuration settings, such as `hooks`. */
  settings?: object
  /** Path of a pricer module. */
  pricer?: string
  /** Additional environment variables, such as a pricer's settings. */
  environment?: Readonly<Record<string, string>>
  /** Flags for Node. */
  nodeFlags?: readonly string[]
}

/** A `firmquote-daemon` in a separate process. */
export type DaemonProcess = Program & { socketPath: string }

/** Starts a `firmquote-daemon` connected to a stack. The daemon acts as a backer once it logs `ready`. */
export function startDaemon({ url, devnet }: Pick<Stack, 'url' | 'devnet'>, options: DaemonOptions): DaemonProcess {
  const { account, folder, spreadBps, pricer, lifetimeSeconds = 600 } = options
  const { shares = { unverifiedPercent: 100, takerPercent: 100 } } = options
  const configuration = {
    service: { url },
    // This chain mines only when there are transactions, so its latest block may be old.
    chain: { rpcUrl: devnet.rpcUrl, maxBlockAgeSeconds: 36_000 },
    dataDir: './data',
    socket: './daemon.sock',
    logLevel: 'debug',
    policy: {
      ...{ pools: 'all', minNotional: 1_000, maxNotional: 10_000_000, lifetimeSeconds, ...shares },
      ...{ termSpread: [{ days: 30, bps: spreadBps }], sizeSpread: [] },
      ...{ tickBps: 1, floorBps: 0, minBps: 0, maxBps: 3_000 },
    },
    ...options.settings,
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'firmquote-daemon.yaml')
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify(configuration))
  const args = ['--config', file, ...(pricer === undefined ? [] : ['--pricer', pricer])]
  const env = { FIRMQUOTE_PRIVATE_KEY: account.privateKey, ...options.environment }
  const program = startProgram(programOf('daemon'), args, env, options.nodeFlags)
  return { ...program, socketPath: join(folder, 'daemon.sock') }
}
