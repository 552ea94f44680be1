import { interestRatePoolAbi, type QuoteDomain, quoteEip712Domain, quoteMarketAbi } from '@firmquote/core'
import { multicall3Address } from '@firmquote/core/chain'
import { type Address, type Client, isAddressEqual } from 'viem'
import { getChainId, getCode, readContract } from 'viem/actions'
import { ConfigurationError, NodeUnreachableError } from '../../ports/errors.ts'
import { chainUnavailable, rpcFailureKind } from './rpcFailure.ts'

/** The configured contracts. */
export type ExpectedContracts = {
  domain: QuoteDomain
  interestRatePool: Address
  bundler3: Address
  keeperBundler: Address
}

/**
 * Checks that the node is on the expected chain and that the contracts exist and belong together, to detect a wrong
 * address at startup.
 *
 * @throws {ConfigurationError} with one sentence that says what to change.
 */
export async function checkDeployment(client: Client, expected: ExpectedContracts): Promise<void> {
  const { domain, interestRatePool, bundler3, keeperBundler } = expected
  const { chainId, quoteMarket } = domain
  const actual = await askNode(() => getChainId(client))
  if (actual !== chainId) {
    throw new ConfigurationError(
      `The node at RPC_URL is on chain ${actual}, not ${chainId}; set RPC_URL to a node of chain ${chainId}, or CHAIN_ID to ${actual}.`,
    )
  }
  const has = (address: Address) => hasCode(client, address)
  const contracts = [
    { setting: 'QUOTE_MARKET', field: 'quoteMarket', address: quoteMarket },
    { setting: 'INTEREST_RATE_POOL', field: 'interestRatePool', address: interestRatePool },
    { setting: 'BUNDLER3', field: 'bundler3', address: bundler3 },
    { setting: 'KEEPER_BUNDLER', field: 'keeperBundler', address: keeperBundler },
  ]
  // Asked for together, so that they are one request.
  const exist = await Promise.all([...contracts.map(({ address }) => address), multicall3Address].map(has))
  for (const [index, { setting, field, address }] of contracts.entries()) {
    if (exist[index]) continue
    throw new ConfigurationError(
      `There is no contract at ${address} on chain ${chainId}; ${remedy(setting, field, chainId)}, or start a chain that has the contracts with \`npx @firmquote/devnet\`.`,
    )
  }
  if (!exist.at(-1)) {
    throw new ConfigurationError(
      `Chain ${chainId} has no Multicall3 at ${multicall3Address}, which the server uses for its reads; set RPC_URL to a chain that has it.`,
    )
  }
  await checkMarket(client, expected)
}

async function checkMarket(client: Client, { domain, interestRatePool }: ExpectedContracts): Promise<void> {
  const { chainId, quoteMarket } = domain
  const market = { address: quoteMarket, abi: quoteMarketAbi } as const
  const expected = quoteEip712Domain(domain)
  const [, name, version, domainChain, verifyingContract] = await askNode(
    () => readContract(client, { ...market, functionName: 'eip712Domain' }),
    `The contract at ${quoteMarket} is not a quote market: it has no EIP-712 domain; ${remedy('QUOTE_MARKET', 'quoteMarket', chainId)}.`,
  )
  if (
    name !== expected.name ||
    version !== expected.version ||
    domainChain !== BigInt(chainId) ||
    !isAddressEqual(verifyingContract, quoteMarket)
  ) {
    throw new ConfigurationError(
      `The contract at ${quoteMarket} signs for (${name}, ${version}, ${domainChain}, ${verifyingContract}) instead of (${expected.name}, ${expected.version}, ${chainId}, ${quoteMarket}); ${remedy('QUOTE_MARKET', 'quoteMarket', chainId)}.`,
    )
  }
  const pool = await askNode(
    () => readContract(client, { ...market, functionName: 'interestRatePool' }),
    `The contract at ${quoteMarket} is not a quote market: it has no pool; ${remedy('QUOTE_MARKET', 'quoteMarket', chainId)}.`,
  )
  if (!isAddressEqual(pool, interestRatePool)) {
    throw new ConfigurationError(
      `The quote market ${quoteMarket} belongs to the pool ${pool}, not to ${interestRatePool}; ${remedy('INTEREST_RATE_POOL', 'interestRatePool', chainId)}.`,
    )
  }
  const marketOfPool = await askNode(
    () => readContract(client, { address: interestRatePool, abi: interestRatePoolAbi, functionName: 'quoteMarket' }),
    `The contract at ${interestRatePool} is not an interest-rate pool; ${remedy('INTEREST_RATE_POOL', 'interestRatePool', chainId)}.`,
  )
  if (!isAddressEqual(marketOfPool, quoteMarket)) {
    throw new ConfigurationError(
      `The pool ${interestRatePool} accepts quotes from the market ${marketOfPool}, not from ${quoteMarket}; ${remedy('QUOTE_MARKET', 'quoteMarket', chainId)}.`,
    )
  }
}

async function hasCode(client: Client, address: Address): Promise<boolean> {
  const code = await askNode(() => getCode(client, { address }))
  return code !== undefined && code !== '0x'
}

/**
 * Sends a request to the node at startup. `otherwise` is the error message if a contract rejects the call.
 *
 * @throws {ConfigurationError} with one sentence that states the problem.
 */
export async function askNode<T>(read: () => Promise<T>, otherwise?: string): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (otherwise !== undefined && rpcFailureKind(error) === 'refused') throw new ConfigurationError(otherwise)
    const { details } = chainUnavailable(error)
    throw new NodeUnreachableError(`The node at RPC_URL failed to answer (${details}); check RPC_URL.`)
  }
}

function remedy(setting: string, field: string, chainId: number): string {
  return `set ${setting}, or correct contracts.${field} in packages/addresses/deployments/${chainId}.json and run \`pnpm --filter @firmquote/addresses generate\``
}
