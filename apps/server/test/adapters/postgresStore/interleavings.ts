import { randomBytes } from 'node:crypto'
import { toRfqId } from '@firmquote/core'
import { systemClock } from '@firmquote/core/utils'
import type { Statement } from '../../../src/adapters/postgresStore/postgresConnection.ts'
import { createPostgresStore, type PostgresStore } from '../../../src/adapters/postgresStore/postgresStore.ts'
import { createScriptRunner } from '../../../src/adapters/postgresStore/scriptRunner.ts'
import { insertUnlistedQuote } from '../../../src/adapters/sqlStore/quotes/insertQuotes.ts'
import { pruneUnreferenced } from '../../../src/adapters/sqlStore/retention.ts'
import { blobOf } from '../../../src/adapters/sqlStore/sql/blobs.ts'
import type { AcceptOutcome, OpenedAuction, Store } from '../../../src/ports/store.ts'
import { hashOf, makerOf, newAuction, newAuctionQuote, newClose, openedAt } from '../../storedQuotes.ts'
import { type Choose, limitConcurrency } from './interleave.ts'

const log = { info() {}, warn() {} }

/** A participant's operation on an auction. */
export type Deed = 'accept' | 'accept same maker' | 'accept an unheld quote' | 'forget it' | 'close' | 'open with key'

/** A bug planted by the test: a statement to replace, or a different way to close. */
export type Planted = {
  rewrite?: (statement: Statement) => Statement
  close?: (store: PostgresStore, close: ReturnType<typeof newClose>) => ReturnType<Store['closeAuction']>
}

/** Opens an observer and several instances on one database. */
export async function openInstances(url: string, count: number) {
  let planted: Planted = {}
  const watcher = await createPostgresStore({ url, clock: systemClock, log })
  const isWaiting = async (atLeast: number) => {
    const rows = await watcher.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length >= atLeast
  }
  const turns = limitConcurrency(count, isWaiting)
  const stores = await Promise.all(
    turns.actors.map(({ beforeStatement }) =>
      createPostgresStore({
        url,
        clock: systemClock,
        log,
        pruneEvery: Number.MAX_SAFE_INTEGER,
        beforeStatement: async (statement) => beforeStatement(planted.rewrite?.(statement) ?? statement),
      }),
    ),
  )
  let played = 0

  /** Runs one auction and returns any errors in its outcome. */
  const play = async (deeds: readonly Deed[], choose: Choose, weakened: Planted = {}): Promise<string[]> => {
    planted = weakened
    const [id, key] = [toRfqId(randomBytes(16).toString('hex')), { key: hashOf(++played + 10_000), request: hashOf(1) }]
    const opening = newAuction(id)
    await watcher.openAuction(opening)
    // A quote left behind by a pruned auction.
    const unheld = { ...newAuctionQuote(0, id, { maker: makerOf(98) }), hash: hashOf(played * 10 + 9) }
    const { receivedAt: createdAt } = unheld
    if (deeds.includes('forget it')) {
      await createScriptRunner(watcher.pool).write(() => insertUnlistedQuote({ ...unheld, createdAt }))
    }
    const accepted: { hash: string; outcome: AcceptOutcome }[] = []
    const closed: NonNullable<Awaited<ReturnType<Store['closeAuction']>>>[] = []
    const opened: OpenedAuction[] = []
    const works = deeds.map((deed, index) => async () => {
      const store = stores[index]
      if (!store) throw new RangeError('There are more deeds than instances.')
      if (deed === 'close') {
        const outcome = await (planted.close?.(store, newClose(id)) ?? store.closeAuction(newClose(id)))
        if (outcome) closed.push(outcome)
      } else if (deed === 'forget it') {
        await createScriptRunner(store.pool).write(() => pruneUnreferenced([blobOf(unheld.hash)]))
      } else if (deed === 'accept an unheld quote') {
        accepted.push({ hash: unheld.hash, outcome: await store.acceptQuote(unheld, openedAt) })
      } else if (deed === 'open with key') {
        opened.push(await store.openAuction(newAuction(toRfqId(randomBytes(16).toString('hex')), {}, key)))
      } else {
        const terms = { maker: makerOf(deed === 'accept' ? index : 99) }
        const quote = { ...newAuctionQuote(index, id, terms), hash: hashOf(played * 10 + index) }
        accepted.push({ hash: quote.hash, outcome: await store.acceptQuote(quote, openedAt) })
      }
    })
    await turns.run(works, choose)

    const record = await watcher.findAuction({ publicRfqId: opening.publicRfqId })
    const hashes = record?.quotes.map(({ hash }) => hash) ?? []
    const problems: string[] = []
    if (!record?.quotes.every(({ seq }, index) => seq === index + 1)) problems.push('a gap in the sequence')
    if (new Set(record?.quotes.map(({ quote }) => quote.maker)).size !== hashes.length) problems.push('a maker twice')
    for (const { hash, outcome } of accepted) {
      const isKept = hashes.some((kept) => kept === hash)
      if (isKept !== (outcome.status === 'accepted')) problems.push(`${outcome.status}, but kept: ${isKept}`)
    }
    for (const { auction } of closed) {
      if (auction.quotes.length !== hashes.length) problems.push('a close with another result than the rows')
    }
    if (closed.filter(({ closedNow }) => closedNow).length > 1) problems.push('two closes')
    if (opened.filter((one) => one.opened).length > 1) problems.push('two auctions of a key')
    return problems
  }

  return {
    play,
    close: () => Promise.all([watcher, ...stores].map((store) => store.close())),
  }
}
