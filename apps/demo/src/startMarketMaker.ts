import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DevnetAccount } from '@firmquote/devnet'
import type { MarketMaker } from './marketMakers.ts'
import { programFiles } from './programFiles.ts'
import { type Program, startProgram } from './startProgram.ts'

/** Options for {@link startMarketMaker}. */
export type MarketMakerOptions = {
  maker: MarketMaker
  account: DevnetAccount
  /** The service's URL. */
  url: string
  /** The audience in the service's challenges, if it cannot be derived from `url`. */
  audience?: string
  rpcUrl: string
  /** The daemon's folder, which must not exist yet. */
  folder: string
}

/** A running market maker. */
export type RunningMarketMaker = Program & { socketPath: string }

/** Starts a `firmquote-daemon` as a market maker would: with a configuration file, and the key in the environment. */
export function startMarketMaker({
  maker,
  account,
  url,
  audience,
  rpcUrl,
  folder,
}: MarketMakerOptions): RunningMarketMaker {
  mkdirSync(folder, { mode: 0o700 })
  // Paths in the configuration file are relative to the file's folder.
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
  // Do not inherit this user's settings for another daemon.
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('FIRMQUOTE_'))
  const program = startProgram({
    name: `The market maker "${maker.name}"`,
    file: programFiles.daemon,
    args: ['--config', config],
    environment: { ...Object.fromEntries(others), FIRMQUOTE_PRIVATE_KEY: account.privateKey },
  })
  return { ...program, socketPath: join(folder, socketName) }
}
