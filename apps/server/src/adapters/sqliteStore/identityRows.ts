import type { Transaction } from 'kysely'
import { WrongDatabaseError } from '../../ports/errors.ts'
import type { Store } from '../../ports/store.ts'
import type { Tables } from './schema.ts'

/** Which chain and market data belongs to. */
export type Identity = Parameters<Store['claim']>[0]

/**
 * Remembers which chain and market the data belongs to.
 *
 * @param file names the database in the message.
 * @throws {WrongDatabaseError} when it belongs to others.
 */
export async function insertIdentity(
  transaction: Transaction<Tables>,
  identity: Identity,
  file: string,
): Promise<void> {
  const wanted = {
    chainId: String(identity.chainId),
    genesisHash: identity.genesisHash.toLowerCase(),
    quoteMarket: identity.quoteMarket.toLowerCase(),
  }
  await transaction
    .insertInto('identity')
    .values(Object.entries(wanted).map(([key, value]) => ({ key, value })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const rows = await transaction.selectFrom('identity').selectAll().execute()
  const found = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  const names = { chainId: 'chain id', genesisHash: "chain's first block", quoteMarket: 'quote market' }
  for (const [key, name] of Object.entries(names)) {
    const [is, want] = [found[key], wanted[key as keyof typeof wanted]]
    if (is !== want) {
      throw new WrongDatabaseError(
        `The database ${file} holds quotes of another chain or market (${name} ${is}, not ${want}); set DATA_DIR to another directory, or delete this one.`,
      )
    }
  }
}
