import { interestRatePoolAbi, quoteEip712Domain, quoteMarketAbi } from '@firmquote/core'
import { type Address, BaseError, type Client, HttpRequestError, isAddressEqual, TimeoutError } from 'viem'
import { getChainId, readContract } from 'viem/actions'
import { ConfigurationError } from '../../errors.ts'
import { wrapChainErrors } from './rpcFailure.ts'

/** The configured chain and contracts. */
export type ExpectedContracts = { chainId: number; quoteMarket: Address; interestRatePool: Address }

/**
 * Checks that the node is on the configured chain and that the quote market and the pool belong together. A wrong
 * address stops the daemon before it signs anything.
 *
 * @throws {ConfigurationError} if a setting is wrong. The message says what to change.
 * @throws {ChainUnavailableError} if the node does not respond.
 */
export async function checkDeployment(client: Client, deployment: ExpectedContracts): Promise<void> {
  const { chainId, quoteMarket, interestRatePool } = deployment
  const actual = await wrapChainErrors(() => getChainId(client))
  if (actual !== chainId) {
    throw new ConfigurationError(
      `The node at chain.rpcUrl is on chain ${actual}, not ${chainId}; set chain.rpcUrl to a node of chain ${chainId}, or chain.chainId to ${actual}.`,
    )
  }
  const market = { address: quoteMarket, abi: quoteMarketAbi } as const
  const expected = quoteEip712Domain({ chainId, quoteMarket })
  const [, name, version, domainChain, verifyingContract] = await readOrRefuse(
    () => readContract(client, { ...market, functionName: 'eip712Domain' }),
    `The contract at ${quoteMarket} is not a quote market; correct chain.quoteMarket or chain.interestRatePool.`,
  )
  if (
    name !== expected.name ||
    version !== expected.version ||
    domainChain !== BigInt(chainId) ||
    !isAddressEqual(verifyingContract, quoteMarket)
  ) {
    throw new ConfigurationError(
      `The contract at ${quoteMarket} signs for (${name}, ${version}, ${domainChain}, ${verifyingContract}), which is not a quote market on chain ${chainId}; correct chain.quoteMarket.`,
    )
  }
  const pool = await readOrRefuse(
    () => readContract(client, { ...market, functionName: 'interestRatePool' }),
    `The contract at ${quoteMarket} is not a quote market; correct chain.quoteMarket or chain.interestRatePool.`,
  )
  const marketOfPool = await readOrRefuse(
    () => readContract(client, { address: interestRatePool, abi: interestRatePoolAbi, functionName: 'quoteMarket' }),
    `The contract at ${interestRatePool} is not an interest-rate pool; correct chain.quoteMarket or chain.interestRatePool.`,
  )
  if (isAddressEqual(pool, interestRatePool) && isAddressEqual(marketOfPool, quoteMarket)) return
  throw new ConfigurationError(
    `The quote market ${quoteMarket} belongs to the pool ${pool}, not to ${interestRatePool}; correct chain.quoteMarket or chain.interestRatePool.`,
  )
}

/**
 * Reads from a contract. If the node reports an error, a different contract is at the address, and a ConfigurationError
 * with the message `otherwise` is thrown.
 */
export async function readOrRefuse<T>(read: () => Promise<T>, otherwise: string): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof BaseError && error.walk(isUnanswered) === null) {
      throw new ConfigurationError(otherwise)
    }
    return wrapChainErrors(() => Promise.reject(error))
  }
}

function isUnanswered(error: unknown): boolean {
  return error instanceof HttpRequestError || error instanceof TimeoutError
}
