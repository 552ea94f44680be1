// Runs four transactions in random orders, with 20 orders per round. At least two of the transactions conflict. Usage:
// npm run trials -- --rounds 50 interleavings
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type Postgres, startPostgres } from '@firmquote/cluster/startPostgres'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Deed, openInstances } from '../../../test/adapters/postgresStore/interleavings.ts'
import { createRandomInteger } from '../../../test/randomQuotes.ts'

const given = findPostgres() ? describe : describe.skip
const perRound = 20
const deeds: readonly Deed[] = ['accept', 'accept same maker', 'close', 'open with key']

given('four transactions in random orders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-orders-'))
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres({ folder })
  }, 60_000)
  afterAll(async () => {
    await postgres?.stop('immediate')
    rmSync(folder, { recursive: true, force: true })
  })

  test(
    `${rounds * perRound} orders`,
    async () => {
      const instances = await openInstances(postgres.url, 4)
      const random = createRandomInteger(seed)
      try {
        for (let order = 0; order < rounds * perRound; order++) {
          const played = Array.from({ length: 4 }, () => deeds[random(deeds.length)] ?? 'accept')
          expect({ seed, order, played, problems: await instances.play(played, random) }).toMatchObject({
            problems: [],
          })
        }
      } finally {
        await instances.close()
      }
    },
    60_000 + rounds * 20_000,
  )
})
