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
import { decodedOrNull, readEach, readEachAt } from './readEach.ts'
import type { LendingMarket } from './readLendingTerms.ts'

/** A Morpho Blue market's immutable parameters. `lltv` is in WAD. */
export type MorphoMarket = { morpho: Address; collateralToken: Address; oracle: Address; irm: Address; lltv: bigint }

/** The collateral of a debt on Morpho Blue. */
export type DebtSecurity = {
  collateralToken: Address
  /** Raw units of the collateral token. */
  collateral: bigint
  /** The liquidation loan-to-value ratio, in WAD. */
  lltv: bigint
  /** Raw loan-token units per raw unit of collateral, times 1e36. The price is null if the oracle returned none. */
  price: bigint | null
}

/**
 * Maximum number of concurrent oracle requests. Anyone can deploy an oracle, so each market has its own request, which
 * keeps one oracle from breaking another market's read.
 */
const marketConcurrency = 8

/**
 * Reads the collateral of an account's debts, and its oracle price, at a block. Omits pools on other protocols and
 * pools that cannot be read at this block. Never throws.
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
  for (let start = 0; start < asked.length; start += marketConcurrency) {
    const some = asked.slice(start, start + marketConcurrency)
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

/**
 * Reads markets that are not in the map yet, and adds them. Adds null for a market that is not on Morpho Blue or has no
 * collateral.
 */
export async function readMorphoMarkets(
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

/**
 * Extracts the market from a result. A market's id is the hash of its parameters, so a matching id proves that the
 * market is the pool's.
 */
function marketOf(pool: LendingMarket, morpho: Address, answer: Hex | null | undefined): MorphoMarket | null {
  const params = decodedOrNull(answer, (data) =>
    decodeFunctionResult({ abi: morphoBlueAbi, functionName: 'idToMarketParams', data }),
  )
  if (params === null) return null
  const [loanToken, collateralToken, oracle, irm, lltv] = params
  const id = keccak256(encodeAbiParameters(idParameters, params))
  const isIt = id === pool.market && isAddressEqual(loanToken, pool.loanToken)
  return isIt && collateralToken !== zeroAddress ? { morpho, collateralToken, oracle, irm, lltv } : null
}

const idParameters = [
  { type: 'address' },
  { type: 'address' },
  { type: 'address' },
  { type: 'address' },
  { type: 'uint256' },
] as const
