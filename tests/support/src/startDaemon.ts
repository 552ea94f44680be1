import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DevnetAccount } from '@firmquote/devnet'
import { type Program, programOf, startProgram } from './startProgram.ts'
import type { Stack } from './startStack.ts'

/** How to start a daemon. */
export type DaemonOptions = {
  account: DevnetAccount
  /** A folder of its own, made if need be: a daemon that is started there again goes on where the last one was. */
  folder: string
  /** Added to the floating rate, in hundredths of a percent of APR. */
  spreadBps: number
  /** How long its quotes can be taken. */
  lifetimeSeconds?: number
  /** Percent of its funds that unverified RFQs may reserve, and each verified taker. Default: no such limits. */
  shares?: { unverifiedPercent: number; takerPercent: number }
  /** More settings of its configuration, such as `hooks`. */
  settings?: object
  /** The file of a pricer. */
  pricer?: string
  /** Added to its environment, as the settings of a pricer. */
  environment?: Readonly<Record<string, string>>
  /** Of Node, before the program. */
  nodeFlags?: readonly string[]
}

/** A `firmquote-daemon` that runs as its own process. */
export type DaemonProcess = Program & { socketPath: string }

/** Starts a `firmquote-daemon` on a stack; it is a backer once it says `ready`. */
export function startDaemon({ url, devnet }: Pick<Stack, 'url' | 'devnet'>, options: DaemonOptions): DaemonProcess {
  const { account, folder, spreadBps, pricer, lifetimeSeconds = 600 } = options
  const { shares = { unverifiedPercent: 100, takerPercent: 100 } } = options
  const configuration = {
    service: { url },
    // This chain mines on transactions only, so its newest block may be old.
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
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(configuration))
  const args = ['--config', file, ...(pricer === undefined ? [] : ['--pricer', pricer])]
  const env = { FIRMQUOTE_PRIVATE_KEY: account.privateKey, ...options.environment }
  const program = startProgram(programOf('daemon'), args, env, options.nodeFlags)
  return { ...program, socketPath: join(folder, 'daemon.sock') }
}
