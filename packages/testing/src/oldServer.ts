import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const server = fileURLToPath(new URL('../../../apps/server/', import.meta.url))

/**
 * What made the last migration: its entry, and what uses its tables. The program before it counted in its own process. Each text stands
 * in its file as it is here, so that a change of it shows in the tests.
 */
const changes = [
  {
    file: 'src/adapters/postgresStore/migrations.ts',
    from: "  '002_quotas_and_presence': { up: (db: Kysely<unknown>) => run(db, quotasAndPresence) },\n",
    to: '',
  },
  {
    file: 'src/start/openStorage.ts',
    from: 'await shared.createPostgresQuotas(store.pool, { clock, limits })',
    to: 'createInProcessQuotas(clock, limits)',
  },
  {
    file: 'src/start/openStorage.ts',
    from: /await shared\.createPostgresPresence\(store\.pool, \{[\s\S]*?\n {2}\}\)\n {2}opened\(presence\.close\)/,
    to: 'createInProcessPresence(limits.socketsPerBacker)',
  },
] as const

/**
 * Makes the program as it was before its last migration, in a folder beside the server's own, whose packages it uses.
 *
 * @returns its file, for `startProgram`.
 */
export function createOldServer(parent: string): string {
  const folder = mkdtempSync(join(parent, 'old-server-'))
  cpSync(join(server, 'src'), join(folder, 'src'), { recursive: true })
  for (const name of ['package.json', 'dist']) cpSync(join(server, name), join(folder, name), { recursive: true })
  symlinkSync(join(server, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, from, to } of changes) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    const changed = text.replace(from, to)
    if (changed === text) throw new TypeError(`${dirname(file)} has no longer what the last migration made.`)
    writeFileSync(path, changed)
  }
  return join(folder, 'src', 'main.ts')
}
