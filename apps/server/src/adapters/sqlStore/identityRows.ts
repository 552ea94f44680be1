import { WrongDatabaseError } from '../../ports/errors.ts'
import type { Store } from '../../ports/store.ts'
import { fillerBytes } from './sql/dialect.ts'
import { pick, prepareQuery } from './sql/preparedQuery.ts'
import type { Tables } from './sql/schema.ts'
import { run, type Script } from './sql/script.ts'

/** Which chain and market data belongs to. */
export type Identity = Parameters<Store['claim']>[0]

/**
 * Remembers which chain and market the data belongs to.
 *
 * @param place names the database in the message, and says what to do.
 * @throws {WrongDatabaseError} when it belongs to others.
 */
export function* insertIdentity(identity: Identity, place: { database: string; remedy: string }): Script<void> {
  const wanted = {
    chainId: String(identity.chainId),
    genesisHash: identity.genesisHash.toLowerCase(),
    quoteMarket: identity.quoteMarket.toLowerCase(),
  }
  for (const [key, value] of Object.entries(wanted)) yield* run(insertFact, { key, value })
  const found = Object.fromEntries((yield* run(selectFacts)).map(({ key, value }) => [key, value]))
  const names = { chainId: 'chain id', genesisHash: "chain's first block", quoteMarket: 'quote market' }
  for (const [key, name] of Object.entries(names)) {
    const [is, want] = [found[key], wanted[key as keyof typeof wanted]]
    if (is !== want) {
      throw new WrongDatabaseError(
        `${place.database} holds quotes of another chain or market (${name} ${is}, not ${want}); ${place.remedy}.`,
      )
    }
  }
}

/** Whether the database answers: throws where it does not. */
export function* ping(): Script<void> {
  yield* run(selectFacts)
}

/** Changes something that means nothing: throws where the database cannot be written to. */
export function* probe(): Script<void> {
  yield* run(countProbe)
}

const insertFact = prepareQuery((on, given: Tables['identity']) =>
  on
    .insertInto('identity')
    .values(pick(given, ['key', 'value']))
    .onConflict((conflict) => conflict.column('key').doNothing()),
)
const selectFacts = prepareQuery((on) => on.selectFrom('identity').select(['key', 'value']))
// A row that stays as it is would not be written. On a disk that is full, a few bytes find room in the log where a larger
// write has failed: as many as a large group of quotes has must.
const filler = fillerBytes(131_072)
const countProbe = prepareQuery((on) =>
  on
    .insertInto('probes')
    .values({ id: 1, count: 1, filler })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ eb }) => ({ count: eb('probes.count', '+', 1), filler })),
    ),
)
