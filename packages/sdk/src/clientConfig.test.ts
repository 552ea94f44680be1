import { INTEREST_RATE_POOL_ADDRESS, PRODUCTION_DEPLOYMENT, QUOTE_MARKET_ADDRESS } from '@firmquote/addresses'
import { describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { backerChannelUrl, resolveClientConfig } from './clientConfig.ts'
import { InvalidInputError } from './coreErrors.ts'

const other = '0x1111111111111111111111111111111111111111' as const

describe('resolveClientConfig', () => {
  test('default: production, on this machine', () => {
    expect(resolveClientConfig()).toEqual({
      orderbookUrl: 'http://localhost:3005',
      chainId: 8453,
      factoryAddress: INTEREST_RATE_POOL_ADDRESS,
      quoteMarketAddress: QUOTE_MARKET_ADDRESS,
      interestRatePoolAddress: INTEREST_RATE_POOL_ADDRESS,
    })
  })

  test('behavior: factoryAddress is an alias of interestRatePoolAddress', () => {
    for (const given of [{ factoryAddress: other }, { interestRatePoolAddress: other }] as const) {
      expect(resolveClientConfig(given)).toMatchObject({ factoryAddress: other, interestRatePoolAddress: other })
    }
  })

  test('behavior: interestRatePoolAddress takes precedence if both are given', () => {
    expect(resolveClientConfig({ factoryAddress: QUOTE_MARKET_ADDRESS, interestRatePoolAddress: other })).toMatchObject(
      {
        factoryAddress: other,
        interestRatePoolAddress: other,
      },
    )
  })

  test('behavior: a deployment states the chain and the contracts, in any case', () => {
    const contracts = { quoteMarket: other, interestRatePool: QUOTE_MARKET_ADDRESS.toLowerCase() as Address } as const
    const market = { chainId: 7, quoteMarketAddress: other, interestRatePoolAddress: QUOTE_MARKET_ADDRESS } as const
    const deployment = { chainId: 7, contracts }
    expect(resolveClientConfig({ deployment })).toMatchObject(market)
    expect(resolveClientConfig({ deployment, ...market })).toMatchObject(market)
    expect(resolveClientConfig({ deployment: PRODUCTION_DEPLOYMENT })).toEqual(resolveClientConfig())
    for (const [path, value] of Object.entries({
      ...{ chainId: 8, quoteMarketAddress: QUOTE_MARKET_ADDRESS, interestRatePoolAddress: other },
      factoryAddress: other,
    })) {
      const act = () => resolveClientConfig({ deployment, [path]: value })
      expect(act).toThrow(`is ${value}, but the deployment has `)
      expect(act).toThrow(InvalidInputError)
    }
  })

  test.each([
    ['https://rfq.example.com', 'https://rfq.example.com'],
    ['https://rfq.example.com/', 'https://rfq.example.com'],
    ['https://rfq.example.com/api/v1', 'https://rfq.example.com'],
    ['https://rfq.example.com/api/v1/', 'https://rfq.example.com'],
    ['https://rfq.example.com/api/v1//', 'https://rfq.example.com'],
    ['https://rfq.example.com/base/api/v1', 'https://rfq.example.com/base'],
    ['https://rfq.example.com/base/', 'https://rfq.example.com/base'],
    ['https://rfq.example.com/my-api/v1', 'https://rfq.example.com/my-api/v1'],
  ])('behavior: %s is the service at %s', (orderbookUrl, service) => {
    expect(resolveClientConfig({ orderbookUrl }).orderbookUrl).toBe(service)
  })

  test('behavior: addresses are checksummed, the URL loses its slash and keeps its path', () => {
    expect(
      resolveClientConfig({
        orderbookUrl: 'HTTPS://Example.COM:443/quotes//',
        quoteMarketAddress: QUOTE_MARKET_ADDRESS.toLowerCase() as `0x${string}`,
      }),
    ).toMatchObject({ orderbookUrl: 'https://example.com/quotes', quoteMarketAddress: QUOTE_MARKET_ADDRESS })
  })

  test.each([
    [{ orderbookUrl: 'localhost:3005' }, 'orderbookUrl'],
    [{ orderbookUrl: '' }, 'orderbookUrl'],
    [{ orderbookUrl: 'ftp://localhost' }, 'orderbookUrl'],
    [{ orderbookUrl: 'http://a:b@localhost' }, 'orderbookUrl'],
    [{ orderbookUrl: 'http://localhost?a=b' }, 'orderbookUrl'],
    [{ chainId: 0 }, 'chainId'],
    [{ chainId: 1.5 }, 'chainId'],
    [{ chainId: '8453' }, 'chainId'],
    [{ quoteMarketAddress: '0x1' }, 'quoteMarketAddress'],
    [{ quoteMarketAddress: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, 'quoteMarketAddress'],
    [{ factoryAddress: '0x1' }, 'factoryAddress'],
    [{ factoryAddress: '0x1', interestRatePoolAddress: other }, 'factoryAddress'],
  ])('error: %j', (config, path) => {
    expect(() => resolveClientConfig(config as never)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', path }))
  })
})

test('backerChannelUrl: ws for http, and the base path stays', () => {
  expect(backerChannelUrl('http://localhost:3005')).toBe('ws://localhost:3005/ws/rfq')
  expect(backerChannelUrl('https://example.com/quotes')).toBe('wss://example.com/quotes/ws/rfq')
})
