import { rateAdapterAbi } from '@firmquote/devnet'
import { expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import { devnet, useDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { type RpcProxy, startRpcProxy } from '../../../test/rpcProxy.ts'
import type { BlockHeader, Chain, Pool } from '../../ports/chain.ts'
import { createRpcClient, createViemChain } from './viemChain.ts'

let node: RpcProxy
let chain: Chain
let pool: Pool
let block: BlockHeader

useDevnet(async () => {
  node = await startRpcProxy(devnet.rpcUrl)
  const { quoteMarket, interestRatePool, loanToken, morphoAdapter: adapter } = devnet.contracts
  chain = createViemChain({ client: createRpcClient({ rpcUrl: node.url }), quoteMarket, interestRatePool })
  const [{ poolId, market }] = devnet.pools
  pool = { poolId, market, loanToken, adapter }
  block = await chain.readHead()
  return () => node.close()
})

test('default: debts requested together share requests of up to a hundred, and each gets its own answer', async () => {
  const accounts = [devnet.borrowers[0], devnet.backers[0], devnet.borrowers[1]].map(({ address }) => address)
  const account = devnet.borrowers[0].address
  const state = await chain.readAccount({ pools: [pool], account, series: [], block })
  const before = node.calls.length
  const many = Array.from({ length: 101 }, (_, index) => accounts[index % 3] as Address)
  const debts = await Promise.all(many.map((account) => chain.readDebt({ pool, account, block })))
  expect(node.calls.length - before).toBe(2)
  expect(debts[0]?.debt).toBe(state.debts.get(pool.poolId))
  expect(debts[0]?.debt).toBeGreaterThan(0n)
  expect(debts[1]?.debt).toBe(0n)
  expect(debts[2]?.debt).not.toBe(debts[0]?.debt)
  expect(debts[98]).toEqual(debts[2])
  expect(debts[100]).toEqual(debts[1])
  const index = await devnet.publicClient.readContract({
    ...{ address: pool.adapter, abi: rateAdapterAbi, functionName: 'index', args: [pool.market] },
    blockNumber: block.number,
  } as const)
  expect(new Set(debts.map((reading) => reading?.index))).toEqual(new Set([index]))
})

test('behavior: an adapter without an answer affects only its own debt', async () => {
  const account = devnet.borrowers[0].address
  const [reverting, missing, read] = await Promise.all([
    chain.readDebt({ pool: { ...pool, market: pool.poolId }, account, block }),
    chain.readDebt({ pool: { ...pool, adapter: '0x00000000000000000000000000000000000ada97' }, account, block }),
    chain.readDebt({ pool, account, block }),
  ])
  expect([reverting, missing]).toEqual([null, null])
  expect(read?.debt).toBeGreaterThan(0n)
})

test('behavior: reads of different blocks are in flight at the same time', async () => {
  const account = devnet.borrowers[0].address
  const older = { number: block.number - 1n }
  const sent = new Set<string>()
  let release = () => {}
  const both = new Promise<void>((resolve) => {
    release = resolve
  })
  node.interfere = async ({ params }) => {
    sent.add(JSON.stringify(params))
    if (sent.size === 2) release()
    await both
    return undefined
  }
  const debts = await Promise.all([block, older].map((at) => chain.readDebt({ pool, account, block: at })))
  expect(debts.map((reading) => reading !== null)).toEqual([true, true])
})

test('error: the block has another parent on this node', async () => {
  const account = devnet.borrowers[0].address
  const read = (number: bigint, parentHash: Hex) => chain.readDebt({ pool, account, block: { number, parentHash } })
  expect(await read(block.number, block.parentHash)).not.toBeNull()
  await expect(read(block.number, block.hash)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  await expect(read(block.number - 1n, block.parentHash)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})

test('error: a node that does not answer fails the waiting debts, and later ones are read', async () => {
  node.interfere = () => ({ status: 503 })
  const account = devnet.borrowers[0].address
  await expect(chain.readDebt({ pool, account, block })).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  node.interfere = () => undefined
  expect((await chain.readDebt({ pool, account, block }))?.debt).toBeGreaterThan(0n)
})
