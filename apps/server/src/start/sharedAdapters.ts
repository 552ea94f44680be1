// Adapters loaded only if `DATABASE_URL` is set.
export { createNatsBus } from '../adapters/natsBus/natsBus.ts'
export { createPostgresPresence } from '../adapters/postgresQuotas/postgresPresence.ts'
export { createPostgresQuotas } from '../adapters/postgresQuotas/postgresQuotas.ts'
export { checkComplete } from '../adapters/postgresStore/copyDatabase.ts'
export { createPostgresStore } from '../adapters/postgresStore/postgresStore.ts'
