import { randomBytes } from 'node:crypto'
import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type SharedPostgres, sharePostgres } from '@firmquote/cluster/sharePostgres'
import { toRfqId } from '@firmquote/core'
import { systemClock } from '@firmquote/core/utils'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { numberToHex } from 'viem'
import { forEveryOrder } from '../../../test/adapters/postgresStore/interleave.ts'
import { type Deed, openInstances, type Planted } from '../../../test/adapters/postgresStore/interleavings.ts'
import { closesAt, newAuction, newAuctionQuote, newClose, openedAt } from '../../../test/storedQuotes.ts'
import { insertUnlistedQuote } from '../sqlStore/quotes/insertQuotes.ts'
import { pruneUnreferenced } from '../sqlStore/retention.ts'
import { blobOf } from '../sqlStore/sql/blobs.ts'
import type { Statement } from './postgresConnection.ts'
import { createPostgresStore } from './postgresStore.ts'
import { createScriptRunner } from './scriptRunner.ts'

const given = findPostgres() ? describe : describe.skip
const log = { info() {}, warn() {} }

given('statements from several instances in any order', () => {
  let postgres: SharedPostgres
  let url: string
  let instances: Awaited<ReturnType<typeof openInstances>>
  beforeAll(async () => {
    postgres = await sharePostgres()
    url = await postgres.createDatabase()
    instances = await openInstances(url, 2)
  }, 60_000)
  afterAll(async () => {
    await instances?.close()
  })

  const playAll = async (deeds: readonly Deed[], planted: Planted = {}) => {
    const problems = new Set<string>()
    const orders = await forEveryOrder(async (choose) => {
      for (const problem of await instances.play(deeds, choose, planted)) problems.add(problem)
    })
    return { orders, problems: [...problems] }
  }

  test.each<[Deed, Deed, number]>([
    ['accept', 'close', 10],
    ['accept', 'accept', 10],
    ['accept same maker', 'accept same maker', 10],
    ['close', 'close', 10],
    ['accept an unheld quote', 'forget it', 10],
    ['open with key', 'open with key', 10],
  ])(
    '%s and %s',
    async (first, second, least) => {
      const { orders, problems } = await playAll([first, second])
      expect(problems).toEqual([])
      expect(orders).toBeGreaterThan(least)
    },
    30_000,
  )

  const rewrite =
    (from: string, to: string) =>
    // Remove the statement's name, because a prepared statement keeps its original text.
    ({ name: _, ...statement }: Statement): Statement => ({ ...statement, text: statement.text.replaceAll(from, to) })

  test('planted: a close that reads before it locks', async () => {
    const { problems } = await playAll(['accept', 'close'], {
      close: (store, close) =>
        store.pool.transact(async (query) => {
          const id = Buffer.from(close.publicRfqId, 'hex')
          const quotes = await query(
            'select seq from auction_quotes where auction_id = (select id from auctions where public_rfq_id = $1)',
            [id],
          )
          const updated = await query(
            `update auctions set state = 'closed', closed_at = $2, rejected_count = 0, interrupted = 0
             where public_rfq_id = $1 and state = 'open' returning id`,
            [id, close.at],
          )
          return { closedNow: updated.length > 0, auction: { quotes } } as never
        }),
    })
    expect(problems).toContain('a close with another result than the rows')
  }, 30_000)

  test('planted: an accept that does not lock its auction', async () => {
    const { problems } = await playAll(['accept', 'close'], { rewrite: rewrite('for no key update', '') })
    expect(problems).toContain('a close with another result than the rows')
  }, 30_000)

  test('planted: keys that are not unique', async () => {
    await postgres.query('alter table auctions drop constraint auctions_key_hash_key', url)
    const { problems } = await playAll(['open with key', 'open with key'])
    await postgres.query('update auctions set key_hash = null, request_hash = null', url)
    await postgres.query('alter table auctions add constraint auctions_key_hash_key unique (key_hash)', url)
    expect(problems).toContain('two auctions of a key')
  }, 30_000)

  test('behavior: a quote that is pruned while it is being accepted is stored again', async () => {
    const id = toRfqId(randomBytes(16).toString('hex'))
    const quote = { ...newAuctionQuote(7, id), hash: numberToHex(20_000, { size: 32 }) }
    let tries = 0
    const store = await createPostgresStore({
      ...{ url, clock: systemClock, log },
      async beforeStatement({ name, ...statement }) {
        if (name !== 'accept_quotes') return { ...statement, ...(name !== undefined && { name }) }
        tries += 1
        // The transaction that accepts the quote has looked it up but not yet referenced it.
        return {
          ...statement,
          text: statement.text.replace(
            'set last_seq = newest.seq',
            'set last_seq = newest.seq + length(pg_advisory_xact_lock_shared(7, 7)::text)',
          ),
        }
      },
    })
    try {
      await store.openAuction(newAuction(id))
      const runner = createScriptRunner(store.pool)
      await runner.write(() => insertUnlistedQuote({ ...quote, createdAt: quote.receivedAt }))
      let accepting: Promise<unknown> | null = null
      await store.pool.transact(async (query) => {
        await query('select pg_advisory_xact_lock(7, 7)')
        accepting = store.acceptQuote(quote, openedAt)
        accepting.catch(() => {})
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
        // Query `waiting` on another connection, because within a transaction, the view does not change. Keep this
        // transaction busy in the meantime, because it must not be idle.
        for (let looks = 0; (await store.pool.query(waiting)).length === 0; looks += 1) {
          await query('select 1')
          expect(looks).toBeLessThan(1_000)
        }
        await runner.write(() => pruneUnreferenced([blobOf(quote.hash)]))
        expect(await store.findQuote(quote.hash)).toBeNull()
      })
      expect(await accepting).toMatchObject({ status: 'accepted', seq: 1 })
      expect(tries).toBe(2)
      expect((await store.findAuction({ rfqId: id }))?.quotes).toMatchObject([{ hash: quote.hash }])
    } finally {
      await store.close()
    }
  })

  test('behavior: an auction that opens after an accept has locked nothing is unknown', async () => {
    const id = toRfqId(randomBytes(16).toString('hex'))
    const other = await createPostgresStore({ url, clock: systemClock, log })
    const store = await createPostgresStore({
      ...{ url, clock: systemClock, log },
      async beforeStatement(statement) {
        if (statement.name === 'accept_quotes') await other.openAuction(newAuction(id))
        return statement
      },
    })
    try {
      const quote = newAuctionQuote(8, id)
      expect(await store.acceptQuote(quote, openedAt)).toEqual({ status: 'unknown_auction' })
      expect(await store.acceptQuote(quote, openedAt)).toMatchObject({ status: 'accepted', seq: 1 })
    } finally {
      await Promise.all([store.close(), other.close()])
    }
  })

  test('behavior: an accept that the database delays past the deadline is accepted unless the row is closed', async () => {
    const isDelayed = createDeferred()
    const store = await createPostgresStore({
      ...{ url, clock: systemClock, log },
      beforeStatement: async (statement) => {
        if (statement.name === 'lock_auctions') await isDelayed.promise
        return statement
      },
    })
    try {
      const ids = [0, 1].map(() => toRfqId(randomBytes(16).toString('hex')))
      for (const id of ids) await store.openAuction(newAuction(id))
      const accepting = Promise.all(
        ids.map((id, index) => store.acceptQuote(newAuctionQuote(30 + index, id), closesAt - 1)),
      )
      await store.closeAuction(newClose(ids[0]))
      isDelayed.resolve()
      expect((await accepting).map(({ status }) => status)).toEqual(['closed', 'accepted'])
    } finally {
      await store.close()
    }
  })
})
