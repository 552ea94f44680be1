import { type SqlBool, sql } from 'kysely'
import type { AuditRecord, ControlChange, Store, StoredControls } from '../../../ports/store.ts'
import { lockControls } from '../sql/locks.ts'
import { pick, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { ask, run, runAll, type Script } from '../sql/script.ts'

/** Changes controls and adds the audit entry, unless another change came first. */
export function* changeControls({ after, put = [], remove = [], entry }: ControlChange): Script<number | null> {
  // Without the lock, a higher ID could be committed first, and readers would miss the lower one.
  yield* run(lockControls)
  const [repeated] = yield* run(selectRequest, { request: entry.request })
  if (repeated) return repeated.id
  const [newest] = yield* run(selectVersion)
  if ((newest?.version ?? 0) !== after) return null
  yield* runAll<unknown>([
    ...remove.map((key) => ask(deleteControl, key)),
    ...put.map((row) => ask(upsertControl, row)),
  ])
  const [added] = yield* run(insertEntry, entry)
  return added?.id ?? null
}

/** All controls and their version, unless it is `known`. One query, so that both are from the same snapshot. */
export function* readControls(known: number | null): Script<StoredControls | null> {
  const rows = yield* run(selectControls, { known: known ?? -1 })
  const version = rows[0]?.version
  if (version === undefined) return null
  const controls = rows.flatMap(({ kind, subject, body }) =>
    kind === null || subject === null || body === null ? [] : [{ kind, subject, body }],
  )
  return { version, controls }
}

/** Audit entries, newest first. */
export function* listAudit({ limit, before }: Parameters<Store['listAudit']>[0]): Script<AuditRecord[]> {
  return yield* run(selectEntries, { limit, before: before ?? Number.MAX_SAFE_INTEGER })
}

const selectRequest = prepareQuery((on, given: { request: string }) =>
  on.selectFrom('audit').select('id').where('request', '=', given.request),
)
const selectVersion = prepareQuery((on) =>
  on.selectFrom('audit').select(({ fn }) => fn.max<number | null>('id').as('version')),
)
const upsertControl = prepareQuery((on, row: Tables['controls']) =>
  on
    .insertInto('controls')
    .values(pick(row, ['kind', 'subject', 'body']))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subject']).doUpdateSet((eb) => ({ body: eb.ref('excluded.body') })),
    ),
)
const deleteControl = prepareQuery((on, key: Pick<Tables['controls'], 'kind' | 'subject'>) =>
  on.deleteFrom('controls').where('kind', '=', key.kind).where('subject', '=', key.subject),
)
const insertEntry = prepareQuery((on, entry: ControlChange['entry']) =>
  on
    .insertInto('audit')
    .values(pick(entry, ['request', 'at', 'who', 'command', 'subject', 'why', 'detail']))
    .returning('id'),
)
const selectControls = prepareQuery((on, given: { known: number }) =>
  on
    .selectFrom(on.selectFrom('audit').select(sql<number>`coalesce(max(id), 0)`.as('version')).as('newest'))
    .leftJoin('controls', (join) => join.on(sql<SqlBool>`1 = 1`))
    .select(['newest.version', 'controls.kind', 'controls.subject', 'controls.body'])
    .where('newest.version', '<>', given.known)
    .orderBy('controls.kind')
    .orderBy('controls.subject'),
)
const selectEntries = prepareQuery((on, given: { limit: number; before: number }) =>
  on
    .selectFrom('audit')
    .select(['id', 'at', 'who', 'command', 'subject', 'why', 'detail'])
    .where('id', '<', given.before)
    .orderBy('id', 'desc')
    .limit(given.limit),
)
