import { afterEach, expect, test } from '@jest/globals'
import { type HostileFixture, networkAddress, printHonest, startHostileFixture } from './hostileFixture.ts'

// Nobody attacks: what the honest users get otherwise, to compare with.

let fixture: HostileFixture | undefined
afterEach(() => fixture?.stop(), 30_000)

test('default: undisturbed, every auction of the honest borrower starts, is quoted and ends', async () => {
  fixture = await startHostileFixture()
  const honest = await fixture.startHonest()
  await honest.quoted(2)
  const figures = await honest.finish()
  printHonest('undisturbed', figures)

  expect(figures.auctions.map(({ quotes, error }) => ({ quotes, error }))).toEqual(
    figures.auctions.map(() => ({ quotes: 1, error: null })),
  )
  for (const { startedMs, quotedMs, doneMs } of figures.auctions) {
    expect(startedMs).toBeLessThan(2_000 + figures.slowestBareMs)
    expect(quotedMs).toBeLessThan(4_000 + figures.slowestBareMs)
    expect(doneMs).toBeGreaterThan(14_000)
  }
  expect(figures.livezMs.length).toBeGreaterThan(50)
  expect(figures.p99.livezMs).toBeLessThan(1_000 + figures.slowestBareMs)
  expect(fixture.servers.rss()).toBeGreaterThan(32 * 2 ** 20)
}, 90_000)

test('default: each address of a fixture is another network of this machine', () => {
  const addresses = Array.from({ length: 600 }, (_, index) => networkAddress(index))
  expect(new Set(addresses).size).toBe(600)
  for (const address of addresses) expect(address).toMatch(/^127\.[1-3]\.\d{1,3}\.1$/)
})
