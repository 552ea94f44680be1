import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type Address, encodeFunctionData, type Hex, maxUint256, zeroAddress } from 'viem'
import { devnet, testMaker, useTestDevnet } from '../test/testDevnet.ts'
import { erc1271WalletAbi, erc1271WalletBytecode } from './generated/erc1271Wallet.ts'
import { hostileErc1271WalletAbi, hostileErc1271WalletBytecode } from './generated/hostileErc1271Wallet.ts'
import { testTokenAbi } from './generated/testToken.ts'
import type { TestQuote } from './testMaker.ts'

useTestDevnet()

async function expectBadSignature(quote: TestQuote, signature: Hex): Promise<void> {
  expect(await testMaker.preview(quote, signature)).toMatchObject({ executable: false, reason: 'BAD_SIGNATURE' })
  expect(await testMaker.takeRevert(quote, signature)).toBe('QuoteNotExecutable(BAD_SIGNATURE)')
}

async function deployedAddress(hash: Hex): Promise<Address> {
  const { contractAddress } = await devnet.publicClient.waitForTransactionReceipt({ hash })
  return contractAddress ?? zeroAddress
}

it('behavior: eip712Domain names the market', async () => {
  const { domain } = await devnet.publicClient.getEip712Domain({ address: devnet.contracts.quoteMarket })
  expect(domain).toMatchObject({
    name: 'QuoteMarket',
    version: '1',
    chainId: devnet.chainId,
    verifyingContract: devnet.contracts.quoteMarket,
  })
})

// For all other kinds of signatures, test/describeVerifier.ts compares the contract's verdict with ecrecover.
it('error: nobody signs for the zero address', async () => {
  const quote = await testMaker.quote({ maker: zeroAddress })
  await expectBadSignature(quote, `0x${'00'.repeat(64)}1b`)
})

describe('ERC-1271', () => {
  async function deployWallet(): Promise<Address> {
    const wallet = devnet.walletClient(devnet.deployer)
    return deployedAddress(
      await wallet.deployContract({
        abi: erc1271WalletAbi,
        bytecode: erc1271WalletBytecode,
        args: [testMaker.maker.address],
      }),
    )
  }

  it('default: a wallet contract makes a quote that its owner signs', async () => {
    const maker = await deployWallet()
    const quote = await testMaker.quote({ maker })
    const signature = await testMaker.sign(quote)
    const { loanToken, quoteMarket } = devnet.contracts
    expect((await testMaker.preview(quote, signature)).reason).toBe('INSUFFICIENT_BALANCE')
    await testMaker.send(
      testMaker.maker,
      loanToken,
      encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [maker, quote.notional] }),
    )
    expect((await testMaker.preview(quote, signature)).reason).toBe('INSUFFICIENT_ALLOWANCE')
    const approve = encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'approve',
      args: [quoteMarket, quote.notional],
    })
    await testMaker.send(
      testMaker.maker,
      maker,
      encodeFunctionData({ abi: erc1271WalletAbi, functionName: 'execute', args: [loanToken, approve] }),
    )
    await testMaker.take(quote, signature)
    expect(await testMaker.balanceOf(maker)).toBe(0n)
  })

  it('error: a wallet contract refuses the signature of another account', async () => {
    const quote = await testMaker.quote({ maker: await deployWallet() })
    await expectBadSignature(quote, await testMaker.sign(quote, devnet.backers[1]))
  })

  it.each([
    [0, 'reverts'],
    [1, 'returns a megabyte'],
    [2, 'reverts with a megabyte'],
    [3, 'burns its gas'],
    [4, 'answers nothing'],
    [5, 'answers four bytes'],
    [6, 'answers true'],
    [7, 'answers the magic value with dirt behind it'],
  ])('error: behaviour %i, a wallet that %s', async (behaviour) => {
    const wallet = devnet.walletClient(devnet.deployer)
    const maker = await deployedAddress(
      await wallet.deployContract({
        abi: hostileErc1271WalletAbi,
        bytecode: hostileErc1271WalletBytecode,
        args: [behaviour],
      }),
    )
    const quote = await testMaker.quote({ maker })
    await expectBadSignature(quote, await testMaker.sign(quote))
  })
})

describe('previewTakeQuote', () => {
  it('behavior: it never reverts, and take gives the same reason', async () => {
    const uint256 = fc.oneof(fc.bigInt({ min: 0n, max: maxUint256 }), fc.constantFrom(0n, 1n, maxUint256))
    const bytes32 = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)
    const base = await testMaker.quote()
    const accounts = [...devnet.backers, ...devnet.borrowers].map(({ address }) => address)
    const contracts = Object.values(devnet.contracts)
    const changes = fc.record(
      {
        maker: fc.constantFrom(zeroAddress, ...accounts, ...contracts),
        taker: fc.constantFrom(zeroAddress, ...accounts),
        poolId: fc.oneof(bytes32, fc.constantFrom(...devnet.pools.map(({ poolId }) => poolId))),
        seriesKey: fc.oneof(
          bytes32,
          fc.constantFrom(...devnet.pools.flatMap(({ series }) => series.map(({ seriesKey }) => seriesKey))),
        ),
        notional: uint256,
        vrtAmount: uint256,
        nonce: uint256,
        deadline: uint256,
        salt: bytes32,
      },
      { requiredKeys: [] },
    )
    const junk = fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)
    await fc.assert(
      fc.asyncProperty(changes, fc.option(junk), async (some, bytes) => {
        const quote: TestQuote = { ...base, ...some }
        const signature = bytes ?? (await testMaker.sign(quote))
        const { executable, reason } = await testMaker.preview(quote, signature)
        expect(executable).toBe(reason === '')
        const revert = await testMaker.takeRevert(quote, signature)
        if (executable) expect(revert).not.toContain('QuoteNotExecutable')
        else expect(revert).toBe(`QuoteNotExecutable(${reason})`)
      }),
      { numRuns: 60 },
    )
  })
})
