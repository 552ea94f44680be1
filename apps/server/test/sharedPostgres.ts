import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type Postgres, startPostgres } from '@firmquote/cluster/startPostgres'
import { afterAll, beforeAll, describe } from '@jest/globals'

/**
 * Describes tests that need a separate PostgreSQL server. The server runs for the duration of the tests, which are
 * skipped if PostgreSQL is not installed.
 */
export function describeWithPostgres(name: string, body: (postgres: () => Postgres) => void): void {
  const given = findPostgres() ? describe : describe.skip
  given(name, () => {
    let folder: string
    let postgres: Postgres
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'firmquote-postgres-'))
      postgres = await startPostgres({ folder })
    })
    afterAll(async () => {
      await postgres?.stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    })
    body(() => postgres)
  })
}
