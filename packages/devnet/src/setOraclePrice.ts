import type { HttpTransport, PublicClient, TestClient } from 'viem'
import { type Hex, isAddressEqual } from 'viem'
import { deployments, oracleInitCode } from './devnetAddresses.ts'
import { DevnetError } from './devnetError.ts'
import { devnetMarkets } from './devnetMarkets.ts'

/**
 * Replaces the code of a market's oracle with that of an oracle that returns another price. The oracle's address is
 * part of the market's id, so it cannot change.
 *
 * @param price A decimal string, in whole loan tokens per whole collateral token.
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
  // Executing creation code returns the runtime code.
  const { data } = await publicClient.call({ data: oracleInitCode(price, decimals) })
  if (!data) throw new DevnetError('INVALID_OPTION', `The oracle price ${price} is invalid.`)
  await testClient.setCode({ address: oracle, bytecode: data })
  await testClient.mine({ blocks: 1 })
}
