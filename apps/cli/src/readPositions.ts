import { ChainUnavailableError, interestRatePoolAbi } from '@firmquote/core'
import { multicall3Address } from '@firmquote/core/chain'
import { type Address, zeroAddress } from 'viem'
import type { ConnectedChain } from './connect.ts'
import { NotExecutableError } from './errors.ts'
import { showInstant } from './format/show.ts'

/** A position as the chain has it. */
export type ChainPosition = {
  positionId: bigint
  loanToken: Address
  state: 'settled' | 'due' | 'running'
  /** Unix seconds. */
  expiry: bigint
}

/** Bytes of calls in one request: about 100 positions. */
const batchSize = 4_096

/**
 * Reads positions from the chain itself, all at one block: the service only says which there are.
 *
 * @throws {NotExecutableError} `POSITION_NOT_FOUND`.
 * @throws {ChainUnavailableError} when they cannot be read.
 */
export async function readPositions(
  chain: ConnectedChain,
  pool: Address,
  positionIds: readonly bigint[],
): Promise<ChainPosition[]> {
  if (positionIds.length === 0) return []
  const read = { address: pool, abi: interestRatePoolAbi } as const
  try {
    const { number: blockNumber, timestamp } = await chain.getBlock()
    const options = { blockNumber, allowFailure: false, multicallAddress: multicall3Address, batchSize } as const
    const found = await chain.multicall({
      ...options,
      contracts: positionIds.map((id) => ({ ...read, functionName: 'positions', args: [id] }) as const),
    })
    const [series, pools] = await Promise.all([
      chain.multicall({
        ...options,
        contracts: found.map(([, , , , , key]) => ({ ...read, functionName: 'series', args: [key] }) as const),
      }),
      chain.multicall({
        ...options,
        contracts: found.map(([, , , , poolId]) => ({ ...read, functionName: 'pools', args: [poolId] }) as const),
      }),
    ])
    return positionIds.map((positionId, index) => {
      const [maker = zeroAddress, , , settled] = found[index] ?? []
      if (maker === zeroAddress) throw notFound(positionId)
      const expiry = series[index]?.[1] ?? 0n
      const state = settled ? 'settled' : expiry <= timestamp ? 'due' : 'running'
      return { positionId, loanToken: pools[index]?.[0] ?? zeroAddress, state, expiry }
    })
  } catch (cause) {
    if (cause instanceof NotExecutableError) throw cause
    throw new ChainUnavailableError('The positions could not be read from the chain.', { cause })
  }
}

/**
 * Checks that every position that was asked for by its number can be settled, or is.
 *
 * @throws {NotExecutableError} `NOT_EXPIRED`, with the time from which on it can be.
 */
export function requireExpired(positions: readonly ChainPosition[]): void {
  const running = positions.find(({ state }) => state === 'running')
  if (!running) return
  const { positionId, expiry } = running
  throw new NotExecutableError(
    'NOT_EXPIRED',
    `Position ${positionId} can be settled from ${showInstant(expiry)} on. Nothing was sent.`,
  )
}

function notFound(positionId: bigint): NotExecutableError {
  return new NotExecutableError(
    'POSITION_NOT_FOUND',
    `There is no position ${positionId}; firmquote positions lists those of an account.`,
  )
}
