import { randomBytes } from 'node:crypto'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { expect, test } from '@jest/globals'
import { createMadeUpChain } from '../../../test/madeUpChain.ts'
import { testDomain } from '../../../test/scriptedService.ts'
import { maker, makerOf, newQuote } from '../../../test/storedQuotes.ts'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import type { Chain } from '../../ports/chain.ts'
import { createFinality } from './finality.ts'
import { createSync } from './sync.ts'

/** Sets up a quote cancelled in a block that is synced but not yet final. */
async function start() {
  const store = await createSqliteStore({ file: ':memory:' })
  const clock = createFakeClock()
  const world = createMadeUpChain(() => 0)
  const warnings: string[] = []
  const log = { debug() {}, info() {}, warn: (_: object, message: string) => void warnings.push(message), error() {} }
  let asked = 0
  const chain: Chain = {
    ...world.chain,
    readFinalized() {
      asked += 1
      return world.chain.readFinalized()
    },
  }
  const deps = { store, chain, clock, random: randomBytes, log }
  const finality = createFinality(deps)
  const sync = createSync({
    ...deps,
    domain: testDomain,
    interestRatePool: makerOf(901),
    sync: { deployBlock: 0, intervalMs: 1, headDegradedSeconds: 1e9, headStaleSeconds: 1e9 },
  })
  const { hash, quote } = newQuote(1)
  await store.insertQuote(newQuote(1))
  world.mine([[{ do: 'cancel', hash, quote }]])
  await sync.cycle()
  const finals = async () => {
    const { statuses } = await store.listStatuses(maker, { after: 0, limit: 9 })
    return statuses.map(({ final }) => final)
  }
  const mine = (count: number) => {
    for (let left = count; left > 0; left -= 1) world.mine()
  }
  return { store, clock, world, finality, sync, warnings, finals, mine, asked: () => asked }
}

test('default: an update becomes final once the finalized block reaches it; the node is then not asked again', async () => {
  const { store, clock, finality, sync, finals, mine, asked } = await start()
  mine(69)
  await sync.cycle()
  await finality.check()
  expect([await finals(), asked()]).toEqual([[false], 1])
  mine(1)
  await sync.cycle()
  clock.advance(9_999)
  await finality.check()
  expect([await finals(), asked()]).toEqual([[false], 1])
  clock.advance(1)
  await finality.check()
  expect([await finals(), asked()]).toEqual([[false, true], 2])
  clock.advance(60_000)
  await finality.check()
  expect([await finals(), asked()]).toEqual([[false, true], 2])
  await store.close()
})

test('behavior: a node on another branch finalizes no update', async () => {
  const { store, world, finality, finals, mine } = await start()
  world.reorganise(1)
  mine(80)
  await finality.check()
  expect(await finals()).toEqual([false])
  await store.close()
})

test('error: if the node does not respond, the update stays open and one failure is logged', async () => {
  const { store, clock, world, finality, finals, mine, warnings } = await start()
  mine(80)
  world.fail(true)
  for (let left = 3; left > 0; left -= 1) {
    await finality.check()
    clock.advance(10_000)
  }
  expect([await finals(), warnings]).toEqual([[false], ['failed to read the finalized block']])
  world.fail(false)
  await finality.check()
  expect(await finals()).toEqual([false, true])
  await store.close()
})

test('behavior: it logs nothing after the stop', async () => {
  const { store, world, finality, warnings } = await start()
  finality.stop()
  world.fail(true)
  await finality.check()
  expect(warnings).toEqual([])
  await store.close()
})
