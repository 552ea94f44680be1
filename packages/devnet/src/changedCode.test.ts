// Accounts whose code changes between the quote, its review and its take. `setCode` stands for a maker that destroys
// itself or points its proxy elsewhere, and for a taker that delegates to other code (EIP-7702).

import { expect, it } from '@jest/globals'
import { type Address, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { devnet, testMaker, useTestDevnet } from '../test/testDevnet.ts'
import { batchAccountCode } from './createBatchWallet.ts'
import { deployContract } from './createTestPool.ts'
import { batchAccountAbi } from './generated/batchAccount.ts'
import { erc1271WalletAbi, erc1271WalletBytecode } from './generated/erc1271Wallet.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { quoteMarketAbi } from './generated/quoteMarket.ts'
import { testTokenAbi } from './generated/testToken.ts'

useTestDevnet()

/** Code that accepts every signature: it returns the magic value of ERC-1271. */
const acceptsAll: Hex = '0x631626ba7e60e01b5f5260205ff3'

const approve = (amount: bigint) =>
  encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: [devnet.contracts.quoteMarket, amount] })
const allowanceOf = (owner: Address) =>
  devnet.publicClient.readContract({
    address: devnet.contracts.loanToken,
    abi: testTokenAbi,
    functionName: 'allowance',
    args: [owner, devnet.contracts.quoteMarket],
  })

it('error: a contract maker loses its code after it has quoted: the take reverts, and the taker keeps its cost', async () => {
  const { loanToken } = devnet.contracts
  const args = [testMaker.maker.address] as const
  const maker = await deployContract(devnet, { abi: erc1271WalletAbi, bytecode: erc1271WalletBytecode, args })
  const quote = await testMaker.quote({ maker })
  const signature = await testMaker.sign(quote)
  const fund = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [maker, quote.notional] })
  await testMaker.send(testMaker.maker, loanToken, fund)
  const grant = encodeFunctionData({
    abi: erc1271WalletAbi,
    functionName: 'execute',
    args: [loanToken, approve(maxUint256)],
  })
  await testMaker.send(testMaker.maker, maker, grant)
  expect((await testMaker.preview(quote, signature)).executable).toBe(true)

  await devnet.testClient.setCode({ address: maker, bytecode: '0x' })

  expect(await testMaker.preview(quote, signature)).toMatchObject({ executable: false, reason: 'BAD_SIGNATURE' })
  expect(await testMaker.takeRevert(quote, signature)).toBe('QuoteNotExecutable(BAD_SIGNATURE)')
})

it('error: a batch wallet sends the take before the approval: nothing is paid or approved', async () => {
  const { borrower } = testMaker
  const { loanToken, quoteMarket } = devnet.contracts
  for (const code of batchAccountCode(borrower.address)) await devnet.testClient.setCode(code)
  await testMaker.send(borrower, loanToken, approve(0n))
  const quote = await testMaker.quote()
  const args = [quote, await testMaker.sign(quote), quote.vrtAmount] as const
  const take = {
    to: quoteMarket,
    value: 0n,
    data: encodeFunctionData({ abi: quoteMarketAbi, functionName: 'takeQuote', args }),
  }
  const approval = { to: loanToken, value: 0n, data: approve(quote.vrtAmount) }
  const batch = (...calls: (typeof take)[]) =>
    encodeFunctionData({ abi: batchAccountAbi, functionName: 'execute', args: [calls] })
  const before = await testMaker.balanceOf(borrower.address)
  expect(await testMaker.revertOf(borrower.address, borrower.address, batch(take, approval))).toMatch(
    /^ERC20InsufficientAllowance/,
  )
  // In the order of the page, it takes the quote and uses up the allowance.
  await testMaker.send(borrower, borrower.address, batch(approval, take))
  expect(before - (await testMaker.balanceOf(borrower.address))).toBe(quote.vrtAmount)
  expect(await allowanceOf(borrower.address)).toBe(0n)
})

it('behavior: a taker whose new code accepts every signature loses at most what it has approved', async () => {
  const { borrower } = testMaker
  const { loanToken, quoteMarket, interestRatePool } = devnet.contracts
  const [, thief] = devnet.backers
  const approved = 5_000_000_000n
  await testMaker.send(borrower, loanToken, approve(approved))
  await devnet.testClient.setCode({ address: borrower.address, bytecode: acceptsAll })
  const permission = [borrower.address, thief.address, true, maxUint256, '0x'] as const
  const pool = { abi: interestRatePoolAbi, functionName: 'setOperatorWithSignature' } as const
  await testMaker.send(thief, interestRatePool, encodeFunctionData({ ...pool, args: permission }))
  const takeFor = async (vrtAmount: bigint) => {
    const quote = await testMaker.quote({ maker: thief.address, vrtAmount })
    const args = [quote, await testMaker.sign(quote, thief), maxUint256, borrower.address] as const
    return encodeFunctionData({ abi: quoteMarketAbi, functionName: 'takeQuoteFor', args })
  }
  const before = await testMaker.balanceOf(borrower.address)
  expect(await testMaker.revertOf(thief.address, quoteMarket, await takeFor(approved + 1n))).toMatch(
    /^ERC20InsufficientAllowance/,
  )
  await testMaker.send(thief, quoteMarket, await takeFor(approved))
  expect(before - (await testMaker.balanceOf(borrower.address))).toBe(approved)
})
