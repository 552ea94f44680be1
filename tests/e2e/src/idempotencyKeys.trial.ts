import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { rounds, seed, serverCount } from '@firmquote/test-support/trial'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type CrashBackers, connectCrashBackers } from './crashBackers.ts'
import { type CrashFixture, seriesOf, startCrashFixture } from './crashFixture.ts'
import { type RawAnswer, refusalOf, sendRaw, startedRfqId } from './rawRequests.ts'
import { draw } from './rounds.ts'
import { stopAfter } from './stopAfter.ts'

// Tests the guarantees of `Idempotency-Key` on a real server that is killed between requests. The same key and request
// always yield the same auction, whether sent concurrently, sequentially, or to the next process. A key alone gives
// access to an auction, so a guessed key must open a different auction, and a known key with a different request must
// return nothing.

const pairs = 1_000
const kills = Math.max(1, Math.ceil(rounds / 5))
// Auctions last longer than a test, so that all auctions opened during a test are open at its end.
const auctionMs = 60_000

let fixture: CrashFixture
let backers: CrashBackers
const started = stopAfter(afterEach)
beforeEach(async () => {
  const settings = { AUCTION_DURATION_MS: String(auctionMs), LOG_LEVEL: 'warn' }
  fixture = started(await startCrashFixture({ makers: 1, settings }))
  await fixture.start()
  backers = started(await connectCrashBackers(fixture))
}, 60_000)

/** Creates a unique key, reproducible from the seed. */
const keyOf = (round: number, index: number) =>
  createHash('sha256').update(`${seed}|${round}|${index}`).digest('base64url').slice(0, 32)

const request = (key: string, notional = '1000000000'): Promise<RawAnswer> =>
  sendRaw(`${fixture.url}/api/v1/rfq/quote/stream`, {
    body: { ...seriesOf(fixture), notional },
    headers: { 'idempotency-key': key },
  })

const idsOf = (answers: readonly RawAnswer[]) =>
  answers.map((answer) => startedRfqId(answer) ?? `${answer.status} ${refusalOf(answer)}`)

/** Waits until the backer has received `count` auctions, and checks that no others are open. */
async function expectOpenAuctions(count: number): Promise<void> {
  // In a cluster, the proxy cycles through the instances.
  const counts = async () => {
    const seen = [backers.seen.size]
    for (let asked = 0; asked < 2 * serverCount; asked += 1) {
      const health = await sendRaw(`${fixture.url}/api/v1/health`)
      seen.push(health.status === 200 && JSON.parse(health.text).auctions.open)
    }
    return [...new Set(seen)]
  }
  // An instance in a cluster takes about a second to count the other instances' auctions. A single server's count is
  // updated immediately.
  const isThere = async () =>
    backers.seen.size >= count && (serverCount === 1 || (await counts()).every((seen) => seen >= count))
  const until = Date.now() + 10_000
  while (!(await isThere()) && Date.now() < until) await sleep(20)
  await sleep(200)
  expect(await counts()).toEqual([count])
}

test(`behavior: ${pairs} pairs of identical requests open ${pairs} auctions, concurrently and across a restart`, async () => {
  const ids = new Set<string>()
  // The two requests of each pair are sent concurrently.
  const keys = Array.from({ length: pairs }, (_, index) => keyOf(0, index))
  const [first, second] = await Promise.all([
    Promise.all(keys.map((key) => request(key))),
    Promise.all(keys.map((key) => request(key))),
  ])
  expect(idsOf(second)).toEqual(idsOf(first))
  for (const id of idsOf(first)) ids.add(id)
  expect(ids.size).toBe(pairs)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
  await expectOpenAuctions(pairs)

  // The next process still recognizes all keys.
  await fixture.kill()
  await fixture.start()
  const again = await Promise.all(keys.map((key) => request(key)))
  expect(idsOf(again)).toEqual(idsOf(first))
  await expectOpenAuctions(pairs)
}, 120_000)

test(
  'behavior: requests interrupted by a kill return the same auctions when repeated',
  async () => {
    let cutOff = 0
    let known = 0
    let total = 0
    // A kill after the last answer interrupts nothing. If, in every round, the process is killed only after the last
    // answer, more rounds are run.
    for (let round = 1; round <= kills || (cutOff === 0 && round <= kills + 8); round += 1) {
      const answeredBefore = draw(fc.integer({ min: 1, max: pairs - 1 }), seed + round)
      const keys = Array.from({ length: pairs }, (_, index) => keyOf(round, index))
      let answered = 0
      const { promise, resolve: kill } = createDeferred()
      const killed = promise.then(() => fixture.kill())
      const first = await Promise.all(
        keys.map(async (key) => {
          const answer = await request(key)
          if (answer.status === 200) answered += 1
          if (answered >= answeredBefore) kill()
          return answer
        }),
      )
      await killed
      await fixture.start()
      const [second, third] = await Promise.all([
        Promise.all(keys.map((key) => request(key))),
        Promise.all(keys.map((key) => request(key))),
      ])
      expect(idsOf(third)).toEqual(idsOf(second))
      for (const [index, answer] of first.entries()) {
        const id = startedRfqId(answer)
        if (id === null) cutOff += 1
        else {
          known += 1
          expect(idsOf(second)[index]).toBe(id)
        }
      }
      total += pairs
      expect(new Set(idsOf(second)).size).toBe(pairs)
      await expectOpenAuctions(total)
    }
    process.stdout.write(`idempotencyKeys.trial: ${known} known and ${cutOff} cut off, --seed ${seed}\n`)
    expect(cutOff).toBeGreaterThan(0)
    expect(known).toBeGreaterThan(0)
  },
  60_000 + 60_000 * kills,
)

test('error: a guessed key, or a key of a different request, does not give access to an auction', async () => {
  const key = keyOf(0, 0)
  const [mine] = idsOf([await request(key)])

  // Changing or omitting any character of a key opens a different auction, in both directions.
  const guesses = [...key].flatMap((character, place) => [
    `${key.slice(0, place)}${character === 'A' ? 'B' : 'A'}${key.slice(place + 1)}`,
    `${key.slice(0, place)}${character.toUpperCase() === character ? character.toLowerCase() : character.toUpperCase()}${key.slice(place + 1)}`,
  ])
  const others = [...new Set(guesses)].filter((guess) => guess !== key)
  const guessed = idsOf(await Promise.all(others.map((guess) => request(guess))))
  expect(new Set(guessed).size).toBe(others.length)
  expect(guessed).not.toContain(mine)

  // Requests with a different body, sent alone and concurrently with the original one.
  const reused = await Promise.all(['999000000', '1001000000', '2100000000'].map((notional) => request(key, notional)))
  for (const answer of reused) {
    expect([answer.status, refusalOf(answer)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    const shown = answer.status === null ? '' : answer.text + JSON.stringify(answer.headers)
    for (const secret of [mine ?? '', key, '"1000000000"', ...backers.seen]) expect(shown).not.toContain(secret)
  }
  const raced = await Promise.all(
    Array.from({ length: 50 }, (_, index) => request(keyOf(1, 0), `${1 + (index % 2)}500000000`)),
  )
  const opened = new Set(raced.flatMap((answer) => startedRfqId(answer) ?? []))
  expect(opened.size).toBe(1)
  expect(raced.filter((answer) => refusalOf(answer) === 'IDEMPOTENCY_KEY_REUSED')).toHaveLength(25)

  // Invalid keys are rejected.
  for (const malformed of ['', 'short', 'x'.repeat(129), `${key}!`, `${key},${key}`]) {
    const answer = await request(malformed)
    expect([malformed, answer.status, refusalOf(answer)]).toEqual([malformed, 400, 'INVALID_REQUEST'])
  }
  await expectOpenAuctions(1 + others.length + 1)

  // Keys are not stored, so the server's files must not contain them. The servers of a cluster store no files.
  if (serverCount > 1) return
  for (const file of readdirSync(fixture.dataFolder, { withFileTypes: true }).filter((one) => one.isFile())) {
    expect(readFileSync(`${fixture.dataFolder}/${file.name}`).includes(key)).toBe(false)
  }
}, 60_000)
