import { WrongDatabaseError } from '../../ports/errors.ts'
import type { Store } from '../../ports/store.ts'
import { fillerBytes } from './sql/dialect.ts'
import { pick, prepareQuery } from './sql/preparedQuery.ts'
import type { Tables } from './sql/schema.ts'
import { run, type Script } from './sql/script.ts'

/** The chain and market to which the data belongs. */
export type Identity = Parameters<Store['claim']>[0]

/**
 * Stores the chain and market to which the data belongs, unless already stored.
 *
 * @param location the database's name and a remedy, for the error message.
 * @throws {WrongDatabaseError} if the data belongs to another chain or market.
 */
export function* insertIdentity(identity: Identity, location: { database: string; remedy: string }): Script<void> {
  const wanted = {
    chainId: String(identity.chainId),
    genesisHash: identity.genesisHash.toLowerCase(),
    quoteMarket: identity.quoteMarket.toLowerCase(),
  }
  for (const [key, value] of Object.entries(wanted)) yield* run(insertFact, { key, value })
  const found = Object.fromEntries((yield* run(selectFacts)).map(({ key, value }) => [key, value]))
  const names = { chainId: 'chain ID', genesisHash: 'genesis block', quoteMarket: 'quote market' }
  for (const [key, name] of Object.entries(names)) {
    const [is, want] = [found[key], wanted[key as keyof typeof wanted]]
    if (is !== want) {
      throw new WrongDatabaseError(
        `${location.database} belongs to another chain or market (${name} ${is}, not ${want}); ${location.remedy}.`,
      )
    }
  }
}

/** Fails if the database does not respond. */
export function* ping(): Script<void> {
  yield* run(selectFacts)
}

/** Writes a probe. Fails if the database does not accept writes. */
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
// The probe must change data, because an update that changes nothing would not be written. On a full disk, a small
// write may succeed after a large one has failed, so the probe is as large as a large group of quotes.
const filler = fillerBytes(131_072)
const countProbe = prepareQuery((on) =>
  on
    .insertInto('probes')
    .values({ id: 1, count: 1, filler })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ eb }) => ({ count: eb('probes.count', '+', 1), filler })),
    ),
)
