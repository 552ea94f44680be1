import { INTEREST_RATE_POOL_ADDRESS, KEEPER_BUNDLER_ADDRESS } from '@firmquote/addresses'
import { interestRatePoolAbi } from '@firmquote/core'
import { type Devnet, type DevnetAccount, startDevnet } from '@firmquote/devnet'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { bytesToHex, erc20Abi, maxUint256, parseEventLogs, type TransactionReceipt, zeroAddress } from 'viem'
import { takeQuoteParameters } from '../executability/takeQuote.ts'
import { ServiceClient } from '../serviceClient.ts'
import { checkpointParameters, settleManyParameters, settleParameters, withdrawParameters } from './settleParameters.ts'

const token = zeroAddress
const seriesKey = `0x${'33'.repeat(32)}` as const

describe('the calls', () => {
  test('default: to the published contracts', () => {
    const pool = { address: INTEREST_RATE_POOL_ADDRESS, abi: interestRatePoolAbi }
    expect(settleParameters({ positionId: 1n })).toEqual({ ...pool, functionName: 'settle', args: [1n] })
    expect(checkpointParameters({ seriesKey })).toEqual({ ...pool, functionName: 'checkpoint', args: [seriesKey] })
    expect(withdrawParameters({ token })).toEqual({ ...pool, functionName: 'withdraw', args: [token] })
    expect(settleManyParameters({ positionIds: [1n] })).toMatchObject({ address: KEEPER_BUNDLER_ADDRESS })
  })

  test('behavior: to other contracts, and for another account', () => {
    const address = `0x${'12'.repeat(20)}` as const
    const other = { interestRatePoolAddress: address }
    const calls = [
      settleParameters({ ...other, positionId: 1n }),
      checkpointParameters({ ...other, seriesKey }),
      withdrawParameters({ ...other, token }),
      settleManyParameters({ positionIds: [], keeperBundlerAddress: address }),
    ]
    expect(calls.map((call) => call.address)).toEqual([address, address, address, address])
    const args = [address, token]
    expect(withdrawParameters({ account: address, token })).toMatchObject({ functionName: 'withdrawFor', args })
  })

  test.each(Object.entries({ settleParameters, settleManyParameters, withdrawParameters, checkpointParameters }))(
    'error: %s with options that cannot be read',
    (_, parameters) => {
      expect(() => parameters(null as never)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
    },
  )

  test.each([
    ['token', {}],
    ['token', { token: '0x12' }],
    ['account', { token, account: '0x12' }],
  ])('error: withdrawParameters with a wrong %s: %j', (path, options) => {
    expect(() => withdrawParameters(options as never)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', path }))
  })
})

describe('on a chain', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet()
  }, 60_000)
  afterAll(() => devnet?.stop())

  const send = async (from: DevnetAccount, call: object): Promise<TransactionReceipt> => {
    const gas = 2_000_000n
    const hash = await devnet.walletClient(from).writeContract({ ...call, gas } as never)
    const receipt = await devnet.publicClient.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    return receipt
  }
  const eventsOf = <const Name extends 'SeriesCheckpointed' | 'PositionSettled' | 'Credited' | 'Withdrawn'>(
    { logs }: TransactionReceipt,
    eventName: Name,
  ) => parseEventLogs({ abi: interestRatePoolAbi, logs, eventName })

  test('default: from the checkpoint to the withdrawal, for the sender and for others', async () => {
    const { backers, borrowers, deployer, contracts, chainId, testClient, publicClient } = devnet
    const [{ poolId, series }] = devnet.pools
    const [{ seriesKey: key, expiry } = { seriesKey, expiry: 0 }] = series
    const signer = new ServiceClient({ chainId, quoteMarketAddress: contracts.quoteMarket })
    signer.setPrivateKey(backers[0].privateKey)
    for (const vrtAmount of [5n, 6n, 7n]) {
      const salt = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
      const terms = { maker: backers[0].address, taker: zeroAddress, poolId, seriesKey: key, salt }
      const quote = { ...terms, notional: 10n ** 9n, vrtAmount, nonce: 0n, deadline: maxUint256 }
      const { signature } = await signer.signQuoteMarketQuote(quote)
      await send(borrowers[0], takeQuoteParameters({ ...quote, signature }))
    }
    await testClient.setNextBlockTimestamp({ timestamp: BigInt(expiry) })

    const checkpoint = await send(deployer, checkpointParameters({ seriesKey: key }))
    expect(eventsOf(checkpoint, 'SeriesCheckpointed')).toMatchObject([
      { args: { seriesKey: key, readAt: BigInt(expiry) } },
    ])
    const settled = [
      await send(deployer, settleParameters({ positionId: 1n })),
      // What cannot be settled is passed over.
      await send(deployer, settleManyParameters({ positionIds: [1n, 2n, 99n, 3n] })),
    ].flatMap((receipt) => eventsOf(receipt, 'PositionSettled').map(({ args }) => args))
    expect(settled.map(({ positionId }) => positionId)).toEqual([1n, 2n, 3n])

    const { loanToken } = contracts
    const balanceOf = ({ address }: DevnetAccount) =>
      publicClient.readContract({ address: loanToken, abi: erc20Abi, functionName: 'balanceOf', args: [address] })
    for (const [account, from, amount] of [
      [borrowers[0], borrowers[0], settled.reduce((sum, { toBorrower }) => sum + toBorrower, 0n)],
      [backers[0], deployer, settled.reduce((sum, { toMaker }) => sum + toMaker, 0n)],
    ] as const) {
      const before = await balanceOf(account)
      const own = from === account
      const call = withdrawParameters({ token: loanToken, ...(own ? {} : { account: account.address }) })
      expect(eventsOf(await send(from, call), 'Withdrawn')).toMatchObject([
        { args: { account: account.address, amount } },
      ])
      expect((await balanceOf(account)) - before).toBe(amount)
      expect(amount).toBeGreaterThan(0n)
    }
  })
})
