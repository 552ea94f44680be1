// Makes each of the six checks fail separately, on one shared devnet.

import type { QuoteMarketQuote, SignedQuote } from '@firmquote/core'
import { backers, borrowers, type DevnetAccount } from '@firmquote/devnet'
import { describe, expect, test } from '@jest/globals'
import { createPublicClient, custom, erc20Abi, type Hex, http, numberToHex, zeroAddress } from 'viem'
import { devnet, mined, now, quoteOf, useTestDevnet } from '../../test/testDevnet.ts'
import { checkExecutability } from './checkExecutability.ts'
import type { Executability } from './executability.ts'
import {
  approveParameters,
  cancelQuoteParameters,
  raiseNonceParameters,
  setOperatorParameters,
  takeQuoteParameters,
} from './takeQuote.ts'

useTestDevnet()

const [maker] = backers
const [borrower] = borrowers
const series = (index = 0) => devnet.pools[0].series[index] as { seriesKey: Hex; expiry: number }
/** An executable quote with the given changes. */
const sign = (change: Partial<QuoteMarketQuote> = {}, by: DevnetAccount = maker) =>
  quoteOf(by, 250_000_000_000n, 1_000_000_000n, change)

function check(signed: SignedQuote, change: Partial<Parameters<typeof checkExecutability>[1]> = {}) {
  return checkExecutability(signed, {
    request: { poolId: signed.poolId, seriesKey: signed.seriesKey, notional: signed.notional },
    borrower: borrower.address,
    publicClient: devnet.publicClient,
    now: Number(now),
    ...change,
  })
}

const failed = ({ checks }: Executability) => checks.filter(({ ok }) => !ok).map(({ name }) => name)
const reasonOf = ({ checks }: Executability, index: number) => checks[index]?.reason

const giveAway = (amount: bigint) => ({
  address: devnet.contracts.loanToken,
  abi: erc20Abi,
  functionName: 'transfer',
  args: [devnet.deployer.address, amount],
})
const balanceOf = ({ address }: DevnetAccount) =>
  devnet.publicClient.readContract({
    address: devnet.contracts.loanToken,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })
const approve = (amount: bigint) => approveParameters({ loanToken: devnet.contracts.loanToken, amount })

test('default: an executable quote: six checks in the specified order, one block, the cost', async () => {
  const signed = await sign()
  const result = await check(signed)
  expect(result).toMatchObject({ executable: true, cost: signed.vrtAmount })
  expect(result.checks.map(({ name, ok, reason }) => [name, ok, reason])).toEqual([
    ['deadline', true, undefined],
    ['nonceAndStatus', true, undefined],
    ['makerFunds', true, undefined],
    ['terms', true, undefined],
    ['preview', true, undefined],
    ['borrower', true, undefined],
  ])
  const block = await devnet.publicClient.getBlock()
  expect(result.block).toEqual({ number: block.number, hash: block.hash, timestamp: block.timestamp })
})

test('behavior: taken in three lines; the second take fails, and the check says why', async () => {
  const signed = await sign()
  expect((await check(signed)).executable).toBe(true)
  await mined(borrower, takeQuoteParameters(signed))

  await expect(
    devnet.publicClient.simulateContract({ ...takeQuoteParameters(signed), account: devnet.borrowers[1].address }),
  ).rejects.toThrow('QuoteNotExecutable')
  const result = await check(signed)
  expect(result.executable).toBe(false)
  expect(failed(result)).toEqual(['nonceAndStatus', 'preview'])
  expect(result.checks[1]).toMatchObject({
    status: 'filled',
    reason: 'This quote has already been taken.',
    rejection: { code: 'QUOTE_FILLED' },
  })
  expect(result.checks[4]).toMatchObject({ contractReason: 'QUOTE_FILLED' })
})

describe('1. deadline', () => {
  test('error: within the submission window', async () => {
    const result = await check(await sign({ deadline: now + 29n }))
    expect(failed(result)).toEqual(['deadline'])
    expect(result.checks[0]).toMatchObject({ rejection: { code: 'DEADLINE_TOO_SOON' }, submissionWindowSeconds: 30 })
    expect(reasonOf(result, 0)).toContain('too little time')
  })

  test('behavior: exactly the window is enough, and the window can be chosen', async () => {
    const signed = await sign({ deadline: now + 30n })
    expect((await check(signed)).executable).toBe(true)
    expect(failed(await check(signed, { submissionWindowSeconds: 31 }))).toEqual(['deadline'])
  })

  test("error: passed by this machine's clock", async () => {
    const result = await check(await sign({ deadline: now + 600n }), { now: Number(now) + 601 })
    expect(failed(result)).toEqual(['deadline'])
    expect(result.checks[0]).toMatchObject({ rejection: { code: 'DEADLINE_PASSED' } })
  })

  test("error: passed by the chain's clock, whatever this machine's says", async () => {
    const signed = await sign({ deadline: now + 100n })
    await devnet.testClient.setNextBlockTimestamp({ timestamp: now + 101n })
    await devnet.testClient.mine({ blocks: 1 })
    const result = await check(signed)
    expect(failed(result)).toEqual(['deadline', 'preview'])
    expect(result.checks[0]).toMatchObject({ now: now + 101n, rejection: { code: 'DEADLINE_PASSED' } })
    expect(result.checks[4]).toMatchObject({ contractReason: 'DEADLINE_PASSED' })
  })
})

describe('2. nonce and status', () => {
  test('error: the maker has raised its nonce', async () => {
    const signed = await sign()
    await mined(maker, raiseNonceParameters())
    const result = await check(signed)
    expect(failed(result)).toEqual(['nonceAndStatus', 'preview'])
    expect(result.checks[1]).toMatchObject({
      makerNonce: 1n,
      rejection: { code: 'NONCE_MISMATCH', nonce: 0n, makerNonce: 1n },
    })
  })

  test('error: the maker has cancelled it', async () => {
    const signed = await sign()
    await mined(maker, cancelQuoteParameters(signed))
    const result = await check(signed)
    expect(failed(result)).toEqual(['nonceAndStatus', 'preview'])
    expect(result.checks[1]).toMatchObject({ status: 'cancelled', rejection: { code: 'QUOTE_CANCELLED' } })
  })
})

describe("3. the maker's funds", () => {
  test('error: too few tokens', async () => {
    const signed = await sign()
    await mined(maker, giveAway((await balanceOf(maker)) - signed.notional + 1n))
    const result = await check(signed)
    expect(failed(result)).toEqual(['makerFunds', 'preview'])
    expect(result.checks[2]).toMatchObject({
      balance: signed.notional - 1n,
      rejection: { code: 'INSUFFICIENT_BALANCE', needed: signed.notional },
    })
  })

  test('error: too small an allowance', async () => {
    const signed = await sign()
    await mined(maker, approve(signed.notional - 1n))
    const result = await check(signed)
    expect(failed(result)).toEqual(['makerFunds', 'preview'])
    expect(result.checks[2]).toMatchObject({
      allowance: signed.notional - 1n,
      rejection: { code: 'INSUFFICIENT_ALLOWANCE', needed: signed.notional },
    })
  })

  test('error: an unknown pool', async () => {
    const result = await check(await sign({ poolId: numberToHex(1, { size: 32 }) }))
    expect(result.checks[2]).toMatchObject({ loanToken: null, rejection: { code: 'POOL_NOT_FOUND' } })
    expect(failed(result)).toEqual(['makerFunds', 'terms', 'preview', 'borrower'])
  })
})

describe('4. the terms', () => {
  const requests: [string, (signed: SignedQuote) => object, string][] = [
    ['more was asked for', ({ notional }) => ({ notional: notional + 1n }), 'not for the requested 250000000001'],
    ['less was asked for', ({ notional }) => ({ notional: notional - 1n }), 'above the requested 249999999999'],
    ['another series was asked for', () => ({ seriesKey: series(1).seriesKey }), 'seriesKey'],
    ['another pool was asked for', () => ({ poolId: devnet.pools[1].poolId }), 'poolId'],
    ['it may not cost so much', ({ vrtAmount }) => ({ maxVrtAmount: vrtAmount - 1n }), 'maxVrtAmount'],
  ]
  test.each(requests)('error: %s', async (_what, change, reason) => {
    const signed = await sign()
    const { poolId, seriesKey, notional } = signed
    const result = await check(signed, { request: { poolId, seriesKey, notional, ...change(signed) } })
    expect(failed(result)).toEqual(['terms'])
    expect(reasonOf(result, 3)).toContain(reason)
  })

  test("behavior: a partial fill is accepted by asking for the quote's own notional", async () => {
    const signed = await sign({ notional: 100_000_000_000n })
    const request = { seriesKey: signed.seriesKey, notional: 250_000_000_000n }
    const result = await check(signed, { request })
    expect(failed(result)).toEqual(['terms'])
    expect(result.checks[3]).toMatchObject({ notional: signed.notional, requestedNotional: request.notional })
    expect((await check(signed, { request: { ...request, notional: signed.notional } })).executable).toBe(true)
  })

  test('behavior: a target expiry allows a series that ends then or later', async () => {
    const signed = await sign()
    const { poolId, notional } = signed
    const { expiry } = series()
    for (const [target, names] of [
      [expiry, []],
      [expiry - 1, []],
      [expiry + 1, ['terms']],
    ] as const) {
      expect(failed(await check(signed, { request: { poolId, notional, expiry: target } }))).toEqual(names)
    }
  })

  test('error: the series has expired', async () => {
    const signed = await sign({ deadline: BigInt(series().expiry) + 600n })
    await devnet.testClient.setNextBlockTimestamp({ timestamp: BigInt(series().expiry) })
    await devnet.testClient.mine({ blocks: 1 })
    const result = await check(signed)
    expect(failed(result)).toEqual(['terms', 'preview'])
    expect(result.checks[3]).toMatchObject({ rejection: { code: 'SERIES_EXPIRED' } })
  })

  test('error: a series of another pool', async () => {
    const [other] = devnet.pools[1].series
    const result = await check(await sign({ seriesKey: other?.seriesKey ?? '0x' }))
    expect(failed(result)).toEqual(['terms', 'preview'])
    expect(result.checks[3]).toMatchObject({ rejection: { code: 'SERIES_NOT_FOUND' } })
  })
})

describe('5. the preview', () => {
  test('error: another account has signed', async () => {
    const { signature } = await sign({}, devnet.backers[1])
    const result = await check({ ...(await sign()), signature })
    expect(failed(result)).toEqual(['preview'])
    expect(result.checks[4]).toMatchObject({ contractReason: 'BAD_SIGNATURE', rejection: { code: 'BAD_SIGNATURE' } })
  })

  test("error: the series' capacity is exceeded", async () => {
    const result = await check(await sign({ notional: 10_000_000_000_001n }))
    expect(failed(result)).toEqual(['preview'])
    expect(result.checks[4]).toMatchObject({
      contractReason: 'CAPACITY_EXCEEDED',
      capacity: 10_000_000_000_000n,
      rejection: { code: 'CAPACITY_EXCEEDED' },
    })
  })

  test('error: restricted to another borrower', async () => {
    const taker = devnet.borrowers[1].address
    const signed = await sign({ taker })
    const result = await check(signed)
    expect(failed(result)).toEqual(['preview'])
    expect(result.checks[4]).toMatchObject({
      contractReason: 'TAKER_MISMATCH',
      rejection: { code: 'TERMS_MISMATCH', field: 'taker', value: taker, expected: borrower.address },
    })
    expect((await check(signed, { borrower: taker })).executable).toBe(true)
  })
})

describe('6. the borrower', () => {
  test('error: too few tokens', async () => {
    const signed = await sign()
    await mined(borrower, giveAway((await balanceOf(borrower)) - signed.vrtAmount + 1n))
    const result = await check(signed)
    expect(failed(result)).toEqual(['borrower'])
    expect(result.checks[5]).toMatchObject({ missing: ['balance'], balance: signed.vrtAmount - 1n })
  })

  test('error: too small an allowance', async () => {
    const signed = await sign()
    await mined(borrower, approve(signed.vrtAmount - 1n))
    const result = await check(signed)
    expect(failed(result)).toEqual(['borrower'])
    expect(result.checks[5]).toMatchObject({ missing: ['allowance'], allowance: signed.vrtAmount - 1n })
    await mined(borrower, approve(signed.vrtAmount))
    expect((await check(signed)).executable).toBe(true)
  })

  test('error: no operator permission', async () => {
    const signed = await sign()
    await mined(borrower, setOperatorParameters({ approved: false }))
    const result = await check(signed)
    expect(failed(result)).toEqual(['borrower'])
    expect(result.checks[5]).toMatchObject({ missing: ['operator'], isOperator: false })
    await mined(borrower, setOperatorParameters())
    expect((await check(signed)).executable).toBe(true)
  })

  test('error: an empty account lacks everything at once', async () => {
    const result = await check(await sign(), { borrower: '0x000000000000000000000000000000000000dEaD' })
    expect(failed(result)).toEqual(['borrower'])
    expect(result.checks[5]).toMatchObject({ missing: ['balance', 'allowance', 'operator'] })
    expect(reasonOf(result, 5)?.split('. ')).toHaveLength(3)
  })
})

describe('reading', () => {
  test('behavior: reads everything at one block while the chain advances', async () => {
    const asked: unknown[] = []
    const transport = http(devnet.rpcUrl)({ chain: devnet.publicClient.chain })
    const publicClient = createPublicClient({
      chain: devnet.publicClient.chain,
      transport: custom({
        async request({ method, params }) {
          const answer = await transport.request({ method, params } as never)
          if (method === 'eth_call') asked.push(params[1])
          // Reads without a block number see a different state.
          await devnet.testClient.mine({ blocks: 1 })
          return answer
        },
      }),
    })
    const result = await check(await sign(), { publicClient })
    expect(result.executable).toBe(true)
    // The result's block number shows that the cached read of the latest block was made at this block.
    expect(new Set(asked)).toEqual(new Set(['latest', numberToHex(result.block.number)]))
    expect(asked.filter((block) => block === 'latest').length).toBeLessThanOrEqual(2)
    expect(asked.at(-1)).toBe(numberToHex(result.block.number))
  })

  test.each(['eth_getBlockByNumber', 'eth_call'])('error: %s fails: unknown is never executable', async (broken) => {
    const transport = http(devnet.rpcUrl)({ chain: devnet.publicClient.chain })
    for (const passes of [0, 1, 2]) {
      let left = passes
      const publicClient = createPublicClient({
        chain: devnet.publicClient.chain,
        transport: custom(
          {
            request: ({ method, params }) =>
              method === broken && left-- <= 0
                ? Promise.reject(new TypeError('the node is gone'))
                : transport.request({ method, params } as never),
          },
          { retryCount: 0 },
        ),
      })
      const answer = check(await sign(), { publicClient })
      if (broken === 'eth_getBlockByNumber' && passes > 0) expect((await answer).executable).toBe(true)
      else await expect(answer).rejects.toMatchObject({ name: 'ChainUnavailableError', code: 'CHAIN_UNAVAILABLE' })
    }
  })

  test('error: there is no contract at the address', async () => {
    const nowhere = '0x000000000000000000000000000000000000dEaD'
    await expect(check(await sign(), { quoteMarketAddress: nowhere })).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
    })
    await expect(check(await sign(), { interestRatePoolAddress: nowhere })).rejects.toMatchObject({
      code: 'CHAIN_UNAVAILABLE',
    })
  })

  test('error: malformed input is not reported as a chain failure', async () => {
    const signed = await sign()
    const malformed: [Partial<SignedQuote>, object, string][] = [
      [{ poolId: '0x22' }, {}, 'poolId'],
      [{ notional: '5' as never }, {}, 'notional'],
      [{ signature: 'none' as never }, {}, 'signature'],
      [{}, { borrower: '0x1' }, 'borrower'],
      [{}, { chainId: 1 }, 'publicClient'],
      [{}, { quoteMarketAddress: '0x1' }, 'quoteMarketAddress'],
    ]
    for (const [quote, change, path] of malformed) {
      await expect(check({ ...signed, ...quote }, change)).rejects.toMatchObject({ code: 'INVALID_INPUT', path })
    }
  })
})

describe('takeQuoteParameters', () => {
  test('behavior: maxCost protects the borrower', async () => {
    const signed = await sign()
    await expect(
      devnet.publicClient.simulateContract({
        ...takeQuoteParameters(signed, { maxCost: signed.vrtAmount - 1n }),
        account: borrower.address,
      }),
    ).rejects.toThrow('CostTooHigh')
  })

  test('default: takes a quote that has extra properties', async () => {
    const signed = { ...(await sign()), apr: 5 }
    const { args } = takeQuoteParameters(signed, { quoteMarketAddress: zeroAddress })
    expect(Object.keys(args[0])).toEqual([
      'maker',
      'taker',
      'poolId',
      'seriesKey',
      'notional',
      'vrtAmount',
      'nonce',
      'deadline',
      'salt',
    ])
    expect(args.slice(1)).toEqual([signed.signature, signed.vrtAmount])
  })
})
