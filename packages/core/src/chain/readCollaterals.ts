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
import { decodedOrNull, readEach } from './readEach.ts'
import { type LoanToken, readTokens } from './readTokens.ts'

/** A pool and its market on the lending protocol. */
export type LendingMarket = { poolId: Hex; loanToken: Address; adapter: Address; market: Hex }

const morphoCall = /* @__PURE__ */ encodeFunctionData({ abi: morphoBlueAdapterAbi, functionName: 'morpho' })

/**
 * Reads the collateral tokens of pools that are not yet in the map, and adds them. The token is null if the market has
 * no collateral or its adapter does not report it. A market's collateral never changes, so results stay valid. If the
 * node does not respond, throws and adds nothing.
 */
export async function readCollaterals(
  client: Client,
  {
    pools,
    block,
    tokens,
    collaterals,
  }: {
    pools: readonly LendingMarket[]
    block: BlockRef
    tokens: Map<Address, LoanToken>
    collaterals: Map<Hex, LoanToken | null>
  },
): Promise<void> {
  const unknown = pools.filter(({ poolId }) => !collaterals.has(poolId))
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
  const markets = await readEach(
    client,
    asked.map(({ pool, morpho }) => ({
      address: morpho,
      data: encodeFunctionData({ abi: morphoBlueAbi, functionName: 'idToMarketParams', args: [pool.market] }),
    })),
    block,
  )
  const found = new Map<Hex, Address>()
  asked.forEach(({ pool }, index) => {
    const token = collateralOf(pool, markets[index])
    if (token) found.set(pool.poolId, token)
  })
  await readTokens(client, { addresses: [...found.values()], block, tokens })
  for (const { poolId } of unknown) {
    const token = found.get(poolId)
    collaterals.set(poolId, (token && tokens.get(token)) ?? null)
  }
}

/** Extracts the token from a market's result. Returns null if the result is for a different market. */
function collateralOf(pool: LendingMarket, answer: Hex | null | undefined): Address | null {
  const params = decodedOrNull(answer, (data) =>
    decodeFunctionResult({ abi: morphoBlueAbi, functionName: 'idToMarketParams', data }),
  )
  if (params === null) return null
  const [loanToken, collateral] = params
  return isAddressEqual(loanToken, pool.loanToken) && collateral !== zeroAddress ? collateral : null
}
