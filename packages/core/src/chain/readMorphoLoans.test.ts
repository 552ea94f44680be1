import { describe, expect, test } from '@jest/globals'
import {
  type Address,
  encodeAbiParameters,
  type Hex,
  isAddressEqual,
  keccak256,
  numberToHex,
  toFunctionSelector,
} from 'viem'
import { createScriptedNode, refusal, scriptedBlock } from '../../test/scriptedNode.ts'
import { readMorphoLoans } from './readMorphoLoans.ts'

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const [account, morpho, adapter, other] = ['1', '2', '3', '4'].map(address) as [Address, Address, Address, Address]
const [loanToken, collateralToken, oracle, irm] = ['5', '6', '7', '8'].map(address) as [
  Address,
  Address,
  Address,
  Address,
]
const params = { loanToken, collateralToken, oracle, irm, lltv: 86n }
const types = (['address', 'address', 'address', 'address', 'uint256'] as const).map((type) => ({ type }))
const encodeParams = ({ lltv = params.lltv, token = loanToken } = {}) =>
  encodeAbiParameters(types, [token, collateralToken, oracle, irm, lltv])
const market = keccak256(encodeParams())
const poolId = numberToHex(1, { size: 32 })
const pool = { poolId, loanToken, adapter, market }

const words = (...values: bigint[]): Hex =>
  `0x${values.map((value) => numberToHex(value, { size: 32 }).slice(2)).join('')}`
const encoded: Record<string, Hex> = {
  'morpho()': words(BigInt(morpho)),
  'idToMarketParams(bytes32)': encodeParams(),
  'position(bytes32,address)': words(9n, 1_000n, 9n),
  'debtOf(bytes32,address)': words(11n),
  'ratePerSec(bytes32)': words(12n),
  'balanceOf(address)': words(13n),
  'allowance(address,address)': words(14n),
}

/** Reads the loans of an account, with a node whose answers are changed by function. */
async function readLoans(changes: Record<string, Hex | Error> = {}, pools = [pool]) {
  const answers = new Map(
    Object.entries({ ...encoded, ...changes }).map(([name, answer]) => [toFunctionSelector(name), answer]),
  )
  const { client, calls } = createScriptedNode((to, data) => {
    const answer = isAddressEqual(to, other) ? '0x' : answers.get(data.slice(0, 10) as Hex)
    if (answer instanceof Error) throw answer
    return answer ?? '0x'
  })
  return { loans: await readMorphoLoans(client, { account, pools, block: scriptedBlock }), calls }
}

describe('readMorphoLoans', () => {
  test('default: the debt, its shares and what a repayment needs, at one block', async () => {
    const { loans, calls } = await readLoans()
    expect(loans.get(poolId)).toEqual({
      kind: 'morphoBlue',
      lender: morpho,
      market,
      params,
      debt: 11n,
      borrowShares: 1_000n,
      ratePerSec: 12n,
      balance: 13n,
      allowance: 14n,
    })
    expect(calls.map(({ block }) => block)).toEqual(['0x4d', '0x4d', '0x4d'])
  })

  test.each([
    ['parameters whose hash is not the market', 'idToMarketParams(bytes32)', encodeParams({ lltv: 87n })],
    ['parameters that name another loan token', 'idToMarketParams(bytes32)', encodeParams({ token: other })],
    ...Object.keys(encoded).map((name) => ['a malformed answer', name, '0x'] as const),
    ...Object.keys(encoded).map((name) => ['a node that does not answer', name, refusal(-32_000, 'gone')] as const),
  ])('error: %s to %s: no loan', async (_what, name, answer) => {
    expect((await readLoans({ [name]: answer })).loans).toEqual(new Map())
  })

  test("error: a market of another loan token than the pool's: no loan", async () => {
    expect((await readLoans({}, [{ ...pool, loanToken: other }])).loans).toEqual(new Map())
  })

  test('behavior: an unknown adapter does not affect other pools', async () => {
    const unknown = { ...pool, poolId: numberToHex(2, { size: 32 }), adapter: other }
    expect([...(await readLoans({}, [unknown, pool])).loans.keys()]).toEqual([poolId])
  })
})
