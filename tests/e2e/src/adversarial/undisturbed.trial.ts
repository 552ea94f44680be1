import { afterEach, expect, test } from '@jest/globals'
import { quantile } from '../quantile.ts'
import { stopAfter } from '../stopAfter.ts'
import { expectHonestServed, printHonest, startAdversarialFixture } from './adversarialFixture.ts'

// Measures the honest users without an attack, for comparison.

const started = stopAfter(afterEach)

test('default: without an attack, every honest auction starts, receives quotes and ends', async () => {
  const fixture = started(await startAdversarialFixture())
  const honest = await fixture.startHonest()
  await honest.quoted(2)
  const figures = await honest.finish()
  printHonest('undisturbed', figures)

  expectHonestServed(figures)
  for (const { startedMs, quotedMs, doneMs } of figures.auctions) {
    expect(startedMs).toBeLessThan(2_000 + figures.slowestBareMs)
    expect(quotedMs).toBeLessThan(4_000 + figures.slowestBareMs)
    expect(doneMs).toBeGreaterThan(14_000)
  }
  expect(figures.livezMs.length).toBeGreaterThan(50)
  expect(quantile(figures.livezMs, 0.99)).toBeLessThan(1_000 + figures.slowestBareMs)
  expect(fixture.servers.rss()).toBeGreaterThan(32 * 2 ** 20)
}, 90_000)
