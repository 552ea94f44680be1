import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNats, findPostgres } from '@firmquote/cluster/findPrograms'
import { startNats } from '@firmquote/cluster/startNats'
import { startPostgres } from '@firmquote/cluster/startPostgres'
import { startDevnet } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { createOldServer } from '@firmquote/test-support/oldServer'
import { type Program, programOf, startProgram } from '@firmquote/test-support/startProgram'
import { afterEach, expect, test } from '@jest/globals'
import { zeroHash } from 'viem'
import { stopAfter } from './stopAfter.ts'

// Two instances on one database, one running the program from before its last eight migrations, the other the current
// program. The old program starts first and creates its tables. The new program migrates them. Then the old program is
// restarted on the migrated tables.

const started = stopAfter(afterEach)

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-rolling-'))
  started({ stop: () => rmSync(folder, { recursive: true, force: true }) })
  return folder
}

const given = findPostgres() && findNats() ? test : test.skip
given(
  'behavior: the program before the last migrations and the current one serve the same auctions',
  async () => {
    const devnet = started(await startDevnet())
    const postgres = await startPostgres({ folder: newFolder() })
    started({ stop: () => postgres.stop('immediate') })
    const nats = started(await startNats({ folder: newFolder() }))
    const environment = {
      ...{ PORT: '0', RPC_URL: devnet.rpcUrl, DATABASE_URL: postgres.url, NATS_URL: nats.url },
      ...{ HEAD_DEGRADED_SECONDS: '3600', HEAD_STALE_SECONDS: '3600', AUCTION_DURATION_MS: '1000' },
    }
    const start = (file: string): Program => {
      const program = startProgram(file, [], environment)
      started({ stop: () => program.stop('SIGKILL') })
      return program
    }
    const urlOf = async (program: Program) => (await program.says(/^ready (http:\/\/\S+)$/m))[1] ?? ''
    const executed = async () =>
      (await postgres.query('select name from kysely_migration order by name', postgres.url)).map(({ name }) => name)

    const old = createOldServer(newFolder())
    const first = start(old)
    const oldUrl = await urlOf(first)
    expect(await executed()).toEqual(['001_tables', '002_quotas_and_presence'])
    const newUrl = await urlOf(start(programOf('server')))
    expect(await executed()).toEqual([
      '001_tables',
      '002_quotas_and_presence',
      '003_open_quotes',
      '004_quotes_of_takers',
      '005_rate_history',
      '006_days_of_fills',
      '007_prices_of_days',
      '008_quotes_by_price',
      '009_group_clock',
      '010_controls',
    ])

    const play = async (urls: readonly string[]) => {
      const [{ poolId, series }] = devnet.pools
      for (const url of urls) {
        const client = new ServiceClient({ orderbookUrl: url })
        const result = await client.requestQuotes({
          poolId,
          seriesKey: series[0]?.seriesKey ?? zeroHash,
          notional: 1_000_000_000n,
        })
        expect(result.status).toBe('closed')
        for (const other of urls) {
          const reader = new ServiceClient({ orderbookUrl: other })
          await expect(reader.getRfq(result.rfqId)).resolves.toMatchObject({ rfqId: result.rfqId })
        }
      }
    }
    await play([oldUrl, newUrl])
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    await play([await urlOf(start(old)), newUrl])

    // A later version that drops part of the schema records this row, so that the current version refuses to start.
    await postgres.query(
      "insert into kysely_migration values ('011_contract', now()::text); insert into identity values ('oldest_program', '006_days_of_fills')",
      postgres.url,
    )
    const refused = start(old)
    expect(await refused.ended).toBe(1)
    expect(refused.text.err).toMatch(
      /^The database \S+ requires a newer version of the server \(migration 006_days_of_fills\); run that version\.\n$/,
    )
    await play([await urlOf(start(programOf('server')))])
  },
  180_000,
)
