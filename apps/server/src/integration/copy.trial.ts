import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type Postgres, startPostgres } from '@firmquote/cluster/startPostgres'
import { startProgram } from '@firmquote/test-support/startProgram'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { fillStore } from '../../test/fillStore.ts'
import { createRandomInteger } from '../../test/randomQuotes.ts'
import { createSqliteStore } from '../adapters/sqliteStore/sqliteStore.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const kills = 2 * rounds
const counted = ['quotes', 'auctions', 'auction_quotes', 'quote_statuses', 'positions', 'settlements']

const given = findPostgres() ? describe : describe.skip
given('firmquote-server copy, killed at random moments', () => {
  let directory: string
  let postgresFolder: string
  let postgres: Postgres
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'firmquote-copy-trial-'))
    postgresFolder = mkdtempSync(join(tmpdir(), 'firmquote-copy-trial-'))
    postgres = await startPostgres({ folder: postgresFolder })
    const store = await createSqliteStore({ file: join(directory, 'firmquote.db') })
    await fillStore(store, { size: 4_000, seed })
    await store.close()
  }, 120_000)
  afterAll(async () => {
    await postgres?.stop('immediate')
    for (const made of [directory, postgresFolder]) rmSync(made, { recursive: true, force: true })
  })

  test(`behavior: killed ${kills} times, the result equals an uninterrupted copy`, async () => {
    process.stderr.write(`copies with SEED=${seed}\n`)
    const random = createRandomInteger(seed)
    const copy = (target: string) => startProgram(main, ['copy', '--to', target], { DATA_DIR: directory })
    const digestsIn = (text: string) => text.split('\n').filter((line) => line.includes('SHA-256'))
    const counts = counted.map((name) => `(select count(*) from ${name})`).join(' + ')
    const rowsOf = async (target: string) =>
      Number((await postgres.query(`select ${counts} as n`, target).catch(() => [{ n: 0 }]))[0]?.['n'])

    const whole = await postgres.createDatabase()
    const first = copy(whole)
    const asked = performance.now()
    await first.says(/^Copying to/m)
    const begun = performance.now()
    expect([await first.ended, first.text.err]).toEqual([0, ''])
    const ended = performance.now()
    const total = await rowsOf(whole)

    let target = await postgres.createDatabase()
    const reached = { before: 0, within: 0, comparing: 0 }
    let known = 0
    /** Returns false if the copy had already ended. */
    const killAfter = async (wait: (program: ReturnType<typeof copy>) => Promise<unknown>) => {
      const program = copy(target)
      await wait(program)
      program.child.kill('SIGKILL')
      const code = await program.ended
      if (code === 0) {
        expect(await rowsOf(target)).toBe(total)
        target = await postgres.createDatabase()
        known = 0
        return false
      }
      expect(code).toBe(null)
      const rows = await rowsOf(target)
      expect(rows).toBeGreaterThanOrEqual(known)
      known = rows
      reached[rows === 0 ? 'before' : rows < total ? 'within' : 'comparing'] += 1
      return true
    }
    const copying = async (program: ReturnType<typeof copy>, mostMs: number) => {
      await program.says(/^(?:Copying to|Resuming the copy to)/m)
      await sleep(random(Math.ceil(mostMs) + 20))
    }
    for (let left = kills; left > 0; ) {
      // Some kills happen before anything is written. Most leave part of the data for the remaining kills.
      const isKilled =
        random(5) === 0
          ? await killAfter(() => sleep(random(Math.ceil(begun - asked))))
          : await killAfter((program) => copying(program, ((1 - known / total) * (ended - begun) * 2) / left))
      if (isKilled) left -= 1
    }
    // All kills may hit the comparison, which takes longer than the copying. In that case, the test starts another
    // copy.
    for (let left = 20; left > 0 && reached.within === 0; left -= 1) {
      target = await postgres.createDatabase()
      known = 0
      await killAfter((program) => copying(program, (ended - begun) / 4))
    }
    process.stderr.write(`killed ${JSON.stringify(reached)}\n`)
    expect(reached.within).toBeGreaterThan(0)
    const last = copy(target)
    expect([await last.ended, last.text.err]).toEqual([0, ''])
    expect(digestsIn(last.text.out)).toEqual(digestsIn(first.text.out))
    expect(await rowsOf(target)).toBe(total)
    const again = copy(target)
    expect([await again.ended, again.text.out]).toEqual([1, ''])
    expect(again.text.err).toMatch(/^The database \S+ already has data and was not changed; .*\.\n$/)
  }, 3_600_000)
})
