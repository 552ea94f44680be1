import { encodeRecord, keyEntry } from '@firmquote/verify'
import { type Insertable, sql } from 'kysely'
import { addLeaves, frontierOf, type PlacedTile, rootOfFrontier } from '../../../domain/logTiles.ts'
import type { LogPosition, ProofStore, StoredLog } from '../../../ports/store.ts'
import { blobOf, hexOf } from '../sql/blobs.ts'
import { pick, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { forEach, run, type Script } from '../sql/script.ts'

/** Maximum entries added to the tree in one transaction. Other writes wait for about 20 ms. */
const maxAdded = 4_096
const hashBytes = 32

/** Opens the first log, and returns the newest one. */
export function* startLog({ origin, publicKey, signer, at }: Parameters<ProofStore['startLog']>[0]): Script<StoredLog> {
  const known = yield* findLog()
  if (known) return known
  const root = Buffer.from(rootOfFrontier([]))
  yield* run(insertLog, {
    origin,
    public_key: Buffer.from(publicKey),
    signer: blobOf(signer),
    size: 0,
    root,
    at,
    seen_at: at,
  })
  yield* appendEntry(encodeRecord(keyEntry.kind, keyEntry.layout, { signer, at: BigInt(at) }))
  return yield* newestLog()
}

/** The newest log. */
export function* findLog(): Script<StoredLog | null> {
  const [row] = yield* run(selectNewest)
  if (!row) return null
  const { id, origin, public_key: publicKey, signer, size, root, at, seen_at: seenAt } = row
  const [last] = yield* run(selectLast, { log: id })
  const address = hexOf(signer)
  return {
    id,
    origin,
    publicKey,
    signer: address,
    head: { size, root, at },
    entries: (last?.position ?? -1) + 1,
    seenAt,
  }
}

/** Appends an entry to the newest log, and returns its place. */
export function* appendEntry(entry: Uint8Array): Script<LogPosition> {
  const [place] = yield* run(insertEntry, { entry: Buffer.from(entry) })
  return place ?? noLog()
}

/** Adds entries to the newest log's tree, and commits its head. Null if the stored tiles do not match the head. */
export function* advanceLog(at: number): Script<StoredLog | null> {
  const log = yield* newestLog()
  const { size, root } = log.head
  const frontier: PlacedTile[] = []
  for (const { level, position, width } of frontierOf(size)) {
    const hashes = yield* findTile(log.id, level, position)
    frontier.push({ level, position, hashes: split(hashes ?? Buffer.alloc(0)).slice(0, width) })
  }
  // A tree that continued from changed hashes would fork the log.
  if (!Buffer.from(rootOfFrontier(frontier)).equals(root)) return null
  const entries = yield* listEntries(log.id, size, Math.min(log.entries, size + maxAdded))
  if (entries.length === 0) {
    yield* run(updateSeenAt, { log: log.id, at })
    return { ...log, seenAt: at }
  }
  const { changed, frontier: next } = addLeaves(frontier, entries)
  yield* forEach(changed, ({ level, position, hashes }) =>
    run(upsertTile, { log: log.id, level, position, hashes: Buffer.concat(hashes) }),
  )
  const head = { size: size + entries.length, root: Buffer.from(rootOfFrontier(next)), at }
  yield* run(updateHead, { log: log.id, ...head })
  return { ...log, head, seenAt: at }
}

/** A log's entries from `from` to before `to`, in order. */
export function* listEntries(log: number, from: number, to: number): Script<Uint8Array[]> {
  return (yield* run(selectEntries, { log, from, to })).map(({ entry }) => entry)
}

/** The hashes of a tile. */
export function* findTile(log: number, level: number, position: number): Script<Buffer | null> {
  return (yield* run(selectTile, { log, level, position }))[0]?.hashes ?? null
}

function* newestLog(): Script<StoredLog> {
  return (yield* findLog()) ?? noLog()
}

function noLog(): never {
  throw new TypeError('The log has not been started.')
}

function split(hashes: Buffer): Uint8Array[] {
  return Array.from({ length: hashes.length / hashBytes }, (_, at) =>
    hashes.subarray(at * hashBytes, (at + 1) * hashBytes),
  )
}

const insertLog = prepareQuery((on, given: Omit<Insertable<Tables['logs']>, 'id'>) =>
  on.insertInto('logs').values(pick(given, ['origin', 'public_key', 'signer', 'size', 'root', 'at', 'seen_at'])),
)
const selectNewest = prepareQuery((on) => on.selectFrom('logs').selectAll().orderBy('id', 'desc').limit(1))
const selectLast = prepareQuery((on, given: { log: number }) =>
  on.selectFrom('log_entries').select('position').where('log', '=', given.log).orderBy('position', 'desc').limit(1),
)
const insertEntry = prepareQuery((on, given: { entry: Buffer }) =>
  on
    .insertInto('log_entries')
    .columns(['log', 'position', 'entry'])
    .expression((query) =>
      query
        .selectFrom('logs')
        .select(({ val, selectFrom }) => [
          'id as log',
          selectFrom('log_entries')
            .select(sql<number>`coalesce(max(position) + 1, 0)`.as('next'))
            .whereRef('log', '=', 'logs.id')
            .as('position'),
          val(given.entry).as('entry'),
        ])
        .orderBy('id', 'desc')
        .limit(1),
    )
    .returning(['log', 'position']),
)
const selectEntries = prepareQuery((on, given: { log: number; from: number; to: number }) =>
  on
    .selectFrom('log_entries')
    .select('entry')
    .where('log', '=', given.log)
    .where('position', '>=', given.from)
    .where('position', '<', given.to)
    .orderBy('position'),
)
const selectTile = prepareQuery((on, given: { log: number; level: number; position: number }) =>
  on
    .selectFrom('log_tiles')
    .select('hashes')
    .where('log', '=', given.log)
    .where('level', '=', given.level)
    .where('position', '=', given.position),
)
const upsertTile = prepareQuery((on, given: Tables['log_tiles']) =>
  on
    .insertInto('log_tiles')
    .values(pick(given, ['log', 'level', 'position', 'hashes']))
    .onConflict((conflict) =>
      conflict.columns(['log', 'level', 'position']).doUpdateSet((row) => ({ hashes: row.ref('excluded.hashes') })),
    ),
)
const updateHead = prepareQuery((on, given: { log: number; size: number; root: Buffer; at: number }) =>
  on
    .updateTable('logs')
    .set({ size: given.size, root: given.root, at: given.at, seen_at: given.at })
    .where('id', '=', given.log),
)
const updateSeenAt = prepareQuery((on, given: { log: number; at: number }) =>
  on.updateTable('logs').set({ seen_at: given.at }).where('id', '=', given.log),
)
