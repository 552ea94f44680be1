import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const server = fileURLToPath(new URL('../../../apps/server/', import.meta.url))

/**
 * Edits, by file, that undo the last eight migrations by removing them and the code that uses their tables. The old
 * program counted a maker's quotes on each request and stored no rates. Each edit quotes the current source, so a test
 * fails if the source changes.
 */
const changes: Record<string, [from: string | RegExp, to: string][]> = {
  'adapters/postgresStore/migrations.ts': [
    [/ {2}'003_open_quotes': .*\n/, ''],
    [/ {2}'004_quotes_of_takers': .*\n/, ''],
    [/ {2}'005_rate_history': .*\n/, ''],
    [/ {2}'006_days_of_fills': .*\n/, ''],
    [/ {2}'007_prices_of_days': .*\n/, ''],
    [/ {2}'008_quotes_by_price': .*\n/, ''],
    [/ {2}'009_group_clock': .*\n/, ''],
    [/ {2}'010_controls': .*\n/, ''],
  ],
  'adapters/postgresStore/databaseReference.ts': [
    ['offset_ms, agreed_at from clock, group_clock', '0 as offset_ms, null as agreed_at from clock'],
    [/agreed as \([\s\S]*?1000\)/, 'agreed as (select 1 where $1::double precision = 0)'],
  ],
  'adapters/postgresStore/groupStatements.ts': [
    [/case when kept\.at_most [^(]*\(/, '('],
    ['  ) end as open\n', '  ) as open\n'],
    [/ {2}left join lateral \(select at_most .*\n/, ''],
    [/, counted as \(\n {2}insert into published_counts[\s\S]*?excluded\.at_most\n\)/, ''],
  ],
  'adapters/sqlStore/chain/chainQueries.ts': [[", 'floating_points']", ']']],
  'adapters/sqlStore/chain/chainRows.ts': [
    ['  const days = yield* listDaysAbove(kept)\n', ''],
    ['  yield* deriveDays(days)\n', ''],
  ],
  'adapters/sqlStore/controls/controlRows.ts': [
    ['yield* run(selectControls, { known: known ?? -1 })', '[{ version: 0, kind: null, subject: null, body: null }]'],
  ],
  'adapters/sqlStore/quotes/quoteEnds.ts': [[/ {2}if \(reopened\.length > 0\).*\n/, '']],
  'adapters/sqlStore/retention.ts': [[/ {2}if \(makers\.length > 0\).*\n/, '']],
  'app/createService.ts': [['void rateRecorder.advance()\n', '']],
}

/**
 * Creates, in a new folder in `parent`, the server program from before its last eight migrations. It uses the current
 * server's dependencies.
 *
 * @returns its entry file, for `startProgram`.
 */
export function createOldServer(parent: string): string {
  const folder = mkdtempSync(join(parent, 'old-server-'))
  cpSync(join(server, 'src'), join(folder, 'src'), { recursive: true })
  cpSync(join(server, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(server, 'node_modules'), join(folder, 'node_modules'))
  for (const [file, replacements] of Object.entries(changes)) {
    const path = join(folder, 'src', file)
    const text = replacements.reduce(
      (before, [from, to]) => {
        const after = before.replace(from, to)
        if (after === before) throw new TypeError(`${file} no longer has ${from}, which the last migrations added.`)
        return after
      },
      readFileSync(path, 'utf8'),
    )
    writeFileSync(path, text)
  }
  return join(folder, 'src', 'main.ts')
}
