// Tests planning and taking on one shared devnet.

import { hashQuote, type SignedQuote } from '@firmquote/core'
import { borrowers, type DevnetAccount } from '@firmquote/devnet'
import { describe, expect, test } from '@jest/globals'
import { type Address, erc20Abi, type Hex, numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  erc1271WalletAbi,
  erc1271WalletBytecode,
  hostileErc1271WalletAbi,
  hostileErc1271WalletBytecode,
} from '../../../devnet/test/testContracts.ts'
import { devnet, mined, now, quoteOf, request, tokens, useTestDevnet, whole } from '../../test/testDevnet.ts'
import { approveParameters, raiseNonceParameters, setOperatorParameters } from '../executability/takeQuote.ts'
import type { PlanTakesParameters } from './checkPlanParameters.ts'
import { planTakes } from './planTakes.ts'
import { type TakeBestParameters, TakeInterruptedError, takeBest } from './takeBest.ts'

useTestDevnet()

const borrower = borrowers[0]

type Quotes = readonly SignedQuote[]
const plan = (quotes: Quotes, change: Partial<PlanTakesParameters> = {}) =>
  planTakes(
    quotes.map((quote) => ({ quote })),
    {
      request: request(),
      limit: { maxVrtAmount: tokens(2_000) },
      borrower: borrower.address,
      publicClient: devnet.publicClient,
      ...change,
    },
  )

const take = (quotes: Quotes, change: Partial<TakeBestParameters> = {}) =>
  takeBest(
    quotes.map((quote) => ({ quote })),
    {
      request: request(),
      limit: { maxVrtAmount: tokens(2_000) },
      borrower: borrower.address,
      publicClient: devnet.publicClient,
      send: (call) => mined(borrower, call),
      ...change,
    },
  )

const balanceOf = ({ address }: DevnetAccount) =>
  devnet.publicClient.readContract({
    address: devnet.contracts.loanToken,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })

/** Creates a funded contract maker and its quotes, signed by `owner`. */
async function contractMaker(deployed: Hex, owner: DevnetAccount, vrtAmount: bigint) {
  const { publicClient, testClient, contracts, chainId } = devnet
  const { contractAddress } = await publicClient.waitForTransactionReceipt({ hash: deployed })
  const address = contractAddress as Address
  await testClient.setBalance({ address, value: 10n ** 18n })
  await testClient.impersonateAccount({ address })
  const token = { address: contracts.loanToken, abi: erc20Abi } as const
  await mined(owner, { ...token, functionName: 'transfer', args: [address, whole] })
  const asMaker = async (call: object) => {
    const account = { address, type: 'json-rpc' } as const
    const hash = await devnet.walletClient(owner).writeContract({ ...call, account } as never)
    await publicClient.waitForTransactionReceipt({ hash })
  }
  await asMaker(approveParameters({ loanToken: contracts.loanToken, amount: whole }))
  const quote = await quoteOf(owner, whole, vrtAmount)
  const terms = { ...quote, maker: address }
  const hash = hashQuote(terms, { chainId, quoteMarket: contracts.quoteMarket })
  const signature = await privateKeyToAccount(owner.privateKey).sign({ hash })
  return { signed: { ...terms, signature }, asMaker }
}

const deployHostile = (behaviour: number) =>
  devnet.walletClient(devnet.deployer).deployContract({
    abi: hostileErc1271WalletAbi,
    bytecode: hostileErc1271WalletBytecode,
    args: [behaviour],
  })
const deployWallet = (owner: Address) =>
  devnet.walletClient(devnet.deployer).deployContract({
    abi: erc1271WalletAbi,
    bytecode: erc1271WalletBytecode,
    args: [owner],
  })

describe('planTakes', () => {
  test('default: the cheapest way to fix everything, even without the best rate', async () => {
    const [first, second, third] = devnet.backers
    const dust = await quoteOf(third, 1n, 0n)
    const dear = await quoteOf(first, whole, tokens(1_500))
    const [half, rest] = [await quoteOf(second, whole / 2n, tokens(600)), await quoteOf(third, whole / 2n, tokens(650))]
    const result = await plan([dust, dear, rest, half])
    expect(result.takes.map(({ signed }) => signed)).toEqual([half, rest])
    expect(result).toMatchObject({ notional: whole, cost: tokens(1_250), maxVrtAmount: tokens(2_000), optimal: true })
    expect(result).toMatchObject({ missing: [], refused: [], loanToken: devnet.contracts.loanToken })
    for (const { verdict, maxCost, signed } of result.takes) {
      expect(verdict).toMatchObject({ executable: true, cost: signed.vrtAmount, block: result.block })
      expect(maxCost).toBe(signed.vrtAmount)
    }
  })

  test("behavior: an APR limit applies to the remaining term by the chain's clock", async () => {
    const [maker] = devnet.backers
    const left = BigInt(devnet.pools[0].series[0]?.expiry ?? 0) - now
    const cost = (whole * 8n * left) / (100n * 31_536_000n)
    const quotes = [await quoteOf(maker, whole, cost - cost / 100n)]
    expect((await plan(quotes, { limit: { maxApr: 8 }, now: Number(now) })).takes).toHaveLength(1)
    const { takes, refused } = await plan(quotes, { limit: { maxApr: 7.9 }, now: Number(now) })
    expect(takes).toEqual([])
    expect(refused).toMatchObject([{ rejection: { code: 'VRT_AMOUNT_TOO_LARGE' } }])
  })

  test.each<[string, Partial<SignedQuote>, string]>([
    ['for another account', { taker: `0x${'7'.repeat(40)}` }, 'TERMS_MISMATCH'],
    ['of a nonce that is over', { nonce: 1n }, 'NONCE_MISMATCH'],
    ['of another series', { seriesKey: numberToHex(1, { size: 32 }) }, 'TERMS_MISMATCH'],
    ['that dies before it can be sent', { deadline: 29n }, 'DEADLINE_TOO_SOON'],
    ['that nobody has signed', { signature: `0x${'11'.repeat(65)}` }, 'BAD_SIGNATURE'],
  ])('error: the best is a quote %s', async (_what, change, code) => {
    const [first, second] = devnet.backers
    const deadline = change.deadline === undefined ? {} : { deadline: now + change.deadline }
    const bad = await quoteOf(first, whole, 0n, { ...change, ...deadline })
    const good = await quoteOf(second, whole, tokens(1_000))
    const { takes, refused } = await plan([bad, good])
    expect(takes.map(({ signed }) => signed)).toEqual([good])
    expect(refused).toMatchObject([{ signed: bad, reason: expect.any(String), rejection: { code } }])
  })

  test('error: a series that expires too early or too late, and a quote below the minimum', async () => {
    const quotes = [await quoteOf(devnet.backers[0], whole / 10n, 0n)]
    const { seriesKey, expiry = 0 } = devnet.pools[0].series[0] ?? {}
    expect((await plan(quotes, { request: { ...request(), expiry } })).takes).toHaveLength(1)
    const late = await plan(quotes, { request: { ...request(), expiry: expiry + 1 } })
    expect(late).toMatchObject({ takes: [], refused: [{ reason: expect.stringMatching(/before the requested/) }] })
    expect((await plan(quotes, { request: { ...request(), latestExpiry: expiry } })).takes).toHaveLength(1)
    const early = await plan(quotes, { request: { ...request(), latestExpiry: expiry - 1 } })
    expect(early).toMatchObject({ takes: [], refused: [{ reason: expect.stringMatching(/after the latest/) }] })
    expect((await plan(quotes, { request: { ...request(), minNotional: whole / 10n } })).takes).toHaveLength(1)
    const small = await plan(quotes, { request: { ...request(), minNotional: whole / 10n + 1n } })
    expect(small.refused).toMatchObject([{ rejection: { code: 'NOTIONAL_TOO_SMALL' } }])
    expect(seriesKey).toBe(request().seriesKey)
  })

  test('default: a contract maker', async () => {
    const [first, second] = devnet.backers
    const wallet = await contractMaker(await deployWallet(first.address), first, tokens(500))
    const result = await plan([await quoteOf(second, whole, tokens(900)), wallet.signed])
    expect(result).toMatchObject({ takes: [{ signed: wallet.signed, verdict: { executable: true } }], refused: [] })
  })

  test.each([
    [0, 'reverts'],
    [1, 'returns a megabyte'],
    [3, 'burns its gas'],
  ])(
    'behavior: %i, a contract that %s, has the best rate and does not make the others unreadable',
    async (behaviour) => {
      const [first, second] = devnet.backers
      const hostile = await contractMaker(await deployHostile(behaviour), first, 0n)
      const honest = await quoteOf(second, whole, tokens(900))
      const { takes, refused } = await plan([hostile.signed, honest])
      expect(takes.map(({ signed }) => signed)).toEqual([honest])
      expect(refused.map(({ signed }) => signed)).toEqual([hostile.signed])
    },
  )

  test('behavior: missing funds and permissions cover the whole plan', async () => {
    const [first, second] = devnet.backers
    const quotes = [await quoteOf(first, whole / 2n, tokens(600)), await quoteOf(second, whole / 2n, tokens(650))]
    const { loanToken } = devnet.contracts
    await mined(borrower, approveParameters({ loanToken, amount: tokens(1_250) }))
    expect((await plan(quotes)).missing).toEqual([])
    await mined(borrower, approveParameters({ loanToken, amount: tokens(1_250) - 1n }))
    await mined(borrower, setOperatorParameters({ approved: false }))
    expect((await plan(quotes)).missing).toEqual(['allowance', 'operator'])
  })

  test('behavior: polls a lagging node until it has the required block', async () => {
    const quotes = [await quoteOf(devnet.backers[0], whole, tokens(600))]
    const since = (await devnet.publicClient.getBlockNumber({ cacheTime: 0 })) + 1n
    let planned = false
    const planning = plan(quotes, { since }).finally(() => {
      planned = true
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(planned).toBe(false)
    await devnet.testClient.mine({ blocks: 1 })
    expect(await planning).toMatchObject({ block: { number: since } })
  })

  test.each<[string, Partial<PlanTakesParameters>, string]>([
    ['no limit', { limit: undefined as never }, 'limit'],
    ['no notional', { request: { ...({} as ReturnType<typeof request>), notional: 0n } }, 'request.notional'],
    ['five takes', { maxTakes: 5 }, 'maxTakes'],
    ['no account', { borrower: '0x12' }, 'borrower'],
    ['another chain', { chainId: 1 }, 'publicClient'],
  ])('error: %s', async (_what, change, path) => {
    await expect(plan([], change)).rejects.toMatchObject({ code: 'INVALID_INPUT', path })
  })
})

describe('takeBest', () => {
  test('default: takes one after another and reports the results', async () => {
    const [first, second] = devnet.backers
    const quotes = [
      await quoteOf(first, whole / 2n, tokens(600)),
      await quoteOf(second, whole / 2n, tokens(650)),
      await quoteOf(second, whole / 4n, tokens(999)),
    ]
    const before = await balanceOf(borrower)
    const told: unknown[] = []
    const result = await take(quotes, { onTaken: (taken) => told.push(taken) })
    expect(told).toEqual(result.taken)
    expect(result.taken.map(({ signed }) => signed)).toEqual([quotes[0], quotes[1]])
    expect(result).toMatchObject({ notional: whole, cost: tokens(1_250), failed: [] })
    for (const { positionId } of result.taken) expect(positionId).toEqual(expect.any(BigInt))
    expect(before - (await balanceOf(borrower))).toBe(tokens(1_250))
  })

  test('behavior: replaces a quote that is no longer executable with the next best for the remainder', async () => {
    const [first, second, third] = devnet.backers
    const quotes = [
      await quoteOf(first, whole / 2n, tokens(100)),
      await quoteOf(second, whole / 2n, tokens(200)),
      await quoteOf(third, whole / 2n, tokens(900)),
    ]
    const result = await take(quotes, {
      send: async (call, { signed }) => {
        // The maker front-runs the transaction.
        if (signed.maker === second.address) await mined(second, raiseNonceParameters())
        return mined(borrower, call)
      },
    })
    expect(result.taken.map(({ signed }) => signed)).toEqual([quotes[0], quotes[2]])
    expect(result.failed.map(({ signed }) => signed)).toEqual([quotes[1]])
    expect(result.cost).toBe(tokens(1_000))
  })

  test('behavior: replaces a quote whose transaction reverts', async () => {
    const [first, second] = devnet.backers
    const quotes = [await quoteOf(first, whole, tokens(100)), await quoteOf(second, whole, tokens(900))]
    const result = await take(quotes, {
      send: async (call, { signed }) => {
        if (signed.maker !== first.address) return mined(borrower, call)
        await mined(first, raiseNonceParameters())
        return mined(borrower, { ...call, gas: 1_000_000n })
      },
    })
    expect(result.taken.map(({ signed }) => signed)).toEqual([quotes[1]])
    expect(result.failed).toHaveLength(1)
  })

  test('behavior: one failed contract consent excludes all contract makers', async () => {
    const [first, second] = devnet.backers
    const wallets = [
      await contractMaker(await deployWallet(first.address), first, 0n),
      await contractMaker(await deployWallet(first.address), first, 1n),
    ]
    const honest = await quoteOf(second, whole, tokens(900))
    const result = await take([...wallets.map(({ signed }) => signed), honest], {
      send: async (call, { signed }) => {
        if (signed.maker === wallets[0]?.signed.maker) await wallets[0].asMaker(raiseNonceParameters())
        return mined(borrower, call)
      },
    })
    expect(result.failed.map(({ signed }) => signed)).toEqual([wallets[0]?.signed])
    expect(result.taken.map(({ signed }) => signed)).toEqual([honest])
  })

  test('behavior: never pays above the limit, however little remains', async () => {
    const [first, second] = devnet.backers
    const quotes = [
      await quoteOf(first, whole / 2n, 0n),
      // Together, the quotes cost less than the limit for the whole notional, but this quote exceeds its share.
      await quoteOf(second, whole / 2n, tokens(1_000) + 1n),
    ]
    const result = await take(quotes)
    expect(result).toMatchObject({ notional: whole / 2n, cost: 0n, plan: { takes: [] } })
    expect(result.plan.refused).toMatchObject([{ rejection: { code: 'VRT_AMOUNT_TOO_LARGE' } }])
  })

  test('behavior: onMissing grants what is missing, and everything is planned again', async () => {
    const [maker] = devnet.backers
    const quotes = [await quoteOf(maker, whole, tokens(600))]
    await mined(borrower, approveParameters({ loanToken: devnet.contracts.loanToken, amount: 0n }))
    const without = await take(quotes)
    expect(without).toMatchObject({ taken: [], failed: [], plan: { missing: ['allowance'], cost: tokens(600) } })
    const seen: string[][] = []
    const result = await take(quotes, {
      onPlan: ({ missing }) => void seen.push([...missing]),
      onMissing: async ({ loanToken, cost }) => {
        if (loanToken === null) return undefined
        return (await mined(borrower, approveParameters({ loanToken, amount: cost }))).blockNumber
      },
    })
    expect(seen).toEqual([['allowance'], []])
    expect(result.notional).toBe(whole)
  })

  test('behavior: gives up after a number of plans', async () => {
    const quotes = [await quoteOf(devnet.backers[0], whole, tokens(600))]
    await mined(borrower, setOperatorParameters({ approved: false }))
    let plans = 0
    const result = await take(quotes, {
      onMissing: () => {
        plans += 1
        return 0n
      },
    })
    expect(plans).toBe(31)
    expect(result.taken).toEqual([])
  })

  test('error: a failure other than a revert aborts, and reports earlier takes', async () => {
    const [first, second] = devnet.backers
    const quotes = [await quoteOf(first, whole / 2n, tokens(100)), await quoteOf(second, whole / 2n, tokens(200))]
    const cause = new TypeError('the wallet is gone')
    const error = await take(quotes, {
      send: async (call, { signed }) => {
        if (signed.maker === second.address) throw cause
        return mined(borrower, call)
      },
    }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(TakeInterruptedError)
    expect(error).toMatchObject({
      code: 'TAKE_INTERRUPTED',
      cause,
      taken: [{ signed: quotes[0] }],
      unknown: { signed: quotes[1] },
    })
  })

  test('error: if send fails, the chain decides which quotes are taken', async () => {
    const [maker] = devnet.backers
    const quotes = [await quoteOf(maker, whole, tokens(100)), await quoteOf(maker, whole, tokens(200))]
    const taken = take(quotes, {
      send: async (call) => {
        await mined(borrower, call)
        throw new TypeError('the answer is lost')
      },
    })
    await expect(taken).rejects.toMatchObject({ taken: [{ signed: quotes[0], cost: tokens(100) }], unknown: null })
    const other = borrowers[1]
    await mined(other, approveParameters({ loanToken: devnet.contracts.loanToken, amount: tokens(200) }))
    await mined(other, setOperatorParameters())
    for (const end of [
      (call: Parameters<NonNullable<TakeBestParameters['send']>>[0]) => mined(other, call),
      () => mined(maker, raiseNonceParameters()),
    ]) {
      const dead = take(quotes.slice(1), {
        send: async (call) => {
          await end(call)
          throw new TypeError('the answer is lost')
        },
      })
      await expect(dead).rejects.toMatchObject({ taken: [], unknown: null })
      quotes[1] = await quoteOf(maker, whole, tokens(300))
    }
  })

  test('error: the receipt of another transaction is not a take', async () => {
    const quotes = [await quoteOf(devnet.backers[0], whole, tokens(100))]
    const other = { loanToken: devnet.contracts.loanToken, amount: tokens(5_000) }
    await expect(take(quotes, { send: () => mined(borrower, approveParameters(other)) })).rejects.toMatchObject({
      code: 'TAKE_INTERRUPTED',
      taken: [],
    })
  })
})
