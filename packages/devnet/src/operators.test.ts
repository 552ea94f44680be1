import { describe, expect, it } from '@jest/globals'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  maxUint256,
  numberToHex,
  parseEther,
  parseSignature,
  serializeSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { devnet, testMaker, useTestDevnet } from '../test/testDevnet.ts'
import { deployContract } from './createTestPool.ts'
import type { DevnetAccount } from './devnetAccounts.ts'
import { devnetAddresses } from './devnetAddresses.ts'
import { bundlerAdapterAbi } from './generated/bundlerAdapter.ts'
import { erc1271WalletAbi, erc1271WalletBytecode } from './generated/erc1271Wallet.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { quoteMarketAbi } from './generated/quoteMarket.ts'
import { referenceBundlerAbi } from './generated/referenceBundler.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { eventsOf, type TestQuote } from './testMaker.ts'

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const pool = { address: devnetAddresses.interestRatePool, abi: interestRatePoolAbi } as const

useTestDevnet()

type Permission = { owner: Address; operator: Address; approved: boolean; nonce: bigint; deadline: bigint }

/** A permission from the borrower to the deployer, valid for an hour. */
const permission = async (changes: Partial<Permission> = {}): Promise<Permission> => ({
  owner: testMaker.borrower.address,
  operator: devnet.deployer.address,
  approved: true,
  nonce: 0n,
  deadline: (await testMaker.now()) + 3_600n,
  ...changes,
})

const sign = (message: Permission, by: DevnetAccount = testMaker.borrower, domain: { chainId?: number } = {}) =>
  privateKeyToAccount(by.privateKey).signTypedData({
    domain: {
      name: 'InterestRatePool',
      version: '1',
      chainId: devnet.chainId,
      verifyingContract: pool.address,
      ...domain,
    },
    types: {
      SetOperator: [
        { name: 'owner', type: 'address' },
        { name: 'operator', type: 'address' },
        { name: 'approved', type: 'bool' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'SetOperator',
    message,
  })

const permitData = ({ owner, operator, approved, deadline }: Permission, signature: Hex) =>
  encodeFunctionData({
    ...pool,
    functionName: 'setOperatorWithSignature',
    args: [owner, operator, approved, deadline, signature],
  })
const permit = (terms: Permission, signature: Hex) =>
  testMaker.send(devnet.backers[2], pool.address, permitData(terms, signature))
const permitRevert = (terms: Permission, signature: Hex) =>
  testMaker.revertOf(devnet.backers[2].address, pool.address, permitData(terms, signature))
const isOperator = ({ owner, operator }: Permission) =>
  devnet.publicClient.readContract({ ...pool, functionName: 'isOperator', args: [owner, operator] })
const setOperator = (from: DevnetAccount, operator: Address, approved: boolean) => {
  const data = encodeFunctionData({ ...pool, functionName: 'setOperator', args: [operator, approved] })
  return testMaker.send(from, pool.address, data)
}

describe('setOperatorWithSignature', () => {
  it('default: anyone sends what the owner has signed, once', async () => {
    const given = await permission()
    const signature = await sign(given)
    const receipt = await permit(given, signature)
    const { owner, operator } = given
    expect(eventsOf(receipt, 'OperatorSet').map(({ args }) => args)).toEqual([{ owner, operator, approved: true }])
    expect(await isOperator(given)).toBe(true)
    expect(await permitRevert(given, signature)).toBe(`BadSignature(${owner})`)

    const taken = await permission({ approved: false, nonce: 1n })
    await permit(taken, await sign(taken))
    expect(await isOperator(given)).toBe(false)
  })

  it('behavior: a wallet signs by ERC-1271', async () => {
    const wallet = await deployContract(devnet, {
      abi: erc1271WalletAbi,
      bytecode: erc1271WalletBytecode,
      args: [testMaker.borrower.address],
    })
    const given = await permission({ owner: wallet })
    expect(await permitRevert(given, await sign(given, devnet.backers[0]))).toBe(`BadSignature(${wallet})`)
    await permit(given, await sign(given))
    expect(await isOperator(given)).toBe(true)
  })

  it('behavior: a signature is good up to and including its deadline', async () => {
    const given = await permission({ deadline: (await testMaker.now()) + 100n })
    const signature = await sign(given)
    await testMaker.travelTo(given.deadline)
    expect(await permitRevert(given, signature)).toBe('no revert')
    await testMaker.travelTo(given.deadline + 1n)
    expect(await permitRevert(given, signature)).toBe(`DeadlinePassed(${given.deadline})`)
  })

  it('behavior: to take any permission back ends those that are signed and not used', async () => {
    const given = await permission()
    const signature = await sign(given)
    await setOperator(testMaker.borrower, devnet.backers[1].address, true)
    expect(await permitRevert(given, signature)).toBe('no revert')
    await setOperator(testMaker.borrower, given.operator, false)
    expect(await permitRevert(given, signature)).toBe(`BadSignature(${given.owner})`)
  })

  it('error: other terms, another signer, another chain, a malleated signature', async () => {
    const given = await permission()
    const signature = await sign(given)
    const { r, s, yParity } = parseSignature(signature)
    const high = numberToHex(curveOrder - BigInt(s), { size: 32 })
    const bad = `BadSignature(${given.owner})`
    expect(await permitRevert(given, signature)).toBe('no revert')
    for (const [terms, wrong] of [
      [{ ...given, operator: devnet.backers[1].address }, signature],
      [{ ...given, approved: false }, signature],
      [{ ...given, deadline: given.deadline + 1n }, signature],
      [given, await sign({ ...given, nonce: 1n })],
      [given, await sign(given, devnet.borrowers[1])],
      [given, await sign(given, testMaker.borrower, { chainId: 1 })],
      [given, serializeSignature({ r, s: high, yParity: 1 - yParity })],
      [given, '0x'],
    ] as const) {
      expect(await permitRevert(terms, wrong)).toBe(bad)
    }
    const { address } = devnet.borrowers[1]
    expect(await permitRevert({ ...given, owner: address }, signature)).toBe(`BadSignature(${address})`)
  })
})

const takeForData = (quote: TestQuote, signature: Hex, borrower: Address, maxCost = maxUint256) =>
  encodeFunctionData({
    abi: quoteMarketAbi,
    functionName: 'takeQuoteFor',
    args: [quote, signature, maxCost, borrower],
  })

describe('takeQuoteFor', () => {
  const operator = () => devnet.deployer
  const takeForRevert = (quote: TestQuote, signature: Hex, maxCost?: bigint) =>
    testMaker.revertOf(
      operator().address,
      devnet.contracts.quoteMarket,
      takeForData(quote, signature, testMaker.borrower.address, maxCost),
    )

  it('default: the borrower pays and has the position, by the permission of its operator alone', async () => {
    const { maker, borrower } = testMaker
    await setOperator(borrower, devnet.contracts.quoteMarket, false)
    await setOperator(borrower, operator().address, true)
    const quote = await testMaker.quote({ taker: borrower.address })
    const data = takeForData(quote, await testMaker.sign(quote), borrower.address, quote.vrtAmount)
    const accounts = [maker.address, borrower.address, operator().address]
    const before = await Promise.all(accounts.map(testMaker.balanceOf))
    const receipt = await testMaker.send(operator(), devnet.contracts.quoteMarket, data)
    const after = await Promise.all(accounts.map(testMaker.balanceOf))
    expect(after.map((balance, position) => balance - (before[position] ?? 0n))).toEqual([
      -quote.notional,
      -quote.vrtAmount,
      0n,
    ])
    expect(eventsOf(receipt, 'PositionOpened').map(({ args }) => args.borrower)).toEqual([borrower.address])
    expect(eventsOf(receipt, 'QuoteFilled').map(({ args }) => args.taker)).toEqual([borrower.address])
  })

  it('error: what takeQuote refuses, and what the borrower has not permitted', async () => {
    const { borrower } = testMaker
    const quote = await testMaker.quote()
    const signature = await testMaker.sign(quote)
    expect(await takeForRevert(quote, signature)).toBe(`OperatorNotApproved(${borrower.address})`)
    await setOperator(borrower, operator().address, true)
    expect(await takeForRevert(quote, signature)).toBe('no revert')
    const { vrtAmount } = quote
    expect(await takeForRevert(quote, signature, vrtAmount - 1n)).toBe(`CostTooHigh(${vrtAmount}, ${vrtAmount - 1n})`)
    const others = await testMaker.quote({ taker: operator().address })
    expect(await takeForRevert(others, await testMaker.sign(others))).toBe('QuoteNotExecutable(TAKER_MISMATCH)')
    await setOperator(borrower, operator().address, false)
    expect(await takeForRevert(quote, signature)).toBe(`OperatorNotApproved(${borrower.address})`)
  })
})

describe('a bundle', () => {
  const { bundlerAdapter: adapter } = devnetAddresses

  const bundle = (...calls: readonly (readonly [to: Address, data: Hex])[]) => {
    const none = { value: 0n, skipRevert: false, callbackHash: numberToHex(0, { size: 32 }) }
    return encodeFunctionData({
      abi: referenceBundlerAbi,
      functionName: 'multicall',
      args: [calls.map(([to, data]) => ({ to, data, ...none }))],
    })
  }
  const adapterTake = (quote: TestQuote, signature: Hex) =>
    encodeFunctionData({
      abi: bundlerAdapterAbi,
      functionName: 'takeQuote',
      args: [quote, signature, quote.vrtAmount],
    })

  it('default: an account that has only money takes a quote in one transaction', async () => {
    const { loanToken, quoteMarket, bundler3 } = devnet.contracts
    const privateKey = generatePrivateKey()
    const newcomer: DevnetAccount = { privateKey, address: privateKeyToAccount(privateKey).address }
    await devnet.testClient.setBalance({ address: newcomer.address, value: parseEther('1') })
    const mint = encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'mint',
      args: [newcomer.address, 5_000_000_000n],
    })
    await testMaker.send(devnet.deployer, loanToken, mint)

    const quote = await testMaker.quote({ taker: newcomer.address })
    const deadline = (await testMaker.now()) + 600n
    const given = await permission({ owner: newcomer.address, operator: adapter, deadline })
    const { r, s, v } = parseSignature(
      await privateKeyToAccount(privateKey).signTypedData({
        domain: { name: 'Test USD', version: '1', chainId: devnet.chainId, verifyingContract: loanToken },
        types: {
          Permit: [
            { name: 'owner', type: 'address' },
            { name: 'spender', type: 'address' },
            { name: 'value', type: 'uint256' },
            { name: 'nonce', type: 'uint256' },
            { name: 'deadline', type: 'uint256' },
          ],
        },
        primaryType: 'Permit',
        message: { owner: newcomer.address, spender: quoteMarket, value: quote.vrtAmount, nonce: 0n, deadline },
      }),
    )
    const allow = encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'permit',
      args: [newcomer.address, quoteMarket, quote.vrtAmount, deadline, Number(v), r, s],
    })
    const receipt = await testMaker.send(
      newcomer,
      bundler3,
      bundle(
        [loanToken, allow],
        [pool.address, permitData(given, await sign(given, newcomer))],
        [adapter, adapterTake(quote, await testMaker.sign(quote))],
      ),
    )
    expect(eventsOf(receipt, 'PositionOpened').map(({ args }) => args.borrower)).toEqual([newcomer.address])
    expect(await testMaker.balanceOf(newcomer.address)).toBe(0n)
  })

  it('error: nobody takes a quote for another account through the same adapter', async () => {
    await setOperator(testMaker.borrower, adapter, true)
    const quote = await testMaker.quote()
    const data = adapterTake(quote, await testMaker.sign(quote))
    const attacker = devnet.borrowers[1].address
    const attack = (to: Address, call: Hex) => testMaker.revertOf(attacker, to, call)
    expect(await attack(devnet.contracts.bundler3, bundle([adapter, data]))).toBe(`OperatorNotApproved(${attacker})`)
    expect(await attack(adapter, data)).toBe('NotBundler()')
  })
})
