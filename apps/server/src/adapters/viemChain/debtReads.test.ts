import { rateAdapterAbi } from '@firmquote/devnet'
import { expect, test } from '@jest/globals'
import type { Address } from 'viem'
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
  const many = Array.from({ length: 150 }, (_, index) => accounts[index % 3] as Address)
  const debts = await Promise.all(many.map((account) => chain.readDebt({ pool, account, block })))
  expect(node.calls.length - before).toBe(2)
  expect(debts[0]?.debt).toBe(state.debts.get(pool.poolId))
  expect(debts[0]?.debt).toBeGreaterThan(0n)
  expect(debts[1]?.debt).toBe(0n)
  expect(debts[2]?.debt).not.toBe(debts[0]?.debt)
  expect(debts[149]).toEqual(debts[2])
  const index = await devnet.publicClient.readContract({
    ...{ address: pool.adapter, abi: rateAdapterAbi, functionName: 'index', args: [pool.market] },
    blockNumber: block.number,
  } as const)
  expect(new Set(debts.map((reading) => reading.index))).toEqual(new Set([index]))
})

test('error: an adapter that rejects the call fails only its own debt', async () => {
  const adapter: Address = '0x00000000000000000000000000000000000ada97'
  const account = devnet.borrowers[0].address
  const [refused, read] = await Promise.allSettled([
    chain.readDebt({ pool: { ...pool, adapter }, account, block }),
    chain.readDebt({ pool, account, block }),
  ])
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'CHAIN_UNAVAILABLE' } })
  expect(read.status).toBe('fulfilled')
})

test('error: a node that does not answer fails the waiting debts, and later ones are read', async () => {
  node.interfere = () => ({ status: 503 })
  const account = devnet.borrowers[0].address
  await expect(chain.readDebt({ pool, account, block })).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  node.interfere = () => undefined
  expect((await chain.readDebt({ pool, account, block })).debt).toBeGreaterThan(0n)
})
