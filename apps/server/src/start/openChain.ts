import type { QuoteDomain } from '@firmquote/core'
import type { Clock } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { checkDeployment, type ExpectedContracts } from '../adapters/viemChain/checkDeployment.ts'
import { checkDevnetNode } from '../adapters/viemChain/checkDevnetNode.ts'
import { createNodeHealth } from '../adapters/viemChain/nodeHealth.ts'
import { createNodePool, type PoolNode } from '../adapters/viemChain/nodePool.ts'
import { createRpcClient, createViemChain } from '../adapters/viemChain/viemChain.ts'
import type { Chain } from '../ports/chain.ts'
import { ConfigurationError, NodeUnreachableError } from '../ports/errors.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { NodeStatus } from '../ports/nodes.ts'
import type { Configuration } from './configuration.ts'

/** The chain, read through the nodes in `RPC_URL`. */
export type OpenedChain = {
  chain: Chain
  genesisHash: Hex
  node(): NodeStatus
  /** Stops probing the nodes. */
  stop(): void
}

/**
 * Checks the nodes and creates the chain. A node that does not answer is only logged if another one does.
 *
 * @throws {ConfigurationError} if a node is on another chain, or none answers.
 */
export async function openChain(
  configuration: Configuration,
  { domain, clock, log, metrics }: { domain: QuoteDomain; clock: Clock; log: Logger; metrics: Metrics },
): Promise<OpenedChain> {
  const { INTEREST_RATE_POOL: interestRatePool, BUNDLER3: bundler3, KEEPER_BUNDLER: keeperBundler } = configuration
  const expected = { domain, interestRatePool, bundler3, keeperBundler }
  const names = nodeNames(configuration.RPC_URL)
  const checks = await Promise.all(
    configuration.RPC_URL.map((rpcUrl, index) =>
      checkNode(rpcUrl, names[index] ?? '', { configuration, expected, metrics }),
    ),
  )
  const [first, ...others] = checks
  if (!first) throw new TypeError('RPC_URL is empty.')
  const known = checks.flatMap(({ genesisHash, node: { name } }) => (genesisHash ? [{ genesisHash, name }] : []))
  const [one, another] = [known[0], known.find(({ genesisHash }) => genesisHash !== known[0]?.genesisHash)]
  if (!one) throw first.error
  if (another) {
    throw new ConfigurationError(
      `The nodes ${one.name} and ${another.name} of RPC_URL are on different chains: their first blocks differ; remove one of them.`,
    )
  }
  for (const { error, node } of checks) if (error) log.warn({ node: node.name, err: error }, 'node does not answer')
  const { genesisHash } = one
  const verifying = ({ node, check }: (typeof checks)[number]): PoolNode => ({
    ...node,
    verify: async () => (await check()) === genesisHash,
  })
  const [node, ...standby] = [verifying(first), ...others.map(verifying)] as const
  const pool = createNodePool({ nodes: [node, ...standby], clock, log, onStatus: metrics.nodeInUse })
  if (others.length === 0) return { chain: node.chain, genesisHash, node: pool.status, stop: () => {} }
  // Chooses a node that answers before the first read.
  await pool.probe()
  pool.start()
  return { chain: pool.chain, genesisHash, node: pool.status, stop: pool.stop }
}

/** Checks one node. Returns its error instead of its genesis hash if it does not answer. */
async function checkNode(
  rpcUrl: string,
  name: string,
  { configuration, expected, metrics }: { configuration: Configuration; expected: ExpectedContracts; metrics: Metrics },
) {
  const { DEVNET_RELAY: hasRelay, DEMO_ACCOUNT, DEMO_SMART_ACCOUNT, LOG_WINDOW: logWindow } = configuration
  const health = createNodeHealth()
  const client = createRpcClient({ rpcUrl, health, onFailure: (kind) => metrics.rpcFailed(kind, name) })
  const { domain, interestRatePool } = expected
  const chain = createViemChain({ client, quoteMarket: domain.quoteMarket, interestRatePool, logWindow })
  const check = async () => {
    await checkDeployment(client, expected)
    if (hasRelay) await checkDevnetNode(client, { DEMO_ACCOUNT, DEMO_SMART_ACCOUNT })
    return chain.readGenesisHash()
  }
  try {
    return { genesisHash: await check(), error: null, check, node: { name, chain, health, isVerified: true } }
  } catch (error) {
    if (!(error instanceof NodeUnreachableError)) throw error
    return { genesisHash: null, error, check, node: { name, chain, health, isVerified: false } }
  }
}

/** The host names of the URLs, which contain neither paths nor keys. Equal ones are numbered. */
function nodeNames(urls: readonly string[]): string[] {
  const hosts = urls.map((url) => new URL(url).hostname)
  return hosts.map((host, index) => {
    const earlier = hosts.slice(0, index).filter((other) => other === host).length
    return earlier === 0 ? host : `${host} (${earlier + 1})`
  })
}
