import { WrongDatabaseError } from '../../ports/errors.ts'
import type { Store } from '../../ports/store.ts'
import { pick, prepareQuery, type RunQuery } from './preparedQuery.ts'
import type { Tables } from './schema.ts'

/** Which chain and market data belongs to. */
export type Identity = Parameters<Store['claim']>[0]

/**
 * Remembers which chain and market the data belongs to.
 *
 * @param file names the database in the message.
 * @throws {WrongDatabaseError} when it belongs to others.
 */
export function insertIdentity(run: RunQuery, identity: Identity, file: string): void {
  const wanted = {
    chainId: String(identity.chainId),
    genesisHash: identity.genesisHash.toLowerCase(),
    quoteMarket: identity.quoteMarket.toLowerCase(),
  }
  for (const [key, value] of Object.entries(wanted)) run(insertFact, { key, value })
  const found = Object.fromEntries(run(selectFacts).map(({ key, value }) => [key, value]))
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

/** Whether the database answers: throws where it does not. */
export function ping(run: RunQuery): void {
  run(selectFacts)
}

const insertFact = prepareQuery((on, given: Tables['identity']) =>
  on
    .insertInto('identity')
    .values(pick(given, ['key', 'value']))
    .onConflict((conflict) => conflict.column('key').doNothing()),
)
const selectFacts = prepareQuery((on) => on.selectFrom('identity').select(['key', 'value']))
