import { backUpDatabase } from '../adapters/sqliteStore/backUpDatabase.ts'
import { verifyBackup as readBackup } from '../adapters/sqliteStore/verifyBackup.ts'
import { ConfigurationError } from '../ports/errors.ts'
import { settings } from './settings.ts'

/**
 * Copies the database in `DATA_DIR` to a file.
 *
 * @throws {ConfigurationError} if the copy fails. `shortMessage` says why.
 */
export async function backUp(environment: Readonly<Record<string, string | undefined>>, target: string): Promise<void> {
  if (environment['DATABASE_URL']?.trim()) {
    throw new ConfigurationError(
      "Use PostgreSQL's tools to back up the database of DATABASE_URL: pg_dump, or pg_basebackup with archived WAL for point-in-time recovery.",
    )
  }
  await backUpDatabase(settings.DATA_DIR.shape.parse(environment['DATA_DIR']?.trim() || undefined), target)
}

/**
 * Checks a copy of the database, and reports its contents line by line. `CHAIN_ID` and `QUOTE_MARKET`, where set, must be
 * those of the copy.
 *
 * @throws {ConfigurationError} if the file is not an intact copy. `shortMessage` says why.
 */
export async function verifyBackup(
  environment: Readonly<Record<string, string | undefined>>,
  file: string,
  report: (line: string) => void,
): Promise<void> {
  const { chainId, genesisHash, quoteMarket, schema, block, rows } = await readBackup(file)
  for (const [name, found] of Object.entries({ CHAIN_ID: chainId, QUOTE_MARKET: quoteMarket })) {
    const wanted = environment[name]?.trim()
    if (wanted && wanted.toLowerCase() !== found) {
      throw new ConfigurationError(`The backup ${file} is of another service: its ${name} is ${found}, not ${wanted}.`)
    }
  }
  const lines = {
    chain: `${chainId}, genesis block ${genesisHash}`,
    market: quoteMarket,
    schema: `${schema.name}${schema.isCurrent ? '' : '; the server migrates it at its first start'}`,
    block: block ? `${block.number}, ${new Date(block.timestamp * 1_000).toISOString()}` : 'none',
    ...rows,
  }
  for (const [name, value] of Object.entries(lines)) report(`${name.padEnd(9)}  ${value}`)
  report('The backup is intact.')
}
