import { deserializeQuote, quoteApr, quoteEffectiveApy } from '@firmquote/core'
import { endpoints } from '@firmquote/core/endpoints'
import { currentRatesShape, decodeOrThrow, poolRatesShape } from '@firmquote/core/wire'
import { describe, expect, test } from '@jest/globals'
import { zeroAddress } from 'viem'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { type RealServer, startRealServer } from '../../test/realServer.ts'
import { createQuote, domainOf, nowSeconds, signQuote } from '../../test/signedQuotes.ts'

let server: RealServer

useDevnet(async () => {
  server = await startRealServer(devnet)
  return () => server.close()
})

const get = (path: string) => fetch(`${server.api}${path}`)

describe('pools, rates and positions', () => {
  test('default: GET /pools/rates', async () => {
    const answer = await get('/pools/rates')
    expect(answer.status).toBe(200)
    const { pools } = decodeOrThrow(poolRatesShape, await answer.json(), 'pools')
    expect(pools.map(({ poolId, series }) => [poolId, series.length])).toEqual(
      devnet.pools.map(({ poolId, series }) => [poolId, series.length]),
    )
    expect(pools[0]?.loanToken).toEqual({ address: devnet.contracts.loanToken, symbol: 'tUSD', decimals: 6 })
    expect(pools.map(({ protocol, market, collateral }) => [protocol, market, collateral?.symbol])).toEqual([
      ['morpho-blue', devnet.pools[0].market, 'tWETH'],
      ['morpho-blue', devnet.pools[1].market, 'tBTC'],
    ])
    expect(pools.map(({ collateral }) => collateral?.decimals)).toEqual([18, 8])
  })

  test('behavior: the best rate and its effective APY are of the same quote and instant', async () => {
    const [maker] = devnet.backers
    const quote = await signQuote(maker, domainOf(devnet), createQuote(devnet, maker))
    const body = JSON.stringify(quote)
    const headers = { 'content-type': 'application/json' }
    const earliest = Number(nowSeconds()) - 60
    expect((await fetch(`${server.api}/quotes`, { method: 'POST', headers, body })).status).toBe(201)
    const answer = await get(`/pools/rates?poolId=${quote.poolId}&notional=${quote.notional}`)
    const { pools } = decodeOrThrow(poolRatesShape, await answer.json(), 'pools')
    const found = pools[0]?.series.find(({ seriesKey }) => seriesKey === quote.seriesKey)
    const expiry = found?.expiry ?? 0
    const price = deserializeQuote(quote)
    // By the service's clock or the chain's, whichever is later.
    const times = Array.from({ length: 7_200 }, (_, seconds) => earliest + seconds)
    const at = times.find((time) => quoteApr(price, expiry, time) === found?.bestApr) ?? Number.NaN
    expect(found?.bestEffectiveApy).toBe(quoteEffectiveApy(price, expiry, at))
  })

  test('default: GET /rates/current', async () => {
    const answer = await get('/rates/current')
    expect(answer.status).toBe(200)
    const { rates } = decodeOrThrow(currentRatesShape, await answer.json(), 'rates')
    expect(rates.map(({ market, protocol }) => [market, protocol])).toEqual(
      devnet.pools.map(({ market }) => [market, 'morpho-blue']),
    )
  })

  test('default: GET /positions/all', async () => {
    const { address } = devnet.borrowers[0]
    const answer = await get(`/positions/all?address=${address.toLowerCase()}`)
    expect(answer.status).toBe(200)
    const positions = decodeOrThrow(endpoints.getPositions.answers[200].shape, await answer.json(), 'positions')
    expect(positions).toMatchObject({ address, positions: [], withdrawable: [], nextCursor: null })
    for (const query of ['status=settled', 'status=all&limit=500']) {
      const body = await (await get(`/positions/all?address=${address}&${query}`)).json()
      expect(body).toMatchObject({ positions: [], nextCursor: null })
    }
    expect(positions.debts).toHaveLength(2)
    expect(await (await get(`/positions/all?address=${zeroAddress}`)).json()).toMatchObject({
      debts: [],
      positions: [],
    })
  })

  test.each([
    ['/positions/all', 'address'],
    ['/positions/all?address=', 'address'],
    ['/positions/all?address=0x12', 'address'],
    ['/positions/all?address=0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'address'],
    [`/positions/all?address=${zeroAddress}&address=${zeroAddress}`, 'address'],
    [`/positions/all?address=${zeroAddress}&role=maker`, 'role'],
    [`/positions/all?address=${zeroAddress}&status=closed`, 'status'],
    [`/positions/all?address=${zeroAddress}&limit=0`, 'limit'],
    [`/positions/all?address=${zeroAddress}&limit=501`, 'limit'],
    [`/positions/all?address=${zeroAddress}&limit=1e2`, 'limit'],
    [`/positions/all?address=${zeroAddress}&cursor=x`, 'cursor'],
    [`/positions/all?address=${zeroAddress}&cursor=${'x'.repeat(257)}`, 'cursor'],
    ['/pools/rates?poolId=0x12', 'poolId'],
    ['/rates/current?x=', 'x'],
  ])('error: GET %s', async (path, where) => {
    const answer = await get(path)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ path: where }] })
  })

  test.each(['/pools/rates', '/rates/current', '/positions/all'])('error: POST %s', async (path) => {
    const answer = await fetch(`${server.api}${path}`, { method: 'POST' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET')
  })
})
