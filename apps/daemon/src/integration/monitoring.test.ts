import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@firmquote/cluster/freePort'
import { interestRatePoolAbi } from '@firmquote/core'
import { RfqDaemonClient } from '@firmquote/sdk/node'
import { type DaemonProcess, startDaemon } from '@firmquote/test-support/startDaemon'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openPositions } from '../../test/openPositions.ts'

// Runs the published program with a keeper, metrics, an example pricer and an alert hook.

let stack: Stack
let daemon: DaemonProcess | undefined
beforeAll(async () => {
  stack = await startStack({ AUCTION_DURATION_MS: '2000' })
}, 60_000)
afterAll(async () => {
  daemon?.child.kill('SIGKILL')
  await stack?.stop()
})

describe('firmquote-daemon', () => {
  test('default: takes checkpoints, settles matured positions, serves metrics and reports alerts', async () => {
    const { devnet, folder } = stack
    const [account] = devnet.backers
    const [pool] = devnet.pools
    const [series] = pool.series
    if (!series) throw new TypeError('there are no series')
    const { seriesKey, expiry } = series
    const market = { poolId: pool.poolId, seriesKey, loanToken: devnet.contracts.loanToken }
    const parties = { maker: account.address, borrower: devnet.borrowers[0].address }
    await openPositions(devnet, market, [parties, parties, { ...parties, maker: devnet.backers[1].address }])
    await devnet.testClient.setNextBlockTimestamp({ timestamp: BigInt(expiry) })
    // Enough blocks for every turn. The turn of the account depends on the series, and so on the day.
    await devnet.testClient.mine({ blocks: 10, interval: 2 })

    // Enough native coins for a few transactions.
    await devnet.testClient.setBalance({ address: account.address, value: 10n ** 16n })
    const port = await freePort()
    const keeping = { keeper: 'own', keeperMaxGasPriceGwei: 100 }
    const settings = { ...keeping, metrics: { port }, alerts: { transactions: 1_000 } }
    const own = join(folder, 'sight')
    const pricer = fileURLToPath(new URL('../../../../examples/pricers/inventory.mjs', import.meta.url))
    daemon = startDaemon(stack, { account, folder: own, spreadBps: 20, pricer, settings })
    await daemon.says(/^ready /m)
    await daemon.says(/"late":\d+,"msg":"checkpoint taken"/)
    await daemon.says(/"msg":"settled"/)
    await daemon.says(/"msg":"withdrawn"/)
    const contract = { address: devnet.contracts.interestRatePool, abi: interestRatePoolAbi } as const
    const settled = await Promise.all(
      [1n, 2n, 3n].map(async (id) => {
        const position = await devnet.publicClient.readContract({ ...contract, functionName: 'positions', args: [id] })
        return position[3]
      }),
    )
    expect(settled).toEqual([true, true, false])

    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(page).toContain('\nfirmquote_daemon_settled_positions_total 2\n')
    expect(page).toContain('\nfirmquote_daemon_checkpoints_total 1\n')
    expect(page).toContain('\nfirmquote_daemon_connected 1\n')
    expect(page).toMatch(/\nfirmquote_daemon_balance_tokens\{token="tUSD"\} \d/)
    expect(page).toContain('firmquote_daemon_alert{code="GAS_MONEY_LOW"} 1\n')
    expect(page.toLowerCase()).not.toContain(account.address.slice(2).toLowerCase())

    const client = new RfqDaemonClient({ socketPath: daemon.socketPath })
    const { alerts } = await client.status()
    expect(alerts).toEqual([{ code: 'GAS_MONEY_LOW', token: null, message: expect.stringContaining('send more') }])
    client.close()
    daemon.child.kill('SIGTERM')
    expect(await daemon.ended).toBe(0)
  }, 60_000)
})
