import { type Program, roomySettings, type Stand, startProgram } from '../stand/startStand.ts'
import type { RivalSettings } from './rivalServer.ts'

/** Starts the rival on the stand's chain: on an empty database of PostgreSQL, or on a file of SQLite. */
export function startRival(
  { devnet, domain }: Pick<Stand, 'devnet' | 'domain'>,
  { databaseUrl, readsChain = true }: { databaseUrl?: string; readsChain?: boolean } = {},
): Promise<Program> {
  const settings: RivalSettings = {
    rpcUrl: devnet.rpcUrl,
    domain,
    interestRatePool: devnet.contracts.interestRatePool,
    ...(databaseUrl !== undefined && { databaseUrl }),
    readsChain,
    quotesPerMaker: Number(roomySettings.STORED_QUOTES_PER_MAKER),
  }
  return startProgram(new URL('rivalServer.ts', import.meta.url), { RIVAL: JSON.stringify(settings) })
}

/** Starts our service behind a bare HTTP server in front of the stand's chain. */
export function startRawDoor({ devnet }: Pick<Stand, 'devnet'>): Promise<Program> {
  return startProgram(new URL('rawDoor.ts', import.meta.url), { RPC_URL: devnet.rpcUrl })
}
