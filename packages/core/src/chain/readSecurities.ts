import {
  type Address,
  type Client,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  keccak256,
  zeroAddress,
} from 'viem'
import { morphoBlueAbi, morphoBlueAdapterAbi, morphoOracleAbi } from '../abi/morphoBlue.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import type { LendingMarket } from './readCollaterals.ts'
import { decodedOrNull, readEach, readEachAt } from './readEach.ts'

/** A market of Morpho Blue, as far as it never changes; `lltv` is WAD. */
export type MorphoMarket = { morpho: Address; collateralToken: Address; oracle: Address; lltv: bigint }

/** What secures a debt on Morpho Blue. */
export type DebtSecurity = {
  collateralToken: Address
  /** Raw units of the collateral token. */
  collateral: bigint
  /** The part of the collateral's worth that may be owed, WAD. */
  lltv: bigint
  /** Raw loan-token units for one raw unit of collateral, times 1e36; null where the oracle does not give it. */
  price: bigint | null
}

/** An oracle is a contract of anyone: each market is asked in a request of its own, so that none can spoil another. So many at once. */
const marketsAtOnce = 8

/**
 * Reads what secures the debts of an account at a block: its collateral and the price that the market's oracle gives. A pool of
 * another protocol, or one of which that cannot be read at this block, is left out. Never throws.
 */
export async function readSecurities(
  client: Client,
  {
    account,
    pools,
    block,
    morphoMarkets,
  }: {
    account: Address
    pools: readonly LendingMarket[]
    block: BlockRef & { parentHash: Hex }
    morphoMarkets: Map<Hex, MorphoMarket | null>
  },
): Promise<Map<Hex, DebtSecurity>> {
  const securities = new Map<Hex, DebtSecurity>()
  await readMorphoMarkets(client, { pools, block, morphoMarkets }).catch(() => {})
  const asked = pools.flatMap((pool) => {
    const market = morphoMarkets.get(pool.poolId)
    return market ? [{ pool, market }] : []
  })
  for (let start = 0; start < asked.length; start += marketsAtOnce) {
    const some = asked.slice(start, start + marketsAtOnce)
    const read = await Promise.all(
      some.map(({ pool, market }) => readSecurity(client, { account, pool, market, block }).catch(() => null)),
    )
    some.forEach(({ pool }, index) => {
      const security = read[index]
      if (security) securities.set(pool.poolId, security)
    })
  }
  return securities
}

async function readSecurity(
  client: Client,
  {
    account,
    pool,
    market: { morpho, oracle, collateralToken, lltv },
    block,
  }: { account: Address; pool: LendingMarket; market: MorphoMarket; block: BlockRef & { parentHash: Hex } },
): Promise<DebtSecurity | null> {
  const [position, price] = await readEachAt(
    client,
    [
      {
        address: morpho,
        data: encodeFunctionData({ abi: morphoBlueAbi, functionName: 'position', args: [pool.market, account] }),
      },
      { address: oracle, data: encodeFunctionData({ abi: morphoOracleAbi, functionName: 'price' }) },
    ],
    block,
  )
  const amounts = decodedOrNull(position, (data) =>
    decodeFunctionResult({ abi: morphoBlueAbi, functionName: 'position', data }),
  )
  if (amounts === null) return null
  return {
    collateralToken,
    collateral: amounts[2],
    lltv,
    price: decodedOrNull(price, (data) => decodeFunctionResult({ abi: morphoOracleAbi, functionName: 'price', data })),
  }
}

/** Adds the markets that are not known yet; null for one that is none of Morpho Blue, or has no collateral. */
async function readMorphoMarkets(
  client: Client,
  {
    pools,
    block,
    morphoMarkets,
  }: { pools: readonly LendingMarket[]; block: BlockRef; morphoMarkets: Map<Hex, MorphoMarket | null> },
): Promise<void> {
  const unknown = pools.filter(({ poolId }) => !morphoMarkets.has(poolId))
  const data = encodeFunctionData({ abi: morphoBlueAdapterAbi, functionName: 'morpho' })
  const lenders = await readEach(
    client,
    unknown.map(({ adapter }) => ({ address: adapter, data })),
    block,
  )
  const asked = unknown.map((pool, index) => ({
    pool,
    morpho: decodedOrNull(lenders[index], (answer) =>
      decodeFunctionResult({ abi: morphoBlueAdapterAbi, functionName: 'morpho', data: answer }),
    ),
  }))
  const answers = await readEach(
    client,
    asked.map(({ pool, morpho }) => ({
      address: morpho ?? zeroAddress,
      data: encodeFunctionData({ abi: morphoBlueAbi, functionName: 'idToMarketParams', args: [pool.market] }),
    })),
    block,
  )
  asked.forEach(({ pool, morpho }, index) => {
    morphoMarkets.set(pool.poolId, morpho && marketOf(pool, morpho, answers[index]))
  })
}

/** The market of an answer, which must be the pool's: a market's id is the hash of what it is made of. */
function marketOf(pool: LendingMarket, morpho: Address, answer: Hex | null | undefined): MorphoMarket | null {
  const params = decodedOrNull(answer, (data) =>
    decodeFunctionResult({ abi: morphoBlueAbi, functionName: 'idToMarketParams', data }),
  )
  if (params === null) return null
  const [loanToken, collateralToken, oracle, , lltv] = params
  const id = keccak256(encodeAbiParameters(idParameters, params))
  const isIt = id === pool.market && isAddressEqual(loanToken, pool.loanToken)
  return isIt && collateralToken !== zeroAddress ? { morpho, collateralToken, oracle, lltv } : null
}

const idParameters = [
  { type: 'address' },
  { type: 'address' },
  { type: 'address' },
  { type: 'address' },
  { type: 'uint256' },
] as const
