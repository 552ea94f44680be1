import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Child } from '../stand/startChild.ts'
import { startOnDatabase } from '../stand/startOnDatabase.ts'
import { roomySettings, type Stand } from '../stand/startStand.ts'
import type { RivalSettings } from './rivalServer.ts'

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Starts the rival stack on the stand's chain, with a database of its own.
 *
 * @param url an empty database of PostgreSQL; by default it has a file of SQLite.
 */
export function startRival(
  { devnet, domain }: Pick<Stand, 'devnet' | 'domain'>,
  { url, readsChain = true }: { url?: string; readsChain?: boolean } = {},
): Promise<Child> {
  return startOnDatabase(program('./rivalServer.ts'), (directory) => {
    const settings: RivalSettings = {
      rpcUrl: devnet.rpcUrl,
      domain,
      interestRatePool: devnet.contracts.interestRatePool,
      database: url === undefined ? { file: join(directory, 'rival.db') } : { url },
      readsChain,
      quotesPerMaker: Number(roomySettings.STORED_QUOTES_PER_MAKER),
    }
    return { RIVAL: JSON.stringify(settings) }
  })
}

/** Starts our service behind a bare HTTP server in front of the stand's chain, with a database of its own. */
export function startRawDoor({ devnet }: Pick<Stand, 'devnet'>): Promise<Child> {
  return startOnDatabase(program('./rawDoor.ts'), (directory) => ({
    ...roomySettings,
    PORT: '0',
    RPC_URL: devnet.rpcUrl,
    DATA_DIR: directory,
  }))
}
