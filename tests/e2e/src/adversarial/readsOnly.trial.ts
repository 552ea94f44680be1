// Contract makers quote a tenth of the honest price. They approve every read, which they recognize by the sender's
// balance, the gas price or the remaining gas, and reject every borrower's transaction.
//
// The attack requires S, which the attacker keeps, and about 200,000 gas per contract. To be in `best` for S, the
// attacker must take its own quote for S / 10, which stays locked until the series expires. Smaller fills (dust or one
// unit less than S / 10) and fills of a worthless token change nothing. Honest users are a maker with a key, a new
// contract maker, and borrowers.

import { secondsPerYear } from '@firmquote/core'
import {
  createTestPool,
  type DevnetAccount,
  deployContract,
  interestRatePoolAbi,
  testTokenAbi,
  testTokenBytecode,
} from '@firmquote/devnet'
import { ServiceClient, setOperatorParameters, takeBest, takeQuoteParameters } from '@firmquote/sdk'
import { until } from '@firmquote/test-support/until'
import { afterEach, expect, test } from '@jest/globals'
import { type Address, type Hex, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { deployContractMaker } from '../../../../apps/server/test/contractMakers.ts'
import { quoteOf } from '../quoteOf.ts'
import { stopAfter } from '../stopAfter.ts'
import { printHonest, startAdversarialFixture } from './adversarialFixture.ts'
import { deployReadsOnlyMaker, fingerprints } from './hostileContracts.ts'

const usd = 1_000_000n
/** The notional of the borrowers' requests, S. */
const notional = 50_000n * usd
const signature: Hex = `0x${'11'.repeat(66)}`

const started = stopAfter(afterEach)

test('behavior: a contract that approves only reads is in `best` for at most ten times what it locks', async () => {
  const fixture = started(await startAdversarialFixture({ AUCTION_DURATION_MS: '2500', RFQS_PER_MINUTE: '1000' }))
  const { devnet, servers, series, urlOf } = fixture
  const { publicClient, contracts, walletClient } = devnet
  const [keyMaker, attacker, owner] = devnet.backers
  const [victim, borrower] = devnet.borrowers
  let turn = 0
  const createClient = () => new ServiceClient({ orderbookUrl: urlOf(turn++) })
  const mined = async (account: DevnetAccount, call: object) => {
    const hash = await walletClient(account).writeContract(call as never)
    return publicClient.waitForTransactionReceipt({ hash })
  }
  /** Publishes a maker's quote for S and answers auctions at the same price. */
  const quote = async (maker: Address, share: bigint, sign: (digest: Hex) => Promise<Hex>) => {
    const client = new ServiceClient({ orderbookUrl: fixture.url })
    client.getSigner().setContract(maker, sign)
    const termsOf = (size: bigint) => quoteOf(maker, { ...series, notional: size, vrtAmount: size / share })
    await client.submitQuoteMarketQuote(await client.signQuoteMarketQuote(termsOf(notional)))
    const socket = await client.connectWebSocket({
      onRFQ: async (rfq) => void (await socket.submitQuote(rfq.rfqId, termsOf(rfq.notional))),
    })
    started({ stop: () => client.disconnectWebSocket() })
  }

  const tokenArgs = ['Worthless', 'WORTH0', 6] as const
  const worthless = await deployContract(devnet, { abi: testTokenAbi, bytecode: testTokenBytecode, args: tokenArgs })
  const pool = { address: contracts.interestRatePool, abi: interestRatePoolAbi } as const
  const ownPool = mined(attacker, { ...pool, functionName: 'createPool', args: [worthless, worthless, zeroHash] })
  await expect(ownPool).rejects.toThrow('OwnableUnauthorizedAccount')
  // The operator itself lists a worthless token.
  const otherPool = await createTestPool(devnet, worthless, 86_400n)

  const makers: Address[] = []
  for (const fingerprint of Object.values(fingerprints)) {
    const tokens = [contracts.loanToken, worthless]
    const maker = await deployReadsOnlyMaker(devnet, attacker, { fingerprint, tokens })
    for (const address of tokens) {
      await mined(attacker, { address, abi: testTokenAbi, functionName: 'mint', args: [maker, 2n * notional] })
    }
    makers.push(maker)
  }
  await mined(attacker, setOperatorParameters())
  const honestContract = await deployContractMaker(devnet, owner)
  const users = await fixture.startHonest({ everyMs: 4_000 })
  const keySigner = createClient()
  keySigner.setPrivateKey(keyMaker.privateKey)
  const keyQuote = quoteOf(keyMaker.address, { ...series, notional, vrtAmount: notional / 100n })
  await keySigner.submitQuoteMarketQuote(await keySigner.signQuoteMarketQuote(keyQuote))
  const honestOwner = privateKeyToAccount(owner.privateKey)
  await quote(honestContract.address, 110n, (hash) => honestOwner.sign({ hash }))
  for (const maker of makers) await quote(maker, 1_000n, async () => signature)

  const nameOf = (maker: Address) =>
    makers.includes(maker) ? 'attacker' : maker === honestContract.address ? 'new contract' : 'key'
  /** Runs an auction. Returns its unproven quotes, the makers in `best`, and the maker of the series' best rate. */
  const ask = async (size = notional) => {
    const mined = await publicClient.getBlockNumber({ cacheTime: 0 })
    for (const orderbookUrl of servers.urls) {
      const client = new ServiceClient({ orderbookUrl })
      await until(async () => ((await client.getHealth()).sync.synced ?? 0) >= mined)
    }
    const { quotes, best, expiry, openedAt } = await createClient().requestQuotes({ ...series, notional: size })
    expect(quotes).toHaveLength(makers.length + 2)
    const rates = (await createClient().getPoolRates({ notional: size })).flatMap((one) => one.series)
    const apr = rates.find(({ seriesKey }) => seriesKey === series.seriesKey)?.bestApr ?? 0
    // The makers' prices are a hundredth, a 110th and a thousandth of the notional.
    const part = (100 * secondsPerYear) / (apr * (expiry - openedAt / 1_000))
    return {
      quotes,
      seen: {
        unproven: quotes.filter(({ unproven }) => unproven).length,
        best: quotes.filter(({ hash }) => best?.hashes.includes(hash)).map(({ quote: { maker } }) => nameOf(maker)),
        bestRate: part > 500 ? 'attacker' : part > 105 ? 'new contract' : 'key',
      },
    }
  }
  const fill = async (maker: Address, size: bigint, { poolId, seriesKey }: typeof series) => {
    const signed = { ...quoteOf(maker, { poolId, seriesKey, notional: size, vrtAmount: 0n }), signature }
    const { status } = await mined(attacker, takeQuoteParameters(signed, { maxCost: 0n }))
    expect(status).toBe('success')
  }
  const fillEach = async (size: bigint, of: { poolId: Hex; seriesKey: Hex } = series) => {
    for (const maker of makers) await fill(maker, size, of)
  }
  const step = async (what: string, locked: bigint, act: () => Promise<unknown>, size?: bigint) => {
    await act()
    const { quotes, seen } = await ask(size)
    process.stdout.write(
      `reads only: each contract locks ${Number(locked) / 1e6} tUSD, ${what}: best ${seen.best}, best rate ` +
        `${seen.bestRate}, ${seen.unproven} of ${quotes.length} unproven\n`,
    )
    return seen
  }
  const isKey = { unproven: 4, best: ['key'], bestRate: 'key' }
  const isContract = { unproven: 3, best: ['new contract'], bestRate: 'new contract' }

  expect(await step('no fill', 0n, async () => {})).toEqual(isKey)
  // Reads approve each quote, but transactions fail.
  for (const maker of makers) {
    const [listed] = (await createClient().getQuoteMarketQuotes({ maker })).quotes
    if (!listed) throw new TypeError('The quote is not listed.')
    expect(listed).toMatchObject({ executable: true, unproven: true })
    const call = takeQuoteParameters({ ...listed.quote, signature }, { maxCost: notional })
    expect(await mined(victim, { ...call, gas: 1_000_000n })).toMatchObject({ status: 'reverted' })
  }
  expect(await step('a fill of dust', 100n * usd, () => fillEach(100n * usd))).toEqual(isKey)
  expect(await step('S of a worthless token', 100n * usd, () => fillEach(notional, otherPool))).toEqual(isKey)
  const almost = notional / 10n - 1n
  expect(await step('one unit less than S / 10', almost, () => fillEach(almost))).toEqual(isKey)
  const honestFill = async () => {
    const tenth = await honestContract.quote({ ...series, notional: notional / 10n, vrtAmount: notional / 1_100n })
    const { status } = await mined(borrower, takeQuoteParameters(tenth, { maxCost: notional }))
    expect(status).toBe('success')
  }
  expect(await step('S / 10 of the new contract is filled', almost, honestFill)).toEqual(isContract)
  const reached = { unproven: 0, best: ['attacker'], bestRate: 'attacker' }
  expect(await step('S / 10', notional / 10n, () => fillEach(notional / 10n))).toEqual(reached)
  // The published quotes are for S, so they still set the rate.
  const larger = await step('an auction for S + 10 units', notional / 10n, async () => {}, notional + 10n)
  expect(larger).toEqual({ ...isKey, bestRate: 'attacker' })

  // When one contract makes a transaction fail, the borrower's client replaces the quotes of all contracts.
  const { quotes } = await ask()
  const { taken, failed } = await takeBest(quotes, {
    request: { ...series, notional },
    limit: { maxApr: 12 },
    borrower: borrower.address,
    publicClient,
    send: (call) => mined(borrower, call),
  })
  expect(failed).toHaveLength(1)
  expect(taken.map(({ signed }) => nameOf(signed.maker))).toEqual(['key'])
  const figures = await users.finish()
  printHonest('reads only', figures)
  expect(figures.auctions.every(({ quotes, error }) => quotes > 0 && error === null)).toBe(true)
}, 180_000)
