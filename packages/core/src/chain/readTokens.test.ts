import { expect, test } from '@jest/globals'
import { decodeFunctionData, encodeFunctionResult, erc20Abi } from 'viem'
import { createScriptedNode, scriptedBlock } from '../../test/scriptedNode.ts'
import { type LoanToken, readTokens } from './readTokens.ts'

const address = '0x1111111111111111111111111111111111111111'

test.each([
  ['a usual symbol', 'USDC', 'USDC'],
  ['32 characters', 'x'.repeat(32), 'x'.repeat(32)],
  ['33 characters', 'x'.repeat(33), `${'x'.repeat(31)}…`],
  ['100 kB', 'x'.repeat(100_000), `${'x'.repeat(31)}…`],
  ['32 characters of two code units', '😀'.repeat(32), '😀'.repeat(32)],
  ['33 characters of two code units', '😀'.repeat(33), `${'😀'.repeat(31)}…`],
])('behavior: a symbol has at most 32 characters: %s', async (_what, symbol, shown) => {
  const { client } = createScriptedNode((_to, data) => {
    const { functionName } = decodeFunctionData({ abi: erc20Abi, data })
    return functionName === 'symbol'
      ? encodeFunctionResult({ abi: erc20Abi, functionName: 'symbol', result: symbol })
      : encodeFunctionResult({ abi: erc20Abi, functionName: 'decimals', result: 6 })
  })
  const tokens = new Map<`0x${string}`, LoanToken>()
  await readTokens(client, { addresses: [address], block: scriptedBlock, tokens })
  expect(tokens.get(address)).toEqual({ address, symbol: shown, decimals: 6 })
})
