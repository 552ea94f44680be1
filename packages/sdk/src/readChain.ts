import { ChainUnavailableError as ChainUnavailable } from '@firmquote/core'
import { multicall3Address } from '@firmquote/core/chain'
import type { Address, Client } from 'viem'
import { getChainId, getCode } from 'viem/actions'
import { ChainUnavailableError, InvalidInputError } from './coreErrors.ts'

/** @throws {InvalidInputError} if it is not a viem client. */
export function checkClient(client: Client | undefined, path: string): asserts client is Client {
  if (typeof client?.request === 'function') return
  throw new InvalidInputError('must be a viem client: createPublicClient(…) or createWalletClient(…).', {
    path,
    given: client,
  })
}

/** @throws {InvalidInputError} if a client is for another chain. */
export function checkChain({ chain }: Client, chainId: number, what: string): void {
  if (!chain || chain.id === chainId) return
  throw new InvalidInputError(`reads chain ${chain.id}, but ${what} chain ${chainId}.`, { path: 'publicClient' })
}

/**
 * Runs a read of the chain. If the node responded and the read failed, looks for an address without code.
 *
 * @throws {ChainUnavailableError} that names the address, or the read's own error.
 */
export async function readChain<T>(client: Client, contracts: Address[], read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ChainUnavailable) || error.walk(isUnanswered)) throw error
    for (const address of [...contracts, multicall3Address]) {
      const code = await getCode(client, { address }).catch(() => null)
      if (code !== undefined) continue
      const chainId = await getChainId(client).catch(() => 'unknown')
      throw new ChainUnavailableError(`There is no contract at ${address} on chain ${chainId}.`, {
        details: "Check the contracts' addresses and the node's chain.",
        cause: error,
      })
    }
    throw error
  }
}

/** Whether a node did not respond, or refused the request. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Error && /(Request|Timeout|SocketClosed)Error$/.test(error.name)
}
