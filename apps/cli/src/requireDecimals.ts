import { ChainUnavailableError, type PoolRates } from '@firmquote/core'
import { erc20Abi } from 'viem'
import type { ConnectedChain } from './connect.ts'
import { NotExecutableError } from './errors.ts'

/**
 * Checks a pool token's decimals on-chain. Users type amounts in token units, so wrong decimals from the service would
 * scale the amounts.
 *
 * @throws {NotExecutableError} `CHECKS_FAILED` if the service reports wrong decimals.
 * @throws {ChainUnavailableError} if the read fails.
 */
export async function requireDecimals(
  chain: ConnectedChain,
  { loanToken }: Pick<PoolRates, 'loanToken'>,
): Promise<void> {
  const decimals = await chain
    .readContract({ address: loanToken.address, abi: erc20Abi, functionName: 'decimals' })
    .catch((cause: unknown) => {
      throw new ChainUnavailableError("Failed to read the decimals of the pool's token.", { cause })
    })
  if (decimals === loanToken.decimals) return
  throw new NotExecutableError(
    'CHECKS_FAILED',
    `The pool's token has ${decimals} decimals on-chain, but ${loanToken.decimals} according to the service.`,
  )
}
