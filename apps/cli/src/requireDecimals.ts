import { ChainUnavailableError, type PoolRates } from '@firmquote/core'
import { erc20Abi } from 'viem'
import type { ConnectedChain } from './connect.ts'
import { NotExecutableError } from './errors.ts'

/**
 * Asks the chain for the decimals of a pool's token: an amount was typed in the token's units, and a service that is wrong
 * about them would make another amount of it.
 *
 * @throws {NotExecutableError} `CHECKS_FAILED` when the service is wrong.
 * @throws {ChainUnavailableError} when they cannot be read.
 */
export async function requireDecimals(
  chain: ConnectedChain,
  { loanToken }: Pick<PoolRates, 'loanToken'>,
): Promise<void> {
  const decimals = await chain
    .readContract({ address: loanToken.address, abi: erc20Abi, functionName: 'decimals' })
    .catch((cause: unknown) => {
      throw new ChainUnavailableError("The decimals of the pool's token could not be read.", { cause })
    })
  if (decimals === loanToken.decimals) return
  throw new NotExecutableError(
    'CHECKS_FAILED',
    `The service says that the pool's token has ${loanToken.decimals} decimals, the chain says ${decimals}.`,
  )
}
