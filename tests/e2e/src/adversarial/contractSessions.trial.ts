// An attacker's 140 contracts hold 420 sessions whose checks cost the server's node as much as possible. Each attack
// requires one transaction using 5.4 million gas, 42 networks, and no tokens. The honest users are a maker with a key,
// and a contract maker whose ten published quotes and auction quotes are checked by the same node.
//
// When the server checked every session at every block, within the limit for quotes, 11 of 12 lists were unreadable.

import { setTimeout as sleep } from 'node:timers/promises'
import { serializeSignedQuote } from '@firmquote/core'
import { ServiceClient } from '@firmquote/sdk'
import { until } from '@firmquote/test-support/until'
import { afterEach, expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ContractMaker, deployContractMaker } from '../../../../apps/server/test/contractMakers.ts'
import { type RpcCall, type RpcProxy, startRpcProxy } from '../../../../apps/server/test/rpcProxy.ts'
import { quantile } from '../quantile.ts'
import { sendRaw } from '../rawRequests.ts'
import { stopAfter } from '../stopAfter.ts'
import { type AdversarialFixture, networkAddress, printHonest, startAdversarialFixture } from './adversarialFixture.ts'
import { acceptors, deployCopies } from './hostileContracts.ts'
import { connectRawBacker, type RawBacker, socketUrlOf } from './rawBacker.ts'

const contracts = 140
/** The server's default limit on connections per maker. */
const sessionsEach = 3
const networks = 42
const mostConnecting = 32
const quotesOfMaker = 10
const listsEach = 20

type Attack = {
  contract: keyof typeof acceptors
  /** Milliseconds that the node waits before each call to a contract. */
  nodeDelayMs?: number
  /** Whether sessions are ended as soon as they are authenticated, then reopened. */
  reconnects?: boolean
}

const attacks: Record<string, Attack> = {
  'burn nearly all gas': { contract: 'burnsGas' },
  'burn all gas, in odd blocks only': { contract: 'burnsInOddBlocks' },
  'return 467 kB': { contract: 'returnsHugeData' },
  'ordinary, on a node that takes 100 ms longer': { contract: 'ordinary', nodeDelayMs: 100 },
  'burn gas in one authentication after another': { contract: 'burnsGas', reconnects: true },
}

const started = stopAfter(afterEach)

test("behavior: a contract maker's quotes stay readable while 420 sessions of contracts are checked", async () => {
  let node: RpcProxy | undefined
  const settings = { AUCTION_DURATION_MS: '1500', RFQS_PER_MINUTE: '1000' }
  const nodeFor = async (rpcUrl: string) => {
    node = await startRpcProxy(rpcUrl)
    return node.url
  }
  const fixture = started(await startAdversarialFixture(settings, { nodeFor }))
  if (!node) throw new TypeError('The proxy did not start.')
  const { devnet, urlOf } = fixture
  started({ stop: node.close })
  const maker = await deployContractMaker(devnet, devnet.backers[2])
  for (let count = 0; count < quotesOfMaker; count += 1) {
    const body = serializeSignedQuote(await maker.quote())
    expect((await sendRaw(`${urlOf(0)}/api/v1/quotes`, { body })).status).toBe(201)
  }
  const verdicts = await answerAuctions(fixture, maker)
  const users = await fixture.startHonest({ everyMs: 1_000 })

  for (const [name, { contract, nodeDelayMs = 0, reconnects = false }] of Object.entries(attacks)) {
    const attackers = await deployCopies(devnet, devnet.backers[1], { runtime: acceptors[contract], count: contracts })
    const isAttackers = new Set(attackers.addresses.map((address) => address.toLowerCase()))
    const sessions = started(openSessions(fixture, attackers.addresses, reconnects))
    await sessions.opened(contracts * sessionsEach)
    let checks = 0
    node.calls.length = 0
    node.interfere = async ({ params }: RpcCall) => {
      const [call] = (params ?? []) as [{ to?: string; gas?: Hex }?]
      if (call?.gas === undefined) return undefined
      if (isAttackers.has(String(call.to).toLowerCase())) checks += 1
      if (nodeDelayMs > 0) await sleep(nodeDelayMs)
      return undefined
    }
    const ms: number[] = []
    let unreadable = 0
    const before = verdicts.length
    for (let turn = 0; turn < listsEach || verdicts.length < before + 2 || checks === 0; turn += 1) {
      await devnet.testClient.mine({ blocks: 1 })
      const startedAt = performance.now()
      const client = new ServiceClient({ orderbookUrl: urlOf(turn) })
      const { quotes } = await client.getQuoteMarketQuotes({ maker: maker.address })
      ms.push(performance.now() - startedAt)
      expect(quotes).toHaveLength(quotesOfMaker)
      if (quotes.some(({ reason }) => reason === 'CHAIN_UNAVAILABLE')) unreadable += 1
    }
    const accepted = verdicts.slice(before).filter((verdict) => verdict === 'accepted').length
    process.stdout.write(
      `contract sessions, ${name}: ${sessions.count()} sessions for ${attackers.gas} gas, ${checks} checks; ${unreadable} of ` +
        `${ms.length} honest lists unreadable, p99 ${Math.round(quantile(ms, 0.99))} ms; ${accepted} of ` +
        `${verdicts.length - before} quotes in auctions accepted\n`,
    )
    await sessions.stop()
    // Contract checks for a list must finish in 400 ms, so a slow machine may miss a few.
    expect(unreadable).toBeLessThanOrEqual(ms.length / 4)
    expect(accepted).toBeGreaterThan(0)
  }
  const figures = await users.finish()
  printHonest('contract sessions', figures)
  expect(figures.auctions.every(({ quotes, error }) => quotes > 0 && error === null)).toBe(true)
}, 180_000)

/** Answers all RFQs as a contract maker. Returns the verdicts so far, as codes or `accepted`. */
async function answerAuctions({ url }: AdversarialFixture, maker: ContractMaker): Promise<string[]> {
  const owner = privateKeyToAccount(maker.owner.privateKey)
  const client = new ServiceClient({ orderbookUrl: url })
  client.getSigner().setContract(maker.address, (digest) => owner.sign({ hash: digest }))
  const verdicts: string[] = []
  const socket = await client.connectWebSocket({
    async onRFQ({ rfqId, poolId, seriesKey, notional }) {
      const quote = await maker.quote({ poolId, seriesKey, notional, vrtAmount: notional / 100n })
      const ack = await socket.submitSerializedQuote(rfqId, serializeSignedQuote(quote))
      verdicts.push(ack.status === 'accepted' ? ack.status : ack.code)
    },
  })
  started({ stop: () => client.disconnectWebSocket() })
  return verdicts
}

/** Keeps the contracts' sessions open, reopening closed ones. */
function openSessions({ servers }: AdversarialFixture, makers: readonly Address[], reconnects: boolean) {
  const socketUrls = servers.urls.map(socketUrlOf)
  const open = new Set<RawBacker>()
  const queue = makers.flatMap((contract) => Array.from({ length: sessionsEach }, () => contract))
  let [connections, authenticated] = [0, 0]
  let attacking = true
  const connect = async () => {
    while (attacking) {
      const contract = queue.pop()
      if (!contract) {
        await sleep(50)
        continue
      }
      connections += 1
      const url = socketUrls[connections % socketUrls.length] ?? ''
      const backer = connectRawBacker(url, { localAddress: networkAddress(2 + (connections % networks)), contract })
      open.add(backer)
      void backer.ended.then(() => {
        open.delete(backer)
        queue.push(contract)
      })
      if ((await backer.authenticated) !== null) authenticated += 1
      if (reconnects) backer.end()
    }
  }
  const connecting = Promise.all(Array.from({ length: mostConnecting }, connect))
  return {
    /** Resolves once `count` connections have been authenticated. */
    opened: (count: number) => until(() => authenticated >= count),
    count: () => open.size,
    async stop() {
      attacking = false
      for (const backer of open) backer.end()
      await connecting
    },
  }
}
