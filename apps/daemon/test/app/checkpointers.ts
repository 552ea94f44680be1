import type { Clock } from '@firmquote/core/utils'
import { createTestPool, type Devnet, interestRatePoolAbi } from '@firmquote/devnet'
import { createListLog } from '@firmquote/test-support/listLog'
import { encodeAbiParameters, type Hex, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createViemChain } from '../../src/adapters/viemChain/createViemChain.ts'
import { createCheckpointTimers } from '../../src/app/checkpointTimers.ts'
import { createPositionBook } from '../../src/app/positionBook.ts'
import { openPositions } from '../openPositions.ts'

/** A series in which each of the devnet's backers has a position. `expiry` is in Unix seconds. */
export type ExpiringSeries = { seriesKey: Hex; expiry: number }

/** Creates a pool with series that expire at these times. Each backer has a position in each series. */
export async function createExpiringSeries(devnet: Devnet, expiries: readonly number[]): Promise<ExpiringSeries[]> {
  const { backers, borrowers, contracts, deployer, publicClient, walletClient } = devnet
  const { loanToken } = contracts
  const { poolId } = await createTestPool(devnet, loanToken)
  const parties = backers.map(({ address }) => ({ maker: address, borrower: borrowers[0].address }))
  const created: ExpiringSeries[] = []
  for (const expiry of expiries) {
    const args = [poolId, BigInt(expiry), 10n ** 15n] as const
    const call = { address: contracts.interestRatePool, abi: interestRatePoolAbi } as const
    const hash = await walletClient(deployer).writeContract({ ...call, functionName: 'createSeries', args })
    await publicClient.waitForTransactionReceipt({ hash })
    const seriesKey = keccak256(
      encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint64' }], [poolId, BigInt(expiry)]),
    )
    await openPositions(devnet, { poolId, seriesKey, loanToken }, parties)
    created.push({ seriesKey, expiry })
  }
  return created
}

/** Creates the checkpoint timers of a backer, as in a daemon that has just started. */
export function createCheckpointer(devnet: Devnet, index: 0 | 1 | 2, clock: Clock) {
  const { chainId, contracts, rpcUrl } = devnet
  const account = privateKeyToAccount(devnet.backers[index].privateKey)
  const { positions: chain } = createViemChain({ ...contracts, rpcUrl, chainId, account })
  const maker = account.address
  const book = createPositionBook(chain, { maker, holdsAll: false })
  const log = createListLog()
  const timers = createCheckpointTimers({
    ...{ maker, chain, book, clock, log },
    maxGasPrice: 10n ** 11n,
    isDisabled: () => false,
    counts: { checkpointTaken() {} },
  })
  return { maker, chain, book, timers, logged: log.entries }
}

/** Reads when the series' checkpoint was taken, in Unix seconds. 0 if there is none. */
export async function readCheckpointTime({ contracts, publicClient }: Devnet, seriesKey: Hex): Promise<number> {
  const call = { address: contracts.interestRatePool, abi: interestRatePoolAbi } as const
  const [, readAt] = await publicClient.readContract({ ...call, functionName: 'checkpoints', args: [seriesKey] })
  return Number(readAt)
}
