import { expect, test } from '@jest/globals'
import { type Address, type Hex, numberToHex } from 'viem'
import { createScriptedNode, refusal, scriptedBlock } from '../../test/scriptedNode.ts'
import { ChainUnavailableError } from '../errors.ts'
import { readCapacities } from './readCapacities.ts'

const interestRatePool: Address = '0x2222222222222222222222222222222222222222'
const key = (number: number): Hex => numberToHex(number, { size: 32 })

test('default: what each series can still take, by its key, in one request beside that for the block', async () => {
  const { client, methods, calls } = createScriptedNode((to, data) => {
    expect(to.toLowerCase()).toBe(interestRatePool)
    return numberToHex(BigInt(`0x${data.slice(10)}`) * 100n, { size: 32 })
  })
  const seriesKeys = [key(3), key(1), key(3)]
  const { block, capacities } = await readCapacities(client, { interestRatePool, seriesKeys })
  expect(block).toEqual(scriptedBlock)
  expect([...capacities]).toEqual([
    [key(3), 300n],
    [key(1), 100n],
  ])
  expect(methods.sort()).toEqual(['eth_call', 'eth_getBlockByNumber'])
  expect(calls).toHaveLength(1)
})

test('behavior: no series are no capacities', async () => {
  const { client } = createScriptedNode(() => '0x')
  expect((await readCapacities(client, { interestRatePool, seriesKeys: [] })).capacities).toEqual(new Map())
})

test.each([
  ['a node that refuses', () => Promise.reject(refusal(-32_005, 'limit exceeded'))],
  ['a pool that is no contract', async (): Promise<Hex> => '0x'],
])('error: %s', async (_what, answer) => {
  const { client } = createScriptedNode(answer)
  const failure = await readCapacities(client, { interestRatePool, seriesKeys: [key(1)] }).catch((error) => error)
  expect(failure).toBeInstanceOf(ChainUnavailableError)
  expect((failure as ChainUnavailableError).cause).toBeDefined()
})
