import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { findNats, findPostgres } from './findPrograms.ts'
import { startNats } from './startNats.ts'
import { startPostgres } from './startPostgres.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-services-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('startPostgres', () => {
  const given = findPostgres() ? test : test.skip

  given('default: asks for its password, and keeps what was committed over a kill', async () => {
    const postgres = await startPostgres({ folder })
    try {
      await postgres.query('create table kept (n int); insert into kept values (7)', postgres.url)
      expect(await postgres.query('show fsync', postgres.url)).toEqual([{ fsync: 'on' }])
      await postgres.process().kill('SIGKILL')
      await postgres.start()
      expect(await postgres.query('select n from kept', postgres.url)).toEqual([{ n: 7 }])
      expect(await postgres.query('select current_database() as name', await postgres.createDatabase())).not.toEqual([
        { name: 'firmquote' },
      ])
      await expect(postgres.query('select 1', postgres.url.replace(/:[0-9a-f]+@/, ':wrong@'))).rejects.toThrow(
        'password',
      )
    } finally {
      await postgres.stop('immediate')
    }
  })

  test('error: no programs', async () => {
    await expect(startPostgres({ folder, programs: join(folder, 'none') })).rejects.toThrow('ENOENT')
  })
})

describe('startNats', () => {
  const given = findNats() ? test : test.skip

  given('default: listens again on its port after a kill', async () => {
    const nats = await startNats({ folder })
    try {
      expect(nats.url).toMatch(/^nats:\/\/[0-9a-f]{32}@127\.0\.0\.1:\d+$/)
      await nats.process().kill('SIGKILL')
      await nats.start()
    } finally {
      await nats.stop()
    }
    expect(() => nats.process()).toThrow('does not run')
  })
})
