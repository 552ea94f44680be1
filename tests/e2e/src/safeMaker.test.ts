// Tests a maker that is a two-of-three Safe. Uses the published code of Safe 1.5.0, from Safe's npm package.

import { createRequire } from 'node:module'
import { type QuoteMarketQuote, quoteMarketAbi, type RFQBroadcast } from '@firmquote/core'
import { type Devnet, type DevnetAccount, testTokenAbi } from '@firmquote/devnet'
import { checkExecutability, type RFQResult, ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  type Abi,
  type Address,
  concat,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  hashMessage,
  keccak256,
  type LocalAccount,
  parseAbi,
  parseAbiParameters,
  parseEventLogs,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { costOf } from './plannedBacker.ts'
import { quoteOf } from './quoteOf.ts'
import { stopAfter } from './stopAfter.ts'

const require = createRequire(import.meta.url)

type Artifact = { abi: Abi; bytecode: Hex }

/** Safe 1.5.0's contracts, as compiled and published by Safe. */
const safeArtifacts = {
  singleton: require('@safe-global/safe-smart-account/build/artifacts/contracts/Safe.sol/Safe.json') as Artifact,
  proxyFactory:
    require('@safe-global/safe-smart-account/build/artifacts/contracts/proxies/SafeProxyFactory.sol/SafeProxyFactory.json') as Artifact,
  fallbackHandler:
    require('@safe-global/safe-smart-account/build/artifacts/contracts/handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json') as Artifact,
}

const safeAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool success)',
  'function nonce() view returns (uint256)',
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
  'function isValidSignature(bytes32 dataHash, bytes signature) view returns (bytes4)',
])

const proxyFactoryAbi = parseAbi([
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address proxy)',
  'event ProxyCreation(address indexed proxy, address singleton)',
])

/** Creates Safes on a devnet and executes their transactions. */
type Safes = Awaited<ReturnType<typeof deploySafes>>

/** Deploys the contracts that all Safes on a chain share. `relayer` pays for gas. */
async function deploySafes(devnet: Devnet, relayer: DevnetAccount) {
  const wallet = devnet.walletClient(relayer)
  const wait = async (hash: Hex) => {
    const receipt = await devnet.publicClient.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new RangeError("A test's transaction reverted.")
    return receipt
  }
  const deploy = async (artifact: Artifact): Promise<Address> => {
    const { contractAddress } = await wait(await wallet.deployContract({ ...artifact, args: [] }))
    if (!contractAddress) throw new RangeError('The transaction created no contract.')
    return contractAddress
  }
  const singleton = await deploy(safeArtifacts.singleton)
  const proxyFactory = await deploy(safeArtifacts.proxyFactory)
  const fallbackHandler = await deploy(safeArtifacts.fallbackHandler)
  let created = 0n

  return {
    async create(owners: readonly LocalAccount[], threshold: number): Promise<Address> {
      const addresses = owners.map(({ address }) => address)
      const rest = [zeroAddress, '0x', fallbackHandler, zeroAddress, 0n, zeroAddress] as const
      const args = [addresses, BigInt(threshold), ...rest] as const
      const initializer = encodeFunctionData({ abi: safeAbi, functionName: 'setup', args })
      const call = { address: proxyFactory, abi: proxyFactoryAbi, functionName: 'createProxyWithNonce' } as const
      created += 1n
      const { logs } = await wait(await wallet.writeContract({ ...call, args: [singleton, initializer, created] }))
      const [event] = parseEventLogs({ abi: proxyFactoryAbi, eventName: 'ProxyCreation', logs })
      if (!event) throw new RangeError('The transaction created no Safe.')
      return event.args.proxy
    },

    /** Executes a Safe's transaction signed by `signers`. */
    async execute(safe: Address, { to, data }: { to: Address; data: Hex }, signers: readonly LocalAccount[]) {
      const nonce = await devnet.publicClient.readContract({ address: safe, abi: safeAbi, functionName: 'nonce' })
      const unpaid = { safeTxGas: 0n, baseGas: 0n, gasPrice: 0n, gasToken: zeroAddress, refundReceiver: zeroAddress }
      const signatures = await signByOwners(signers, (owner) =>
        owner.signTypedData({
          domain: { chainId: devnet.chainId, verifyingContract: safe },
          types: safeTransactionTypes,
          primaryType: 'SafeTx',
          message: { to, value: 0n, data, operation: 0, ...unpaid, nonce },
        }),
      )
      const args = [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signatures] as const
      return wait(await wallet.writeContract({ address: safe, abi: safeAbi, functionName: 'execTransaction', args }))
    },
  }
}

/** Creates a function that signs EIP-712 digests for the Safe at `safe`, for use with `BackerSigner.setContract`. */
function signAsSafe(safe: Address, { chainId, owners }: { chainId: number; owners: readonly LocalAccount[] }) {
  return (digest: Hex): Promise<Hex> =>
    signByOwners(owners, (owner) =>
      owner.signTypedData({
        domain: { chainId, verifyingContract: safe },
        types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
        primaryType: 'SafeMessage',
        message: { message: digest },
      }),
    )
}

/** Combines the owners' signatures in address order, as a Safe requires. */
async function signByOwners(
  owners: readonly LocalAccount[],
  sign: (owner: LocalAccount) => Promise<Hex>,
): Promise<Hex> {
  const ordered = [...owners].sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  return concat(await Promise.all(ordered.map(sign)))
}

/**
 * Inputs to the address of a contract deployed by Safe's deployer. The same bytecode has the same address on every
 * chain.
 */
const safeDeployment = { from: '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7', salt: zeroHash } as const

const safeTransactionTypes = {
  SafeTx: parseAbiParameters(
    'address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce',
  ),
}

/** Gas limit for a call to a maker's contract, as specified in `docs/protocol.md`. */
const gasLimit = 500_000n
const mostSignatureBytes = 1_024
const notional = 250_000_000_000n
const funds = 1_000_000_000_000n

let stack: Stack
let safes: Safes
let safe: Address
const started = stopAfter(afterAll)
const owners = [1, 2, 3].map(ownerOf) as [PrivateKeyAccount, PrivateKeyAccount, PrivateKeyAccount]

beforeAll(async () => {
  stack = started(await startStack({ AUCTION_DURATION_MS: '1500', SYNC_INTERVAL_MS: '200' }))
  const { devnet } = stack
  const [funder] = devnet.backers
  const { loanToken, quoteMarket } = devnet.contracts
  safes = await deploySafes(devnet, funder)
  safe = await safes.create(owners, 2)
  const transfer = { address: loanToken, abi: testTokenAbi, functionName: 'transfer', args: [safe, funds] } as const
  await devnet.publicClient.waitForTransactionReceipt({
    hash: await devnet.walletClient(funder).writeContract(transfer),
  })
  const approval = { abi: testTokenAbi, functionName: 'approve', args: [quoteMarket, funds] } as const
  await safes.execute(safe, { to: loanToken, data: encodeFunctionData(approval) }, owners.slice(0, 2))
}, 60_000)

function ownerOf(index: number): PrivateKeyAccount {
  return privateKeyToAccount(keccak256(toHex(`owner ${index} of a Safe`)))
}

function termsOf({
  poolId,
  seriesKey,
  expiry,
}: Pick<RFQBroadcast, 'poolId' | 'seriesKey' | 'expiry'>): QuoteMarketQuote {
  return quoteOf(safe, { poolId, seriesKey, notional, vrtAmount: costOf({ expiry }, notional, 500n) })
}

/**
 * Connects the Safe as a backer, with these owners' signatures. It answers every RFQ. `closed` resolves when the Safe's
 * connection closes.
 */
async function connectSafe(signers: readonly PrivateKeyAccount[]) {
  const client = new ServiceClient({ orderbookUrl: stack.url })
  started({ stop: () => client.disconnectWebSocket() })
  client.getSigner().setContract(safe, signAsSafe(safe, { chainId: stack.devnet.chainId, owners: signers }))
  const acks: unknown[] = []
  const socket = await client.connectWebSocket({
    onRFQ: async (rfq) => acks.push(await socket.submitQuote(rfq.rfqId, termsOf(rfq))),
    onError: (error) => acks.push(error),
  })
  return { client, acks }
}

function seriesOfTest() {
  const [pool] = stack.devnet.pools
  const series = pool.series[2]
  if (!series) throw new TypeError('the devnet has too few series')
  return { poolId: pool.poolId, ...series }
}

function ask(): Promise<RFQResult> {
  const { poolId, expiry } = seriesOfTest()
  return new ServiceClient({ orderbookUrl: stack.url }).requestQuotes({ poolId, expiry, notional })
}

/** Runs an auction that only the Safe answers. Returns its quote. */
async function wonAuction() {
  const { quotes } = await ask()
  expect(quotes).toHaveLength(1)
  const [won] = quotes
  if (!won) throw new TypeError('there is no quote')
  expect(won.quote.maker).toBe(safe)
  return won
}

describe('a maker that is a Safe', () => {
  test("default: the code is the same as Safe's on-chain deployments", () => {
    const addresses = Object.values(safeArtifacts).map(({ bytecode }) =>
      getCreate2Address({ ...safeDeployment, bytecode }),
    )
    expect(addresses).toEqual([
      '0xFf51A5898e281Db6DfC7855790607438dF2ca44b',
      '0x14F2982D601c9458F93bd70B218933A6f8165e7b',
      '0x3EfCBb83A4A7AfcB4F68D501E2c2203a38be77f4',
    ])
  })

  test('default: its quote is accepted and taken, and its quotes become unusable within a block once a signer is removed as owner', async () => {
    const { devnet } = stack
    const [borrower] = devnet.borrowers
    const [alice, bob, carol] = owners
    const first = await connectSafe([alice, bob])

    const won = await wonAuction()
    expect(first.acks).toMatchObject([{ status: 'accepted', hash: won.hash }])
    expect(won.unproven).toBe(true)
    const take = takeQuoteParameters(won.quote, { maxCost: won.quote.vrtAmount })
    const receipt = await devnet.publicClient.waitForTransactionReceipt({
      hash: await devnet.walletClient(borrower).writeContract(take),
    })
    const [filled] = parseEventLogs({ abi: quoteMarketAbi, eventName: 'QuoteFilled', logs: receipt.logs })
    expect(filled?.args).toMatchObject({ hash: won.hash, maker: safe, taker: borrower.address })

    // A quote from a second auction, and a published quote.
    const second = await wonAuction()
    const { client } = first
    const published = await client.submitQuoteMarketQuote(await client.signQuoteMarketQuote(termsOf(seriesOfTest())))
    const isListed = async () =>
      (await client.getQuoteMarketQuotes({ maker: safe })).quotes.find(({ hash }) => hash === published.hash)
    const check = () => {
      const { poolId, seriesKey } = seriesOfTest()
      const request = { poolId, seriesKey, notional }
      const { publicClient } = devnet
      return checkExecutability(second.quote, { request, borrower: borrower.address, publicClient })
    }
    expect(await isListed()).toMatchObject({ executable: true })
    expect(await check()).toMatchObject({ executable: true })

    const dave = ownerOf(4)
    // Placeholder for the predecessor of the list's first owner.
    const sentinel = '0x0000000000000000000000000000000000000001'
    const data = encodeFunctionData({
      abi: safeAbi,
      functionName: 'swapOwner',
      args: [sentinel, alice.address, dave.address],
    })
    const { blockNumber } = await safes.execute(safe, { to: safe, data }, [bob, carol])
    // The chain mines only when there are transactions, so no block has been mined since.
    expect(await devnet.publicClient.getBlockNumber({ cacheTime: 0 })).toBe(blockNumber)
    expect(await check()).toMatchObject({ executable: false })
    expect(await isListed()).toMatchObject({ executable: false })
    const late = devnet.walletClient(borrower).writeContract(takeQuoteParameters(second.quote, { maxCost: notional }))
    await expect(late).rejects.toThrow(/BAD_SIGNATURE|QuoteNotExecutable/)

    // The removed owner's signature no longer authenticates the Safe; those of two current owners do.
    client.disconnectWebSocket()
    await expect(connectSafe([alice, bob])).rejects.toMatchObject({ reason: 'bad_signature' })
    const again = await connectSafe([bob, dave])
    const third = await wonAuction()
    expect(again.acks).toMatchObject([{ status: 'accepted', hash: third.hash }])
    // The Safe's first quote has been taken, so the Safe counts as proven.
    expect(third.unproven).toBeUndefined()
  }, 60_000)

  test.each([
    [2, 3],
    [15, 15],
  ])('behavior: the signature of %d of %d owners is within the limits', async (threshold, count) => {
    const { publicClient, chainId } = stack.devnet
    const all = Array.from({ length: count }, (_, index) => ownerOf(index + 1))
    const address = await safes.create(all, threshold)
    const digest = hashMessage('a digest')
    const sign = signAsSafe(address, { chainId, owners: all.slice(0, threshold) })
    const signature = await sign(digest)
    expect(signature.length / 2 - 1).toBeLessThanOrEqual(mostSignatureBytes)
    const args = [digest, signature] as const
    const call = { to: address, data: encodeFunctionData({ abi: safeAbi, functionName: 'isValidSignature', args }) }
    const { data: answer } = await publicClient.call({ ...call, gas: gasLimit })
    expect(answer).toBe(`0x1626ba7e${'0'.repeat(56)}`)
    const gas = await publicClient.estimateGas(call)
    process.stdout.write(`isValidSignature of a Safe with ${threshold} of ${count} owners: ${gas} gas\n`)
    expect(gas).toBeLessThan(gasLimit / 2n)
  })
})
