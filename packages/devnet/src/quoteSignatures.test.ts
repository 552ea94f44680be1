import { hashQuote as hashWithCore } from '@firmquote/core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  maxUint256,
  numberToHex,
  parseSignature,
  serializeSignature,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { erc1271WalletAbi, erc1271WalletBytecode } from './generated/erc1271Wallet.ts'
import { hostileErc1271WalletAbi, hostileErc1271WalletBytecode } from './generated/hostileErc1271Wallet.ts'
import { quoteMarketAbi } from './generated/quoteMarket.ts'
import { testTokenAbi } from './generated/testToken.ts'
import { type Devnet, startDevnet } from './startDevnet.ts'
import { createTestMaker, type TestQuote } from './testMaker.ts'

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let devnet: Devnet
let testMaker: ReturnType<typeof createTestMaker>
let snapshot: Hex

beforeAll(async () => {
  devnet = await startDevnet()
  testMaker = createTestMaker(devnet)
})
afterAll(() => devnet.stop())
beforeEach(async () => {
  snapshot = await devnet.testClient.snapshot()
})
afterEach(() => devnet.testClient.revert({ id: snapshot }))

async function expectBadSignature(quote: TestQuote, signature: Hex): Promise<void> {
  expect(await testMaker.preview(quote, signature)).toMatchObject({ executable: false, reason: 'BAD_SIGNATURE' })
  expect(await testMaker.takeRevert(quote, signature)).toBe('QuoteNotExecutable(BAD_SIGNATURE)')
}

async function deployedAddress(hash: Hex): Promise<Address> {
  const { contractAddress } = await devnet.publicClient.waitForTransactionReceipt({ hash })
  return contractAddress ?? zeroAddress
}

describe('hashQuote', () => {
  const vector = {
    maker: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    taker: zeroAddress,
    poolId: `0x${'22'.repeat(32)}`,
    seriesKey: `0x${'33'.repeat(32)}`,
    notional: 1_000_000_000_000n,
    vrtAmount: 25_000_000_000n,
    nonce: 0n,
    deadline: 1_767_226_200n,
    salt: `0x${'44'.repeat(32)}`,
  } as const

  it('default: the published vector, from a market at the address of the vector', async () => {
    const address = '0x1111111111111111111111111111111111111111'
    const code = await devnet.publicClient.getCode({ address: devnet.contracts.quoteMarket })
    await devnet.testClient.setCode({ address, bytecode: code ?? '0x' })
    const hash = await devnet.publicClient.readContract({
      address,
      abi: quoteMarketAbi,
      functionName: 'hashQuote',
      args: [vector],
    })
    expect(hash).toBe('0x73903559dfe47474b98f54fd7dbde1d3711fd01900a1fcb1672188c16144fab4')
    expect(await privateKeyToAccount(devnet.deployer.privateKey).sign({ hash })).toBe(
      '0x9a97d55626da9a18f6e0550cd125df57c8417b004c13a8def93202c0737186d73dbe152afb172ac2afad6c504352a0e7e5cda384f633a46f1deaea1923efaebd1b',
    )
  })

  it('behavior: the library hashes every quote as the contract does', async () => {
    const word = fc.uint8Array({ minLength: 32, maxLength: 32 })
    const uint256 = fc.bigInt({ min: 0n, max: maxUint256 })
    const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}` as const
    const arbitrary = fc.record({
      maker: word.map((bytes) => hex(bytes.subarray(12))),
      taker: word.map((bytes) => hex(bytes.subarray(12))),
      poolId: word.map(hex),
      seriesKey: word.map(hex),
      notional: uint256,
      vrtAmount: uint256,
      nonce: uint256,
      deadline: uint256,
      salt: word.map(hex),
    })
    const { chainId, contracts } = devnet
    await fc.assert(
      fc.asyncProperty(arbitrary, async (quote) => {
        expect(await testMaker.hashQuote(quote)).toBe(
          hashWithCore(quote, { chainId, quoteMarket: contracts.quoteMarket }),
        )
      }),
      { numRuns: 40 },
    )
  })

  it('behavior: eip712Domain names the market', async () => {
    const { domain } = await devnet.publicClient.getEip712Domain({ address: devnet.contracts.quoteMarket })
    expect(domain).toMatchObject({
      name: 'QuoteMarket',
      version: '1',
      chainId: devnet.chainId,
      verifyingContract: devnet.contracts.quoteMarket,
    })
  })
})

describe('ECDSA', () => {
  it('error: a malleated signature, high s', async () => {
    const quote = await testMaker.quote()
    const signature = await testMaker.sign(quote)
    const { r, s, yParity } = parseSignature(signature)
    const malleated = serializeSignature({
      r,
      s: numberToHex(curveOrder - BigInt(s), { size: 32 }),
      yParity: 1 - yParity,
    })
    await expectBadSignature(quote, malleated)
    expect((await testMaker.preview(quote, signature)).executable).toBe(true)
  })

  it.each(['0x00', '0x01', '0x1a', '0x1d', '0xff'] as const)('error: v %s', async (v) => {
    const quote = await testMaker.quote()
    const signature = await testMaker.sign(quote)
    await expectBadSignature(quote, concatHex([signature.slice(0, -2) as Hex, v]))
  })

  it('error: another signer, other terms, another chain', async () => {
    const quote = await testMaker.quote()
    await expectBadSignature(quote, await testMaker.sign(quote, devnet.backers[1]))
    await expectBadSignature({ ...quote, vrtAmount: quote.vrtAmount - 1n }, await testMaker.sign(quote))
    const elsewhere = createTestMaker({ ...devnet, chainId: 1 })
    await expectBadSignature(quote, await elsewhere.sign(quote))
  })

  it('error: a signature of any other length', async () => {
    const quote = await testMaker.quote()
    const signature = await testMaker.sign(quote)
    for (const wrong of ['0x', signature.slice(0, -2) as Hex, `${signature}00`, `0x${'00'.repeat(65)}`] as const) {
      await expectBadSignature(quote, wrong)
    }
  })

  it('error: nobody signs for the zero address', async () => {
    const quote = await testMaker.quote({ maker: zeroAddress })
    await expectBadSignature(quote, `0x${'00'.repeat(64)}1b`)
  })
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
