import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DevnetAccount } from '@firmquote/devnet'
import type { MarketMaker } from './marketMakers.ts'
import { programFiles } from './programFiles.ts'
import { type Program, startProgram } from './startProgram.ts'

/** What a market maker of the demo is started with. */
export type MarketMakerOptions = {
  maker: MarketMaker
  account: DevnetAccount
  /** The service. */
  url: string
  /** The address that the service identifies itself by, if not that one. */
  audience?: string
  rpcUrl: string
  /** A folder of its own, which is made. */
  folder: string
}

/** A daemon of the demo. */
export type RunningMarketMaker = Program & { socketPath: string }

/** Starts a `firmquote-daemon` as a market maker would: a configuration file, and the key in the environment. */
export function startMarketMaker({
  maker,
  account,
  url,
  audience,
  rpcUrl,
  folder,
}: MarketMakerOptions): RunningMarketMaker {
  mkdirSync(folder, { mode: 0o700 })
  // What the configuration names is looked for beside it.
  const socketName = 'daemon.sock'
  const config = join(folder, 'firmquote-daemon.yaml')
  writeFileSync(
    config,
    `service:
  url: ${url}${audience === undefined ? '' : `\n  audience: ${audience}`}
chain:
  rpcUrl: ${rpcUrl}
dataDir: ./data
socket: ./${socketName}
logLevel: ${process.env['LOG_LEVEL'] || 'warn'}
policy:
${maker.policy.replaceAll(/^(?=.)/gm, '  ')}`,
    { mode: 0o600 },
  )
  // These do not inherit the settings of a user's own daemon.
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('FIRMQUOTE_'))
  const program = startProgram({
    name: `The market maker "${maker.name}"`,
    file: programFiles.daemon,
    args: ['--config', config],
    environment: { ...Object.fromEntries(others), FIRMQUOTE_PRIVATE_KEY: account.privateKey },
  })
  return { ...program, socketPath: join(folder, socketName) }
}
