import {
  type Address,
  type Client,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  zeroAddress,
} from 'viem'
import { morphoBlueAbi, morphoBlueAdapterAbi } from '../abi/morphoBlue.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import type { Call } from './aggregate.ts'
import { decodedOrNull, readEach } from './readEach.ts'
import { type LoanToken, readTokens } from './readTokens.ts'

/** A pool and its market on the lending protocol. */
export type LendingMarket = { poolId: Hex; loanToken: Address; adapter: Address; market: Hex }

/** A Morpho Blue market's immutable terms. `lltv` is in WAD. */
export type LendingTerms = {
  morpho: Address
  /** Null if the token does not return its decimals. */
  collateral: LoanToken | null
  lltv: bigint
}

const morphoCall = /* @__PURE__ */ encodeFunctionData({ abi: morphoBlueAdapterAbi, functionName: 'morpho' })

/**
 * Reads the terms of pools that are not yet in the map, and adds them. The terms are null if the market has no
 * collateral or its adapter does not report it. A market's terms never change, so results stay valid. If the node does
 * not respond, throws and adds nothing.
 *
 * @returns the utilization of the pools whose terms were read, in percent.
 */
export async function readLendingTerms(
  client: Client,
  {
    pools,
    block,
    tokens,
    terms,
  }: {
    pools: readonly LendingMarket[]
    block: BlockRef
    tokens: Map<Address, LoanToken>
    terms: Map<Hex, LendingTerms | null>
  },
): Promise<Map<Hex, number>> {
  const unknown = pools.filter(({ poolId }) => !terms.has(poolId))
  const lenders = await readEach(
    client,
    unknown.map(({ adapter }) => ({ address: adapter, data: morphoCall })),
    block,
  )
  const asked = unknown.flatMap((pool, index) => {
    const morpho = decodedOrNull(lenders[index], (data) =>
      decodeFunctionResult({ abi: morphoBlueAdapterAbi, functionName: 'morpho', data }),
    )
    return morpho === null ? [] : [{ pool, morpho }]
  })
  const answers = await readEach(
    client,
    asked.flatMap(({ pool, morpho }) => [
      {
        address: morpho,
        data: encodeFunctionData({ abi: morphoBlueAbi, functionName: 'idToMarketParams', args: [pool.market] }),
      },
      stateCall(morpho, pool.market),
    ]),
    block,
  )
  const found = asked.flatMap(({ pool, morpho }, index) => {
    const params = paramsOf(pool, answers[2 * index])
    return params ? [{ poolId: pool.poolId, morpho, ...params, state: answers[2 * index + 1] }] : []
  })
  await readTokens(client, { addresses: found.map(({ collateral }) => collateral), block, tokens })
  for (const { poolId } of unknown) terms.set(poolId, null)
  for (const { poolId, morpho, collateral, lltv } of found) {
    terms.set(poolId, { morpho, collateral: tokens.get(collateral) ?? null, lltv })
  }
  return new Map(
    found.flatMap(({ poolId, state }): [Hex, number][] => {
      const utilization = utilizationOf(state)
      return utilization === null ? [] : [[poolId, utilization]]
    }),
  )
}

/** Creates the call whose result {@link utilizationOf} decodes. */
export function stateCall(morpho: Address, market: Hex): Call {
  return {
    address: morpho,
    data: encodeFunctionData({ abi: morphoBlueAbi, functionName: 'market', args: [market] }),
  }
}

/**
 * Returns the share of a market's supply that is borrowed, in percent, as of its last accrual. Returns null if the
 * result is not a market's state.
 */
export function utilizationOf(answer: Hex | null | undefined): number | null {
  const state = decodedOrNull(answer, (data) =>
    decodeFunctionResult({ abi: morphoBlueAbi, functionName: 'market', data }),
  )
  if (state === null) return null
  const [supplied, , borrowed] = state
  return supplied === 0n ? 0 : Number((borrowed * 1_000_000n) / supplied) / 10_000
}

/** Extracts a market's collateral and limit. Returns null if the result is for a different market. */
function paramsOf(pool: LendingMarket, answer: Hex | null | undefined): { collateral: Address; lltv: bigint } | null {
  const params = decodedOrNull(answer, (data) =>
    decodeFunctionResult({ abi: morphoBlueAbi, functionName: 'idToMarketParams', data }),
  )
  if (params === null) return null
  const [loanToken, collateral, , , lltv] = params
  return isAddressEqual(loanToken, pool.loanToken) && collateral !== zeroAddress ? { collateral, lltv } : null
}
