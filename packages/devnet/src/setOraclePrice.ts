import type { HttpTransport, PublicClient, TestClient } from 'viem'
import { type Hex, isAddressEqual } from 'viem'
import { deployments, oracleInitCode } from './devnetAddresses.ts'
import { DevnetError } from './devnetError.ts'
import { devnetMarkets } from './devnetMarkets.ts'

/**
 * Puts the code of an oracle with another price in the place of a market's. Its address is part of the market's id, so it stays.
 *
 * @param price whole loan tokens for one whole token of collateral, as decimal text.
 */
export async function setOraclePrice(
  testClient: TestClient<'anvil', HttpTransport>,
  publicClient: PublicClient<HttpTransport>,
  market: Hex,
  price: string,
): Promise<void> {
  const found = devnetMarkets.find((entry) => entry.market === market)
  if (!found) throw new DevnetError('INVALID_OPTION', `The devnet has no market ${market}.`)
  const { oracle } = found.params
  const decimals = isAddressEqual(oracle, deployments.btcOracle.address) ? 8 : 18
  // What creation code returns is the code that a contract gets.
  const { data } = await publicClient.call({ data: oracleInitCode(price, decimals) })
  if (!data) throw new DevnetError('INVALID_OPTION', `An oracle cannot have the price ${price}.`)
  await testClient.setCode({ address: oracle, bytecode: data })
  await testClient.mine({ blocks: 1 })
}
