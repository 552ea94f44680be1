import { morphoAbi } from '@firmquote/devnet'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Abi, Hex } from 'viem'
import { devnet, useDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../../test/chainDriver.ts'
import { type RpcProxy, startRpcProxy } from '../../../test/rpcProxy.ts'
import type { Chain, Pool } from '../../ports/chain.ts'
import { createRpcClient, createViemChain } from './viemChain.ts'

let node: RpcProxy
let chain: Chain

useDevnet()
beforeEach(async () => {
  node = await startRpcProxy(devnet.rpcUrl)
  const { quoteMarket, interestRatePool } = devnet.contracts
  chain = createViemChain({
    client: createRpcClient({ rpcUrl: node.url, timeoutMs: 1_000 }),
    quoteMarket,
    interestRatePool,
  })
})
afterEach(() => node.close())

const pools = (): Pool[] =>
  devnet.pools.map(({ poolId, market }) => ({
    poolId,
    market,
    loanToken: devnet.contracts.loanToken,
    adapter: devnet.contracts.morphoAdapter,
  }))

/** Returns the collateral symbol of each pool's market. */
async function collaterals(of = pools()): Promise<(string | null)[]> {
  const { markets } = await chain.readMarkets({ pools: of, terms: true })
  return markets.map(({ collateral }) => collateral?.symbol ?? null)
}

const callCount = () => node.calls.filter(({ method }) => method === 'eth_call').length

/** The selector of `idToMarketParams`, which may appear anywhere in a request. */
const paramsSelector = '2c3c9157'

describe("the terms of a pool's market", () => {
  test('default: is read once and cached', async () => {
    const { markets } = await chain.readMarkets({ pools: pools(), terms: true })
    expect(markets.map(({ collateral }) => collateral)).toEqual([
      { address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/), symbol: 'tWETH', decimals: 18 },
      { address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/), symbol: 'tBTC', decimals: 8 },
    ])
    const first = callCount()
    expect(await collaterals()).toEqual(['tWETH', 'tBTC'])
    expect([first, callCount()]).toEqual([5, 6])
  })

  test('behavior: the utilization is that of the block, and a later read needs no request of its own', async () => {
    const utilizations = async () =>
      (await chain.readMarkets({ pools: pools(), terms: true })).markets.map(({ utilization }) => utilization)
    const first = await utilizations()
    expect(first).toEqual([expect.closeTo(75, 0), expect.closeTo(60, 0)])
    const [{ market }] = devnet.pools
    const morpho = { address: devnet.contracts.morpho, abi: morphoAbi } as const
    const call = { ...morpho, functionName: 'idToMarketParams', args: [market] } as const
    const [loanToken, collateralToken, oracle, irm, lltv] = await devnet.publicClient.readContract(call)
    const params = { loanToken, collateralToken, oracle, irm, lltv }
    const [supplied, , borrowed] = await devnet.publicClient.readContract({
      ...morpho,
      functionName: 'market',
      args: [market],
    })
    const borrower = devnet.borrowers[0]
    const driver = createChainDriver(devnet)
    const amount = 1_000_000_000n
    await driver.call(borrower, morpho.address, morpho.abi as Abi, 'borrow', [
      params,
      amount,
      0n,
      borrower.address,
      borrower.address,
    ])
    const share = Number(((borrowed + amount) * 1_000_000n) / supplied) / 10_000
    const before = callCount()
    expect((await utilizations())[0]).toBeCloseTo(share, 2)
    expect((await utilizations())[0]).toBeGreaterThan(first[0] ?? 100)
    expect(callCount() - before).toBe(2)
  })

  test.each<[string, Hex]>([
    // Returns 1 for every call that has arguments, and rejects all others.
    ['rejects the call', '0x36600410600b57600080fd5b600160005260206000f3'],
    // A fake Morpho contract that returns 1 for every call.
    ['returns an invalid market', '0x600160005260206000f3'],
  ])('behavior: null for an adapter that %s, and the other pools have theirs', async (_what, bytecode) => {
    const adapter = '0x00000000000000000000000000000000000ada97'
    await devnet.testClient.setCode({ address: adapter, bytecode })
    const [one, two] = pools()
    if (!one || !two) throw new Error('The devnet has two pools.')
    expect(await collaterals([{ ...one, adapter }, two])).toEqual([null, 'tBTC'])
  })

  test("behavior: null for a pool whose loan token differs from the market's", async () => {
    const [one] = pools()
    if (!one) throw new Error('The devnet has two pools.')
    const [{ market }] = devnet.pools
    const { markets } = await chain.readMarkets({ pools: [one], terms: true })
    const loanToken = markets[0]?.collateral?.address
    if (!loanToken) throw new Error('The market has no collateral.')
    expect(await collaterals([{ ...one, poolId: market, loanToken }])).toEqual([null])
  })

  test('error: if the node fails partway, the name is missing once, but not the pool', async () => {
    node.interfere = ({ params }) => (JSON.stringify(params).includes(paramsSelector) ? { status: 503 } : undefined)
    expect(await collaterals()).toEqual([null, null])
    node.interfere = () => undefined
    expect(await collaterals()).toEqual(['tWETH', 'tBTC'])
  })
})
