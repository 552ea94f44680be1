import { expect, test } from '@jest/globals'
import { type Address, decodeFunctionData, erc20Abi, type Hex, numberToHex } from 'viem'
import { createScriptedNode, refusal, scriptedBlock } from '../../test/scriptedNode.ts'
import { ChainUnavailableError } from '../errors.ts'
import { multicall3Address } from './aggregate.ts'
import { readFunds } from './readFunds.ts'

const quoteMarket: Address = '0x1111111111111111111111111111111111111111'
const tokenA: Address = '0xAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAa'
const tokenB: Address = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB'
const maker = (number: number): Address => numberToHex(number, { size: 20 })

/** Tokens with scripted balances and allowances per maker. */
function tokens(say: (token: Address, maker: Address) => { balance: bigint; allowance: bigint }) {
  return createScriptedNode((to, data): Hex => {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    const { balance, allowance } = say(to, args?.[0] as Address)
    if (functionName === 'balanceOf') return numberToHex(balance, { size: 32 })
    expect([functionName, args?.[1]]).toEqual(['allowance', quoteMarket])
    return numberToHex(allowance, { size: 32 })
  })
}

test('default: the lesser of balance and allowance, by token and maker, all at one block', async () => {
  const said = [
    { balance: 5n, allowance: 9n },
    { balance: 9n, allowance: 4n },
    { balance: 7n, allowance: 7n },
    { balance: 0n, allowance: 2n ** 256n - 1n },
  ]
  const { client, calls } = tokens((token, who) => {
    const own = said[Number(BigInt(who)) - 1] ?? { balance: 0n, allowance: 0n }
    return BigInt(token) === BigInt(tokenA) ? own : { balance: own.balance + 1n, allowance: own.allowance }
  })
  const makers = [1, 2, 3, 4].map(maker)
  const { block, funds } = await readFunds(client, { quoteMarket, makers, tokens: [tokenA, tokenB] })
  expect(block).toEqual(scriptedBlock)
  expect([...funds.keys()]).toEqual([tokenA, tokenB])
  expect([...(funds.get(tokenA) ?? [])]).toEqual(makers.map((who, index) => [who, [5n, 4n, 7n, 0n][index]]))
  expect([...(funds.get(tokenB) ?? [])]).toEqual(makers.map((who, index) => [who, [6n, 4n, 7n, 1n][index]]))
  expect(calls.map(({ to, block: at }) => [to, at])).toEqual([[multicall3Address, '0x4d']])
})

test('behavior: an empty request returns an empty result', async () => {
  const { client, calls } = tokens(() => ({ balance: 1n, allowance: 1n }))
  const none = await readFunds(client, { quoteMarket, makers: [], tokens: [tokenA] })
  expect([...none.funds]).toEqual([[tokenA, new Map()]])
  expect((await readFunds(client, { quoteMarket, makers: [maker(1)], tokens: [] })).funds).toEqual(new Map())
  expect(calls).toEqual([])
})

test.each([
  [250, 1],
  [251, 2],
  [501, 3],
])('behavior: %d makers of a token in %d requests, each at the same block', async (count, requests) => {
  const { client, calls } = tokens((_token, who) => ({ balance: BigInt(who), allowance: 10n ** 6n }))
  const makers = Array.from({ length: count }, (_, index) => maker(index + 1))
  const { funds } = await readFunds(client, { quoteMarket, makers, tokens: [tokenA] })
  expect(calls.map(({ block }) => block)).toEqual(Array.from({ length: requests }, () => '0x4d'))
  expect([...(funds.get(tokenA)?.values() ?? [])]).toEqual(makers.map((who) => BigInt(who)))
})

test.each([
  ['a node that refuses', () => Promise.reject(refusal(-32_005, 'limit exceeded'))],
  ['a token that answers nothing', async (): Promise<Hex> => '0x'],
  ['a token that answers too little', async (): Promise<Hex> => '0x01'],
])('error: %s', async (_what, answer) => {
  const { client } = createScriptedNode(answer)
  const reading = readFunds(client, { quoteMarket, makers: [maker(1)], tokens: [tokenA] })
  const failure = await reading.catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ChainUnavailableError)
  expect((failure as ChainUnavailableError).cause).toBeDefined()
})
