// Attackers open auctions as borrowers and keep the connections open or drop them. The attack requires 400 networks
// with one or two connections each, about 300 requests per second, and ten accounts that each owe 1 tUSD and prove it.

import type { ClientRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { proveTaker, ServiceClient } from '@firmquote/sdk'
import { afterEach, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { stopAfter } from '../stopAfter.ts'
import {
  expectHonestServed,
  holdsWithin,
  networkAddress,
  printHonest,
  startAdversarialFixture,
} from './adversarialFixture.ts'
import { openFrom } from './openFrom.ts'
import { createAccount, owe } from './owe.ts'

const networks = 400
const usd = 1_000_000n

const started = stopAfter(afterEach)

test('behavior: a verified borrower can always open an auction, and its backer keeps quoting', async () => {
  const fixture = started(await startAdversarialFixture())
  const { devnet, url, urlOf, series, servers } = fixture
  const proofOf = (privateKey: `0x${string}`) =>
    proveTaker(new ServiceClient({ orderbookUrl: url }), { account: privateKeyToAccount(privateKey) })
  const small: object[] = []
  for (let count = 0; count < 10; count += 1) {
    const account = await createAccount(devnet.testClient)
    await owe(devnet, account, usd)
    small.push(await proofOf(account.privateKey))
  }

  const codes = new Map<string, number>()
  const open = new Set<ClientRequest>()
  let attacking = true
  const stopAttack = () => {
    attacking = false
    for (const sent of open) sent.destroy()
  }
  started({ stop: stopAttack })
  const attack = async (index: number, terms: object, holds: boolean) => {
    const body = JSON.stringify({ ...series, notional: '5000000000000', ...terms })
    for (let turn = index; attacking; turn += 1) {
      const code = await openFrom(urlOf(turn), networkAddress(index), body, open, holds)
      codes.set(code, (codes.get(code) ?? 0) + 1)
      await sleep(1_000)
    }
  }
  const attackers = Array.from({ length: networks }, (_, index) => attack(index, {}, index % 2 === 0))
  for (const [index, proof] of small.entries()) {
    attackers.push(attack(index, { ...proof, notional: '250000' }, index % 2 === 0))
  }
  await sleep(3_000)

  const honest = await fixture.startHonest({ everyMs: 5_000, request: await proofOf(devnet.borrowers[0].privateKey) })
  await honest.quoted(4)
  // The attack uses up all capacity that is not reserved for verified takers. A slot may be free for a moment.
  const request = JSON.stringify({ ...series, notional: '10000000000' })
  const refusesAnybody = async () => (await openFrom(url, '127.9.9.9', request, open, false)) === 'OVERLOADED'
  expect(await holdsWithin(10_000, refusesAnybody)).toBe(true)
  // No backer was disconnected while quoting.
  expect(servers.logs()).not.toContain('"closeCode"')
  stopAttack()
  const figures = await honest.finish()
  printHonest(`open and drop, ${JSON.stringify(Object.fromEntries(codes))}`, figures)

  expectHonestServed(figures)
  expect(codes.get('OVERLOADED')).toBeGreaterThan(500)
  expect(codes.get('opened')).toBeGreaterThan(100)
  await Promise.all(attackers)
}, 120_000)
