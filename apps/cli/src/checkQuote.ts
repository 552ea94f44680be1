import { setTimeout as sleep } from 'node:timers/promises'
import { ChainUnavailableError, type CollectedQuote, type RFQ, type RFQRequest } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import { checkExecutability, type Executability, type ServiceClient } from '@firmquote/sdk'
import type { Address } from 'viem'
import type { ConnectedChain } from './connect.ts'
import type { Context } from './context.ts'
import { NotExecutableError } from './errors.ts'
import { renderChecks } from './format/checks.ts'
import { showInstant } from './format/show.ts'

/** How often a node that is behind is asked again. */
const mostTries = 30

/**
 * Checks the best quote of an auction on the chain, and shows the checks.
 *
 * @throws {NotExecutableError} when the series is not what the service said.
 * @throws {ChainUnavailableError} when the chain could not be read.
 */
export async function checkQuote(
  context: Pick<Context, 'write' | 'style'>,
  client: ServiceClient,
  parts: {
    chain: ConnectedChain
    best: Pick<CollectedQuote, 'quote' | 'hash'>
    request: RFQRequest
    rfq: Pick<RFQ, 'expiry'>
    taker: Address
    json: boolean | undefined
    /** The block from which on the answer counts: a node may be behind the one that mined what was sent. */
    since: bigint | undefined
  },
): Promise<Executability> {
  // The request is the caller's, not the service's copy of it.
  const { chain: publicClient, best, request, taker: borrower, json, since = 0n } = parts
  const ask = () => checkExecutability(best.quote, { ...client.getConfig(), request, borrower, publicClient })
  let verdict = await ask()
  for (let tries = 1; verdict.block.number < since; tries += 1) {
    if (tries === mostTries) throw new ChainUnavailableError(`The node of --rpc does not come to block ${since}.`)
    await sleep(publicClient.pollingInterval)
    verdict = await ask()
  }
  context.write(
    json
      ? `${encodeJson({ type: 'checks', data: { hash: best.hash, ...verdict } })}\n`
      : `${renderChecks(verdict, context.style)}\n`,
  )
  const [, , , { seriesExpiry }] = verdict.checks
  if (seriesExpiry !== null && seriesExpiry !== parts.rfq.expiry) {
    const until = `${showInstant(seriesExpiry)}, not at ${showInstant(parts.rfq.expiry)}`
    throw new NotExecutableError('CHECKS_FAILED', `The series of the best quote ends at ${until} as the service said.`)
  }
  return verdict
}
