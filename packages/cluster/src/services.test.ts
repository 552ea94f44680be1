import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { findNats, findPostgres } from './findPrograms.ts'
import { listens } from './listens.ts'
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

  given('behavior: it ends with the process that started it, also when that is killed', async () => {
    const script = `import { startNats } from ${JSON.stringify(import.meta.resolve('./startNats.ts'))}
      const { port } = await startNats({ folder: ${JSON.stringify(folder)} })
      console.log(port)`
    const starter = spawn(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = (await once(starter.stdout, 'data')) as [Buffer]
    const port = Number(said.toString())
    expect(await listens(port)).toBe(true)
    starter.kill('SIGKILL')
    // No process is left that could report when it ends.
    while (await listens(port)) await sleep(10)
  })
})
