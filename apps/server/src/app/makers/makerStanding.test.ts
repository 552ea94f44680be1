import { ChainUnavailableError } from '@firmquote/core'
import { interestRatePoolAbi, testTokenAbi } from '@firmquote/devnet'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { devnet, useTestDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { createChainDriver } from '../../../test/chainDriver.ts'
import { type RealService, signedQuote, startRealService } from '../../../test/realService.ts'

let service: RealService

useTestDevnet()
beforeEach(async () => {
  service = await startRealService(devnet, { limits: { dustDivisor: 1e15 } })
})
afterEach(() => service.close())

const stranger: Address = '0x00000000000000000000000000000000000000aB'

/** Fills the first backer's quote for this notional and syncs the service. */
async function fill(notional: bigint): Promise<void> {
  const quote = await signedQuote(devnet, devnet.backers[0], { notional, vrtAmount: 0n })
  await createChainDriver(devnet).take(devnet.borrowers[0], quote)
  await service.sync.cycle()
}

describe('createReadStanding', () => {
  test("default: a maker's funds are the lesser of balance and allowance, by lower-case address", async () => {
    const { loanToken } = devnet.contracts
    const [first, second, third] = devnet.backers
    const token = { address: loanToken, abi: testTokenAbi } as const
    await createChainDriver(devnet).approve(second, 7n)
    const balanceOf = (address: Address) =>
      devnet.publicClient.readContract({ ...token, functionName: 'balanceOf', args: [address] })

    const makers = [first.address, second.address, third.address, stranger, first.address.toLowerCase() as Address]
    const { funds, filled } = await service.readStanding(makers)
    expect([...funds.values()].map((amounts) => new Map(amounts))).toEqual([
      new Map([
        [first.address.toLowerCase(), await balanceOf(first.address)],
        [second.address.toLowerCase(), 7n],
        [third.address.toLowerCase(), await balanceOf(third.address)],
        [stranger.toLowerCase(), 0n],
      ]),
    ])
    expect(filled).toEqual(new Set())
  })

  test('behavior: a large fill counts for 30 days, a small one never', async () => {
    const { address } = devnet.backers[0]
    const filled = async () => [...(await service.readStanding([address, stranger])).filled]
    const [{ poolId, series }] = devnet.pools
    const { interestRatePool } = devnet.contracts
    const [, , cap] = await devnet.publicClient.readContract({
      address: interestRatePool,
      abi: interestRatePoolAbi,
      functionName: 'series',
      args: [series[1]?.seriesKey ?? poolId],
    })
    const least = (cap + 99_999n) / 100_000n
    expect(least).toBeGreaterThan(1n)
    await fill(least - 1n)
    expect(await filled()).toEqual([])
    await fill(least)
    expect(await filled()).toEqual([address.toLowerCase()])

    await devnet.testClient.mine({ blocks: 29 * 24, interval: 3_600 })
    service.clock.advance(3_600_000)
    expect(await filled()).toEqual([address.toLowerCase()])
    await devnet.testClient.mine({ blocks: 11 * 24, interval: 3_600 })
    // The service looks up the block from 30 days ago once an hour.
    service.clock.advance(3_599_999)
    expect(await filled()).toEqual([address.toLowerCase()])
    service.clock.advance(1)
    expect(await filled()).toEqual([])
  })

  test('error: it rejects when the node does not answer', async () => {
    service.node.interfere = () => ({ status: 503 })
    await expect(service.readStanding([devnet.backers[0].address])).rejects.toThrow(ChainUnavailableError)
  })
})
