import { execFile } from 'node:child_process'
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type Postgres, startPostgres } from '@firmquote/cluster/startPostgres'
import { seed } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import SqliteDatabase from 'better-sqlite3'
import { fillStore } from '../../test/fillStore.ts'
import { copyDatabase } from '../adapters/postgresStore/copyDatabase.ts'
import { migrate } from '../adapters/postgresStore/migrate.ts'
import { migrations } from '../adapters/postgresStore/migrations.ts'
import { createSqliteStore } from '../adapters/sqliteStore/sqliteStore.ts'

// Runs the point-in-time recovery and dump commands from docs/backup.md, and the steps for a new database from
// docs/upgrading.md. Replaces only folders, names and times.

const page = ['backup', 'upgrading']
  .map((name) => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n')
const programs = findPostgres()
const servers: Postgres[] = []
const folders: string[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop('immediate')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-recovery-'))
  folders.push(folder)
  return folder
}

/** Returns the page's example after a given comment. */
function exampleOf(name: string): string {
  const [, indent = '', text] =
    new RegExp(`( *)<!-- ${name} -->\\n+ *\`\`\`\\w+\\n([\\s\\S]*?) *\`\`\``).exec(page) ?? []
  if (text === undefined) throw new TypeError(`The page has no example for "${name}".`)
  return text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
}

/** Returns a configuration example's settings, with its folders replaced by existing ones. */
function settingsOf(text: string, place: (text: string) => string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.includes('='))
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^(\w+) = '?(.*?)'?$/.exec(line) ?? []
      return [name, place(value)]
    }),
  )
}

const given = programs ? test : test.skip
given(
  'behavior: what was deleted by mistake is back, as of a moment before',
  async () => {
    const [folder, restored, backups, source] = [newFolder(), newFolder(), newFolder(), newFolder()]
    let moment = ''
    const place = (text: string) =>
      text
        .replaceAll('/backups', backups)
        .replaceAll('/var/lib/postgresql/restored', join(restored, 'data'))
        .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00/g, moment)
    const postgres = await startPostgres({ folder, settings: settingsOf(exampleOf('archive'), place) })
    servers.push(postgres)
    const { uid, gid } = statSync(join(folder, 'data'))
    mkdirSync(join(backups, 'wal'))
    for (const made of [backups, join(backups, 'wal'), restored]) chownSync(made, uid, gid)
    const runAsOwner = (text: string) =>
      promisify(execFile)('bash', ['-euc', place(text)], {
        ...(process.getuid?.() === 0 && { uid, gid }),
        cwd: backups,
        env: {
          ...{ PATH: `${programs}:${process.env['PATH']}`, LC_ALL: 'C' },
          ...{ PGHOST: '127.0.0.1', PGPORT: String(postgres.port), PGUSER: 'firmquote' },
          PGPASSWORD: new URL(postgres.url).password,
        },
      })

    await runAsOwner(exampleOf('base backup'))
    expect((await runAsOwner(exampleOf('verify base backup'))).stdout).toContain('backup successfully verified')
    const file = join(source, 'firmquote.db')
    const store = await createSqliteStore({ file, writesHere: true })
    await fillStore(store, { size: 100, seed })
    await store.close()
    await migrate(postgres.url, { migrations })
    const database = new SqliteDatabase(file)
    await copyDatabase({ source: database, target: postgres.url, report: () => {} })
    database.close()
    const digest = (on: Postgres) =>
      on.query("select count(*)::int as n, md5(string_agg(q::text, ',' order by hash)) as digest from quotes q", on.url)
    const before = await digest(postgres)
    expect(before[0]?.['n']).toBeGreaterThan(100)

    await runAsOwner(exampleOf('dump'))
    expect((await runAsOwner(exampleOf('verify dump'))).stdout).toBe(`${before[0]?.['n']}\n`)
    for (const statement of exampleOf('database').replaceAll('firmquote', 'firmquote_next').split(';')) {
      if (statement.trim() !== '') await postgres.query(statement)
    }

    // The database's clock supplies the time, so that every transaction is clearly before or after it.
    const [row] = await postgres.query(
      "select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as moment",
    )
    moment = String(row?.['moment'])
    await sleep(50)
    await postgres.query('delete from auction_quotes; delete from quotes', postgres.url)
    await runAsOwner(exampleOf('last segment'))
    await postgres.stop()

    await runAsOwner(exampleOf('recovery'))
    copyFileSync(join(folder, 'password'), join(restored, 'password'))
    const recovered = await startPostgres({ folder: restored })
    servers.push(recovered)
    for (let tries = 0; tries < 200; tries += 1) {
      const [state] = await recovered.query('select pg_is_in_recovery() as recovers', recovered.url)
      if (state?.['recovers'] === false) break
      await sleep(50)
    }
    expect(await digest(recovered)).toEqual(before)
    await recovered.query('create table writable (n int)', recovered.url)
  },
  120_000,
)
