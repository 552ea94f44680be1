import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const server = fileURLToPath(new URL('../../../apps/server/', import.meta.url))

const statements = 'src/adapters/postgresStore/groupStatements.ts'

/**
 * What made the last three migrations: their entries, and what uses their tables. The program before them counted a maker's quotes each
 * time, and kept no rates. Each text stands in its file as it is here, so that a change of it shows in the tests.
 */
const changes = [
  {
    file: 'src/adapters/postgresStore/migrations.ts',
    from: "  '003_open_quotes': { up: (db: Kysely<unknown>) => run(db, openQuotes) },\n",
    to: '',
  },
  {
    file: 'src/adapters/postgresStore/migrations.ts',
    from: "  '004_quotes_of_takers': { up: (db: Kysely<unknown>) => run(db, quotesOfTakers) },\n",
    to: '',
  },
  {
    file: 'src/adapters/postgresStore/migrations.ts',
    from: "  '005_rate_history': { up: (db: Kysely<unknown>) => run(db, rateHistory) },\n",
    to: '',
  },
  { file: 'src/adapters/sqlStore/auctionRows.ts', from: / {2}if \(closedNow .*noteBest.*\n/, to: '' },
  { file: 'src/adapters/sqlStore/chainQueries.ts', from: ", 'floating_points']", to: ']' },
  { file: 'src/app/createService.ts', from: 'void rateRecorder.advance()\n', to: '' },
  { file: statements, from: /case when kept\.at_most [^(]*\(/, to: '(' },
  { file: statements, from: '  ) end as open\n', to: '  ) as open\n' },
  { file: statements, from: / {2}left join lateral \(select at_most .*\n/, to: '' },
  { file: statements, from: /, counted as \(\n {2}insert into published_counts[\s\S]*?excluded\.at_most\n\)/, to: '' },
  { file: 'src/adapters/sqlStore/quoteEnds.ts', from: / {2}if \(reopened\.length > 0\).*\n/, to: '' },
  { file: 'src/adapters/sqlStore/retention.ts', from: / {2}if \(makers\.length > 0\).*\n/, to: '' },
] as const

/**
 * Makes the program as it was before its last three migrations, in a folder beside the server's own, whose packages it uses.
 *
 * @returns its file, for `startProgram`.
 */
export function createOldServer(parent: string): string {
  const folder = mkdtempSync(join(parent, 'old-server-'))
  cpSync(join(server, 'src'), join(folder, 'src'), { recursive: true })
  cpSync(join(server, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(server, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, from, to } of changes) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    const changed = text.replace(from, to)
    if (changed === text) throw new TypeError(`${dirname(file)} has no longer what the last migrations made.`)
    writeFileSync(path, changed)
  }
  return join(folder, 'src', 'main.ts')
}
