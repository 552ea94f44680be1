// Random histories: what makers are told, over everything that may happen to the chain, the node, the database and the
// service, is in the end what the chain says.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toRfqId } from '@firmquote/core'
import { drawSeed, type Met, playUntilMet } from '@firmquote/test-support/coverage'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { createMadeUpChain, type MadeUpCall, madeUpTaker } from '../../../test/madeUpChain.ts'
import { createRandomInteger, type RandomInteger } from '../../../test/randomQuotes.ts'
import { testDomain } from '../../../test/scriptedService.ts'
import { makerOf, newAuction, newAuctionQuote, newQuote, now, rfqId } from '../../../test/storedQuotes.ts'
import { createInProcessBus } from '../../adapters/inProcessBus.ts'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import type { NewQuote, Store, ToldStatus } from '../../ports/store.ts'
import { createFinality } from '../chain/finality.ts'
import { createSync } from '../chain/sync.ts'
import { createQuoteStatuses } from './quoteStatuses.ts'

const makers = Array.from({ length: 8 }, (_, index) => makerOf(index))
const quoteCount = 160
const steps = 220
const silent = { debug() {}, info() {}, warn() {}, error() {} }

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** How often the histories together must meet each of these: two are nearly always enough. */
const least = {
  histories: 2,
  ...{ filled: 50, cancelled: 20, nonce_raised: 20, active: 50, final: 50 },
  ...{ reorganisations: 5, 'deep reorganisations': 2, restarts: 5 },
  ...{ 'failed cycles': 20, 'unknown commits': 5, 'came after their end': 10 },
}
type Case = keyof typeof least

/** A store whose writes about the chain fail now and then: before they are done, or after. */
function unreliable(store: Store, random: RandomInteger, met: Met<Case>): Store {
  const sometimes =
    <Given extends unknown[]>(write: (...given: Given) => Promise<void>) =>
    async (...given: Given): Promise<void> => {
      const fate = random(12)
      if (fate === 0) throw new StorageUnavailableError('The disk is full.')
      await write(...given)
      if (fate !== 1) return
      met('unknown commits')
      throw new OutcomeUnknownError('The disk has failed.')
    }
  return {
    ...store,
    applyBlocks: sometimes(store.applyBlocks),
    rollBack: sometimes(store.rollBack),
    finalize: sometimes(store.finalize),
  }
}

/** A maker's client: what it was sent over all of its connections, of which each has a place of its own. */
function createClient(maker: Address) {
  const known = new Map<number, ToldStatus>()
  let connection: { leave(): void } | null = null
  let last = 0
  let resumed = true
  return {
    maker,
    known,
    isConnected: () => connection !== null,
    isUpToDate: (newest: number) => connection !== null && resumed && last === newest,
    async connect(statuses: ReturnType<typeof createQuoteStatuses>, random: RandomInteger) {
      let open = true
      let next: number | null = null
      const joined = statuses.join(
        {
          address: maker,
          taken: () => (random(4) === 0 ? turn().then(() => {}) : Promise.resolve()),
          send(frame) {
            if (!open) return
            const { type, ...message } = JSON.parse(frame)
            if (type === 'resumed') {
              resumed = true
              return
            }
            const status = message as ToldStatus
            // Within what is sent after a resume there is no gap.
            if (next !== null && status.seq > next) throw new RangeError(`${status.seq} after ${next - 1}`)
            next = Math.max(next ?? 0, status.seq + 1)
            const before = known.get(status.seq)
            if (before) expect(status).toEqual(before)
            known.set(status.seq, status)
            if (status.seq === last + 1) last = status.seq
          },
        },
        await statuses.newest(maker),
      )
      resumed = false
      expect(joined.resume({ seq: last })).toBe(true)
      expect(joined.resume({ seq: 0 })).toBe(false)
      connection = {
        leave() {
          open = false
          joined.leave()
        },
      }
    },
    disconnect() {
      connection?.leave()
      connection = null
    },
  }
}

async function runHistory(seed: number, met: Met<Case>): Promise<void> {
  met('histories')
  const random = createRandomInteger(seed)
  const directory = mkdtempSync(join(tmpdir(), 'firmquote-statuses-'))
  const clock = createFakeClock()
  const world = createMadeUpChain(random)
  const clients = makers.map(createClient)
  const quotes: NewQuote[] = Array.from({ length: quoteCount }, (_, index) =>
    newQuote(index + 1, {
      maker: makers[index % makers.length] as Address,
      nonce: BigInt(random(3)),
      notional: BigInt(index + 1),
      deadline: now + (random(5) === 0 ? BigInt(random(400)) : 1_000_000n),
    }),
  )
  const stored = new Set<number>()

  const start = async () => {
    const real = await createSqliteStore({ file: join(directory, 'firmquote.db'), writesHere: true })
    const store = unreliable(real, random, met)
    const bus = createInProcessBus({ onError() {} })
    const deps = { store, bus, chain: world.chain, clock, random: randomBytes, log: silent }
    const statuses = createQuoteStatuses(deps)
    const finality = createFinality(deps)
    const sync = createSync(
      {
        ...deps,
        domain: testDomain,
        interestRatePool: makerOf(901),
        sync: { deployBlock: 0, intervalMs: 1, headDegradedSeconds: 1e9, headStaleSeconds: 1e9 },
      },
      { written: statuses.tellEverywhere, cycled: () => void statuses.tell() },
    )
    return { real, store, statuses, finality, sync }
  }
  let service = await start()
  const stop = async () => {
    for (const client of clients) client.disconnect()
    await service.sync.stop()
    service.finality.stop()
    await turn()
    await service.real.close()
  }
  const cycle = async () => {
    await service.sync.cycle().catch(() => met('failed cycles'))
    await service.statuses.tell()
  }
  const insert = async (index: number) => {
    const quote = quotes[index]
    if (!quote || stored.has(index)) return
    stored.add(index)
    if (world.truthOf(quote).status !== 'active') met('came after their end')
    if (index % 2 === 0) await service.real.insertQuote(quote)
    else
      await service.real.acceptQuote({ ...newAuctionQuote(1, auctions[index] ?? rfqId), ...quote }, Number(now) * 1_000)
  }
  const auctions = quotes.map((_, index) => rfqIdOf(index))
  for (const [index, id] of auctions.entries()) if (index % 2) await service.real.openAuction(newAuction(id))

  const call = (): MadeUpCall => {
    const quote = quotes[random(quoteCount)] as NewQuote
    const kind = random(12)
    if (kind === 0) return { do: 'raiseNonce', maker: quote.quote.maker }
    return { do: kind < 4 ? 'cancel' : 'take', hash: quote.hash, quote: quote.quote }
  }

  // One that is deeper than what is remembered is in every history.
  const deepAt = steps / 2 + random(steps / 4)
  for (let step = 0; step < steps; step += 1) {
    clock.advance(4_000)
    for (let left = random(3); left > 0; left -= 1) await insert(random(quoteCount))
    switch (step === deepAt ? 0 : random(14)) {
      case 0: {
        const depth = step === deepAt ? 64 + random(3) : 1 + (random(3) === 0 ? 60 + random(6) : random(12))
        world.reorganise(depth)
        met(depth > 63 ? 'deep reorganisations' : 'reorganisations')
        break
      }
      case 1:
        await stop()
        service = await start()
        met('restarts')
        break
      case 2:
        world.fail(random(2) === 0)
        break
      case 3:
        world.lag(random(2) === 0 ? random(20) : 0)
        break
      case 4:
        await service.finality.check()
        break
      default:
        for (let blocks = 1 + random(4); blocks > 0; blocks -= 1) {
          world.mine(Array.from({ length: random(4) }, () => Array.from({ length: 1 + random(3) }, call)))
        }
    }
    for (const client of clients) {
      if (random(8) > 0) continue
      if (client.isConnected()) client.disconnect()
      else await client.connect(service.statuses, random)
    }
    if (random(3) > 0) await cycle()
    if (random(6) === 0) await turn()
  }

  // Everything is well again, and all clients are there.
  world.fail(false)
  world.lag(0)
  world.mine()
  for (let left = 60; left > 0; left -= 1) {
    await cycle()
    clock.advance(10_000)
    await service.finality.check()
    await service.statuses.tell()
  }
  expect(service.sync.status().synced?.number).toBe(BigInt(world.height()))
  for (const client of clients) if (!client.isConnected()) await client.connect(service.statuses, random)

  const finalized = world.finalizedHeight()
  for (const client of clients) {
    const page = await service.real.listStatuses(client.maker, { after: 0, limit: 100_000 })
    for (let turns = 0; turns < 10_000 && !client.isUpToDate(page.newest); turns += 1) await turn()
    // Every number once, what was sent is what is kept, and it folds to what the chain says.
    expect(page.statuses.map(({ seq }) => seq)).toEqual(Array.from({ length: page.newest }, (_, index) => index + 1))
    const folded = new Map<string, ToldStatus>()
    for (const status of page.statuses) {
      const sent = client.known.get(status.seq)
      expect(sent && { ...sent, seq: status.seq, hash: status.hash }).toMatchObject({
        status: status.status,
        final: status.final,
        block: status.block,
      })
      folded.set(status.hash, status)
      met(status.final ? 'final' : status.status)
    }
    for (const [index, quote] of quotes.entries()) {
      if (quote.quote.maker !== client.maker) continue
      const told = folded.get(quote.hash)
      if (!stored.has(index)) {
        expect(told).toBeUndefined()
        continue
      }
      const truth = world.truthOf(quote)
      const found = await service.real.findQuote(quote.hash)
      expect([seed, quote.hash, found?.status]).toEqual([seed, quote.hash, truth.status])
      // What time has ended need not be told.
      const isOver = quote.quote.deadline < now + 2n * BigInt(world.height())
      if (isOver && truth.status === 'nonce_raised' && (told === undefined || told.status === 'active')) continue
      if (truth.status === 'active') {
        expect([seed, quote.hash, told?.status ?? 'active']).toEqual([seed, quote.hash, 'active'])
        continue
      }
      expect({ seed, ...told }).toMatchObject({ seed, ...truth })
      expect([seed, told?.final]).toEqual([seed, (told?.block ?? 0) <= finalized])
      if (truth.status !== 'filled') continue
      const { notional, vrtAmount: cost } = quote.quote
      expect(told).toMatchObject({ taker: madeUpTaker, notional, cost })
    }
  }
  await stop()
  rmSync(directory, { recursive: true, force: true })
}

function rfqIdOf(index: number) {
  return toRfqId(index.toString(16).padStart(32, '0'))
}

test('behavior: random histories end with what the chain says, whatever was told in between', async () => {
  const seed = drawSeed()
  process.stderr.write(`statuses with SEED=${seed}\n`)
  await playUntilMet(least, runHistory, { seed, most: 6 })
}, 120_000)
