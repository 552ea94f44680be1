import { INTEREST_RATE_POOL_ADDRESS, KEEPER_BUNDLER_ADDRESS } from '@firmquote/addresses'
import { interestRatePoolAbi } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import { zeroAddress } from 'viem'
import {
  checkpointParameters,
  observeParameters,
  settleManyParameters,
  settleParameters,
  withdrawParameters,
} from './settleParameters.ts'

const token = zeroAddress
const seriesKey = `0x${'33'.repeat(32)}` as const

describe('the calls', () => {
  test('default: to the published contracts', () => {
    const pool = { address: INTEREST_RATE_POOL_ADDRESS, abi: interestRatePoolAbi }
    expect(settleParameters({ positionId: 1n })).toEqual({ ...pool, functionName: 'settle', args: [1n] })
    expect(checkpointParameters({ seriesKey })).toEqual({ ...pool, functionName: 'checkpoint', args: [seriesKey] })
    expect(observeParameters({ seriesKey })).toEqual({ ...pool, functionName: 'observe', args: [seriesKey] })
    expect(withdrawParameters({ token })).toEqual({ ...pool, functionName: 'withdraw', args: [token] })
    expect(settleManyParameters({ positionIds: [1n] })).toMatchObject({ address: KEEPER_BUNDLER_ADDRESS })
  })

  test('behavior: to other contracts, and for another account', () => {
    const address = `0x${'12'.repeat(20)}` as const
    const other = { interestRatePoolAddress: address }
    const calls = [
      settleParameters({ ...other, positionId: 1n }),
      checkpointParameters({ ...other, seriesKey }),
      observeParameters({ ...other, seriesKey }),
      withdrawParameters({ ...other, token }),
      settleManyParameters({ positionIds: [], keeperBundlerAddress: address }),
    ]
    expect(calls.map((call) => call.address)).toEqual(calls.map(() => address))
    const args = [address, token]
    expect(withdrawParameters({ account: address, token })).toMatchObject({ functionName: 'withdrawFor', args })
  })

  const all = { settleParameters, settleManyParameters, withdrawParameters, checkpointParameters, observeParameters }
  test.each(Object.entries(all))('error: %s with options that cannot be read', (_, parameters) => {
    expect(() => parameters(null as never)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
  })

  test.each([
    ['token', {}],
    ['token', { token: '0x12' }],
    ['account', { token, account: '0x12' }],
  ])('error: withdrawParameters with a wrong %s: %j', (path, options) => {
    expect(() => withdrawParameters(options as never)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', path }))
  })
})
