import { ChainUnavailableError, interestRatePoolAbi } from '@firmquote/core'
import { multicall3Address } from '@firmquote/core/chain'
import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import type { ConnectedChain } from './connect.ts'
import { NotExecutableError } from './errors.ts'
import { showInstant } from './format/show.ts'

/** A position as stored on-chain. */
export type ChainPosition = {
  positionId: bigint
  loanToken: Address
  state: 'settled' | 'due' | 'running'
  /** Unix seconds. */
  expiry: bigint
  seriesKey: Hex
  /** Whether the series has its checkpoint. */
  checkpointed: boolean
}

/** Maximum call data per request, in bytes. Enough for about 100 positions. */
const batchSize = 4_096

/**
 * Reads positions from the chain as of a single block. Only the position IDs come from the service.
 *
 * @throws {NotExecutableError} `POSITION_NOT_FOUND` if a position does not exist.
 * @throws {ChainUnavailableError} if a read fails.
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
    const ofSeries = <const name extends 'series' | 'checkpoints'>(functionName: name) =>
      found.map(([, , , , , key]) => ({ ...read, functionName, args: [key] }) as const)
    const [series, checkpoints, pools] = await Promise.all([
      chain.multicall({ ...options, contracts: ofSeries('series') }),
      chain.multicall({ ...options, contracts: ofSeries('checkpoints') }),
      chain.multicall({
        ...options,
        contracts: found.map(([, , , , poolId]) => ({ ...read, functionName: 'pools', args: [poolId] }) as const),
      }),
    ])
    return positionIds.map((positionId, index) => {
      const [maker = zeroAddress, , , settled, , seriesKey = zeroHash] = found[index] ?? []
      if (maker === zeroAddress) throw notFound(positionId)
      const expiry = series[index]?.[1] ?? 0n
      const state = settled ? 'settled' : expiry <= timestamp ? 'due' : 'running'
      const checkpointed = (checkpoints[index]?.[1] ?? 0n) !== 0n
      return { positionId, loanToken: pools[index]?.[0] ?? zeroAddress, state, expiry, seriesKey, checkpointed }
    })
  } catch (cause) {
    if (cause instanceof NotExecutableError) throw cause
    throw new ChainUnavailableError('Failed to read the positions from the chain.', { cause })
  }
}

/**
 * Checks that every named position has expired.
 *
 * @throws {NotExecutableError} `NOT_EXPIRED` for the first position that has not. The message contains its expiry.
 */
export function requireExpired(positions: readonly ChainPosition[]): void {
  const running = positions.find(({ state }) => state === 'running')
  if (!running) return
  const { positionId, expiry } = running
  throw new NotExecutableError(
    'NOT_EXPIRED',
    `Position ${positionId} can be settled from ${showInstant(expiry)}. No transaction was sent.`,
  )
}

function notFound(positionId: bigint): NotExecutableError {
  return new NotExecutableError(
    'POSITION_NOT_FOUND',
    `Position ${positionId} does not exist; firmquote positions lists an account's positions.`,
  )
}
