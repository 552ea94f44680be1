import { constantName } from './constantName.ts'
import type { Deployment } from './deployment.ts'

/** A generated source file's name and text. */
export type RenderedSource = { name: string; text: string }

/**
 * Renders a deployment as TypeScript sources: `deployment.ts` with the contracts' constants and the whole deployment,
 * and `adapters.ts` with a constant per adapter. Deterministic.
 *
 * @param given.origin The deployment file's name, shown in the first line of the sources.
 * @param given.name The name of the constant with the whole deployment.
 */
export function renderDeployment(
  deployment: Deployment,
  { origin, name }: { origin: string; name: string },
): RenderedSource[] {
  const { chainId, contracts, adapters, deployBlock } = deployment
  const header = `// Generated from ${origin} by @firmquote/addresses. Do not edit. Change that file and regenerate.`
  const address = (name: string, value: string): string =>
    `/** ${name} on chain ${chainId}. */\nexport const ${constantName(name)} = ${JSON.stringify(value)}`

  const contractSources = [
    header,
    ...Object.entries(contracts).map(([name, value]) => address(name, value)),
    `/** The block in which the interest-rate pool was deployed, from which to scan for its events. */\nexport const INTEREST_RATE_POOL_DEPLOY_BLOCK = ${deployBlock}`,
    `/** The deployment on chain ${chainId} as one object. */\nexport const ${name} = ${JSON.stringify(deployment, null, 2)} as const`,
  ]
  const adapterSources = [header, ...Object.entries(adapters).map(([name, value]) => address(name, value))]
  if (adapterSources.length === 1) adapterSources.push('export {}')

  return [
    { name: 'deployment.ts', text: `${contractSources.join('\n\n')}\n` },
    { name: 'adapters.ts', text: `${adapterSources.join('\n\n')}\n` },
  ]
}
