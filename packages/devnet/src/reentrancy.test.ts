// A token whose transfers call back during a take changes nothing about what is taken, from whom and for how much. The
// calls' own answers show that the market rejects takes and that the other calls cannot undo the take.

import { expect, it } from '@jest/globals'
import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseEventLogs,
  toFunctionSelector,
} from 'viem'
import { reentrantTokenAbi, reentrantTokenBytecode } from '../test/testContracts.ts'
import { devnet, testMaker, useTestDevnet } from '../test/testDevnet.ts'
import { batchAccountCode } from './createBatchWallet.ts'
import { createTestPool, deployContract } from './createTestPool.ts'
import type { DevnetAccount } from './devnetAccounts.ts'
import { batchAccountAbi } from './generated/batchAccount.ts'
import { erc1271WalletAbi, erc1271WalletBytecode } from './generated/erc1271Wallet.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { quoteMarketAbi } from './generated/quoteMarket.ts'
import { eventsOf } from './testMaker.ts'

useTestDevnet()

const abi = reentrantTokenAbi
const funds = 10n ** 12n
const errors = {
  guarded: toFunctionSelector('ReentrancyGuardReentrantCall()'),
  quoteNotOpen: toFunctionSelector('QuoteNotOpen(bytes32)'),
  notThisAccount: toFunctionSelector('NotThisAccount()'),
}

/** A pool whose token calls back, and funds and allowances for each account. */
async function createReentrantPool(...accounts: DevnetAccount[]) {
  const token = await deployContract(devnet, { abi, bytecode: reentrantTokenBytecode })
  const { poolId, seriesKey } = await createTestPool(devnet, token)
  const send = (from: DevnetAccount, data: Hex) => testMaker.send(from, token, data)
  for (const account of accounts) {
    await send(account, encodeFunctionData({ abi, functionName: 'mint', args: [account.address, funds] }))
    const args = [devnet.contracts.quoteMarket, maxUint256] as const
    await send(account, encodeFunctionData({ abi, functionName: 'approve', args }))
  }
  return {
    terms: { poolId, seriesKey },
    token,
    balanceOf: (owner: Address) =>
      devnet.publicClient.readContract({ address: token, abi, functionName: 'balanceOf', args: [owner] }),
    setCalls: (calls: readonly { to: Address; data: Hex }[]) =>
      send(devnet.deployer, encodeFunctionData({ abi, functionName: 'setCalls', args: [calls] })),
  }
}

const market = (functionName: 'takeQuote' | 'takeQuoteFor' | 'cancelQuote', args: readonly unknown[]) => ({
  to: devnet.contracts.quoteMarket,
  data: encodeFunctionData({ abi: quoteMarketAbi, functionName, args } as never),
})

it('error: the token takes the same and another quote during a take: each account pays once, as agreed', async () => {
  const { maker, borrower } = testMaker
  const pool = await createReentrantPool(maker, borrower)
  const { address } = borrower
  // The borrower even lets the token open positions for it.
  const args = [pool.token, true] as const
  const permission = encodeFunctionData({ abi: interestRatePoolAbi, functionName: 'setOperator', args })
  await testMaker.send(borrower, devnet.contracts.interestRatePool, permission)
  const quote = await testMaker.quote(pool.terms)
  const other = await testMaker.quote(pool.terms)
  const signature = await testMaker.sign(quote)
  const otherSignature = await testMaker.sign(other)
  await pool.setCalls([
    market('takeQuote', [quote, signature, maxUint256]),
    market('takeQuoteFor', [quote, signature, maxUint256, address]),
    market('takeQuoteFor', [other, otherSignature, maxUint256, address]),
  ])

  const { receipt } = await testMaker.take(quote, signature, { maxCost: quote.vrtAmount })

  expect(answersIn(receipt.logs)).toEqual([
    [false, errors.guarded],
    [false, errors.guarded],
    [false, errors.guarded],
  ])
  expect(eventsOf(receipt, 'PositionOpened')).toHaveLength(1)
  expect([await pool.balanceOf(maker.address), await pool.balanceOf(address)]).toEqual([
    funds - quote.notional,
    funds - quote.vrtAmount,
  ])
  // The permission alone suffices for the other quote: only the guard has rejected it.
  await pool.setCalls([market('takeQuoteFor', [other, otherSignature, maxUint256, address])])
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [devnet.deployer.address, 1n] })
  // An estimate would leave too little gas for the token's call, whose failure the token ignores.
  await testMaker.send(devnet.deployer, pool.token, mint, 2_000_000n)
  expect(await pool.balanceOf(address)).toBe(funds - quote.vrtAmount - other.vrtAmount)
})

/** Whether each call of the token succeeded, and the selector of its error. */
function answersIn(logs: Parameters<typeof parseEventLogs>[0]['logs']) {
  return parseEventLogs({ abi, eventName: 'Reentered', logs }).map(({ args }) => [
    args.success,
    args.answer.slice(0, 10),
  ])
}

/** Lets an account delegate to other code (EIP-7702). */
async function delegate({ address }: DevnetAccount, to: Address): Promise<void> {
  await devnet.testClient.setCode({ address, bytecode: concatHex(['0xef0100', to]) })
}

it("behavior: the token acts for the maker and calls the borrower's account: the take stands, and costs the same", async () => {
  const { maker, borrower } = testMaker
  const pool = await createReentrantPool(maker, borrower)
  const { quoteMarket } = devnet.contracts
  const wallet = { abi: erc1271WalletAbi, bytecode: erc1271WalletBytecode, args: [pool.token] }
  await delegate(maker, await deployContract(devnet, wallet))
  for (const code of batchAccountCode(borrower.address)) await devnet.testClient.setCode(code)
  const quote = await testMaker.quote(pool.terms)
  const signature = await testMaker.sign(quote)
  const asMaker = (target: Address, data: Hex) => ({
    to: maker.address,
    data: encodeFunctionData({ abi: erc1271WalletAbi, functionName: 'execute', args: [target, data] }),
  })
  const approval = encodeFunctionData({ abi, functionName: 'approve', args: [pool.token, maxUint256] })
  const batch = [{ to: pool.token, value: 0n, data: approval }]
  await pool.setCalls([
    asMaker(quoteMarket, market('cancelQuote', [quote]).data),
    asMaker(quoteMarket, encodeFunctionData({ abi: quoteMarketAbi, functionName: 'raiseNonce' })),
    {
      to: borrower.address,
      data: encodeFunctionData({ abi: batchAccountAbi, functionName: 'execute', args: [batch] }),
    },
  ])

  const { receipt } = await testMaker.take(quote, signature, { maxCost: quote.vrtAmount })

  expect(answersIn(receipt.logs)).toEqual([
    [false, errors.quoteNotOpen],
    [true, expect.anything()],
    [false, errors.notThisAccount],
  ])
  expect(eventsOf(receipt, 'PositionOpened')).toHaveLength(1)
  expect([await pool.balanceOf(maker.address), await pool.balanceOf(borrower.address)]).toEqual([
    funds - quote.notional,
    funds - quote.vrtAmount,
  ])
})
