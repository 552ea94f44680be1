import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { maxUint256 } from 'viem'
import { devnet, useTestDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../../test/chainDriver.ts'
import { devnetDeps, type RealService, signedQuote, startRealService } from '../../../test/realService.ts'
import { type RpcProxy, startRpcProxy } from '../../../test/rpcProxy.ts'
import { createRpcClient } from '../../adapters/viemChain/viemChain.ts'
import { createCheckpointWatch } from './checkpointWatch.ts'

let service: RealService
/** The node of the tested watch. The service's own watch uses another one. */
let node: RpcProxy
let logs: { facts: Record<string, unknown>; message: string }[]

useTestDevnet()
beforeEach(async () => {
  service = await startRealService(devnet)
  node = await startRpcProxy(devnet.rpcUrl)
  logs = []
})
afterEach(async () => {
  await service.close()
  await node.close()
})

/** Creates a watch that uses the service's store and node. */
function createWatch() {
  const { clock, store } = service
  const client = createRpcClient({ rpcUrl: node.url, timeoutMs: 10_000 })
  const { chain } = devnetDeps(devnet, { clock, client, auctionDurationMs: 15_000, version: '1.2.3' })
  const write = (facts: Record<string, unknown>, message: string) => void logs.push({ facts, message })
  const log = { debug: write, info: write, warn: write, error: write }
  let leads = true
  const watch = createCheckpointWatch({ chain, clock, store, log }, { status: service.sync.status, leads: () => leads })
  return {
    ...watch,
    lose: () => {
      leads = false
    },
    /** Reads again, after the interval. */
    async pass() {
      await service.sync.cycle()
      clock.advance(60_000)
      await watch.advance()
      return watch.overdueSeconds()
    },
  }
}

const nearest = () => devnet.pools[0].series[0] ?? { seriesKey: '0x' as const, expiry: 0 }
const take = async () => {
  const changes = { seriesKey: nearest().seriesKey, notional: 1_000_000n, deadline: maxUint256 }
  await createChainDriver(devnet).take(devnet.borrowers[0], await signedQuote(devnet, devnet.backers[0], changes))
}
/** Sets the time of the chain and of the clock. */
async function travelTo(timestamp: number) {
  service.clock.jump(timestamp * 1_000 - service.clock.now())
  await devnet.testClient.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
  await devnet.testClient.mine({ blocks: 1 })
}
const reported = () => logs.filter(({ message }) => message === 'an expired series awaits its checkpoint')

test('default: the time since the expiry of a series with a position, until its checkpoint', async () => {
  await take()
  const watch = createWatch()
  expect(watch.overdueSeconds()).toBeNull()
  const { seriesKey, expiry } = nearest()
  await travelTo(expiry - 1)
  expect(await watch.pass()).toBe(0)
  await travelTo(expiry)
  expect(await watch.pass()).toBe(60)
  service.clock.advance(3_541_000)
  expect(watch.overdueSeconds()).toBe(3_601)
  await watch.pass()
  expect(reported().map(({ facts }) => facts)).toEqual([{ seriesKey, expiry }])
  await createChainDriver(devnet).settle(1n)
  expect(await watch.pass()).toBe(0)
})

test('behavior: an expired series without positions needs no checkpoint', async () => {
  await travelTo(nearest().expiry + 1)
  node.calls.length = 0
  expect(await createWatch().pass()).toBe(0)
  expect(node.calls.filter(({ method }) => method === 'eth_call')).toEqual([])
})

test('behavior: a checkpoint is read once a minute while it is missing, and not again', async () => {
  await take()
  await travelTo(nearest().expiry)
  const watch = createWatch()
  await service.sync.cycle()
  const callsOf = async (read: () => Promise<unknown>) => {
    node.calls.length = 0
    await read()
    return node.calls.filter(({ method }) => method === 'eth_call').length
  }
  expect(await callsOf(watch.advance)).toBe(1)
  service.clock.advance(59_999)
  expect(await callsOf(watch.advance)).toBe(0)
  service.clock.advance(1)
  expect(await callsOf(watch.advance)).toBe(1)
  await createChainDriver(devnet).settle(1n)
  await watch.pass()
  service.clock.advance(60_000)
  expect(await callsOf(watch.advance)).toBe(0)
  // The checkpoint's block may have been undone.
  watch.restart()
  service.clock.advance(60_000)
  expect(await callsOf(watch.advance)).toBe(1)
})

test('error: a failed read keeps the last value, and is logged once', async () => {
  await take()
  const watch = createWatch()
  await travelTo(nearest().expiry)
  expect(await watch.pass()).toBe(60)
  node.interfere = ({ method }) => (method === 'eth_call' ? { status: 502 } : undefined)
  service.clock.advance(60_000)
  await watch.advance()
  service.clock.advance(60_000)
  await watch.advance()
  expect(watch.overdueSeconds()).toBe(180)
  const failures = logs.filter(({ message }) => message.startsWith('failed to read the checkpoints'))
  expect(failures).toHaveLength(1)
})

test('behavior: an instance that no longer follows the chain reports nothing', async () => {
  const watch = createWatch()
  expect(await watch.pass()).toBe(0)
  watch.lose()
  expect(await watch.pass()).toBeNull()
})
