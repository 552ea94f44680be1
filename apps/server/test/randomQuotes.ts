import { type QuoteMarketQuote, quoteTypedData, type SignedQuote } from '@firmquote/core'
import { type Devnet, type DevnetAccount, quoteMarketAbi, testTokenAbi } from '@firmquote/devnet'
import {
  type Abi,
  type Address,
  encodeAbiParameters,
  type Hex,
  hexToString,
  keccak256,
  maxUint256,
  numberToHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { signatureFaults } from '../../../packages/core/test/signatureFaults.ts'
import { erc1271WalletAbi, erc1271WalletBytecode } from '../../../packages/devnet/test/testContracts.ts'
import { createChainDriver } from './chainDriver.ts'
import { domainOf } from './signedQuotes.ts'

/** Returns a random integer from 0 to `limit - 1`. */
export type RandomInteger = (limit: number) => number

/** Creates a deterministic generator (mulberry32). */
export function createRandomInteger(seed: number): RandomInteger {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** A quote and its planted faults. */
export type RandomQuote = { quote: SignedQuote; faults: string[] }

/** Generates random quotes on a devnet that has every kind of maker, series and ended quote. */
export type QuoteGenerator = { next(random: RandomInteger): Promise<RandomQuote> }

type Maker = { address: Address; key: DevnetAccount; nonce: bigint }

/** Malformed signatures. Does not cover contract signatures. */
const malformed = signatureFaults.filter(([name]) => name !== 'no hex' && name !== 'no 0x')
const funds = 1_000_000_000n

/**
 * Prepares the chain with unfunded makers, a contract maker, a small series, an expired series, and taken and cancelled
 * quotes.
 */
export async function createQuoteGenerator(devnet: Devnet): Promise<QuoteGenerator> {
  const domain = domainOf(devnet)
  const [rich, raised, wallet] = devnet.backers
  const [pool, otherPool] = devnet.pools
  const { quoteMarket, interestRatePool, loanToken } = devnet.contracts
  const chain = createChainDriver(devnet)
  const succeed = async (transaction: Promise<{ status: Hex }>) => {
    if ((await transaction).status !== '0x1') throw new RangeError('A transaction of the setup has failed.')
  }
  const token = (from: DevnetAccount, name: string, args: unknown[]) =>
    succeed(chain.call(from, loanToken, testTokenAbi as Abi, name, args))

  // Borrowers act as makers with too low a balance or allowance.
  const [lacksBalance, lacksAllowance, taker] = devnet.borrowers
  const balance = await devnet.publicClient.readContract({
    address: loanToken,
    abi: testTokenAbi,
    functionName: 'balanceOf',
    args: [lacksBalance.address],
  })
  await token(lacksBalance, 'transfer', [rich.address, balance - funds])
  await token(lacksAllowance, 'approve', [quoteMarket, funds])
  for (let raises = 0; raises < 2; raises += 1) await succeed(chain.raiseNonce(raised))

  const deployment = await devnet.walletClient(wallet).deployContract({
    abi: erc1271WalletAbi,
    bytecode: erc1271WalletBytecode,
    args: [wallet.address],
  })
  const { contractAddress } = await devnet.publicClient.waitForTransactionReceipt({ hash: deployment })
  const walletMaker: Maker = { address: contractAddress ?? zeroAddress, key: wallet, nonce: 0n }
  await token(wallet, 'transfer', [walletMaker.address, funds])

  const now = (await devnet.publicClient.getBlock()).timestamp
  const createSeries = async (expiry: bigint, cap: bigint): Promise<Hex> => {
    await succeed(chain.createSeries(pool.poolId, expiry, cap))
    return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint64' }], [pool.poolId, expiry]))
  }
  const expired = await createSeries(now + 600n, 10n ** 15n)
  const small = await createSeries(now + 86_400n * 40n, 1_000n)

  const makers: Maker[] = [
    { address: rich.address, key: rich, nonce: 0n },
    { address: raised.address, key: raised, nonce: 2n },
    { address: wallet.address, key: wallet, nonce: 0n },
  ]
  const active = pool.series.map(({ seriesKey }) => seriesKey)
  let salts = 0n
  const valid = (maker: Maker, random: RandomInteger, time: bigint): QuoteMarketQuote => ({
    maker: maker.address,
    taker: random(4) === 0 ? taker.address : zeroAddress,
    poolId: pool.poolId,
    seriesKey: active[random(active.length)] ?? expired,
    notional: 1_000n + BigInt(random(1_000_000)),
    vrtAmount: BigInt(random(1_000)),
    nonce: maker.nonce,
    // The deadline is the last second in which the contract accepts the quote.
    deadline: time + BigInt(random(3) === 0 ? 0 : random(100_000)),
    salt: numberToHex(++salts, { size: 32 }),
  })
  const sign = (quote: QuoteMarketQuote, key: DevnetAccount, by = domain): Promise<Hex> =>
    privateKeyToAccount(key.privateKey).signTypedData(quoteTypedData(quote, by))

  // These quotes end before the test advances time, and their deadlines are late enough for the tests.
  const setUp = createRandomInteger(1)
  const ended: { fault: string; quote: QuoteMarketQuote; maker: Maker }[] = []
  for (let index = 0; index < 6; index += 1) {
    const maker = makers[index % makers.length] ?? walletMaker
    const quote = { ...valid(maker, setUp, now + 10_000n), taker: zeroAddress, seriesKey: active[0] ?? expired }
    const signed = { ...quote, signature: await sign(quote, maker.key) }
    await succeed(index < 3 ? chain.take(taker, signed) : chain.cancel(maker.key, signed))
    ended.push({ fault: index < 3 ? 'filled' : 'cancelled', quote, maker })
  }
  await devnet.testClient.setNextBlockTimestamp({ timestamp: now + 700n })
  await devnet.testClient.mine({ blocks: 1 })
  const { timestamp: time } = await devnet.publicClient.getBlock()

  const pick = <T>(random: RandomInteger, items: readonly T[]): T => items[random(items.length)] as T

  /** Faults in the terms. Each fault changes the quote before it is signed. */
  const termFaults: Record<string, (quote: QuoteMarketQuote, random: RandomInteger) => QuoteMarketQuote> = {
    'deadline passed': (quote, random) => ({ ...quote, deadline: time - 1n - BigInt(random(1_000)) }),
    'another taker': (quote) => ({ ...quote, taker: devnet.deployer.address }),
    'no notional': (quote) => ({ ...quote, notional: 0n }),
    'another nonce': (quote, random) => ({ ...quote, nonce: pick(random, [quote.nonce ^ 1n, 7n, maxUint256]) }),
    'unknown series': (quote) => ({ ...quote, seriesKey: keccak256(quote.salt) }),
    "another pool's series": (quote, random) => ({
      ...quote,
      seriesKey: pick(random, otherPool.series).seriesKey,
    }),
    'unknown pool': (quote, random) => ({ ...quote, poolId: pick(random, [zeroHash, keccak256(quote.salt)]) }),
    'expired series': (quote) => ({ ...quote, seriesKey: expired }),
    'capacity exceeded': (quote, random) => ({
      ...quote,
      seriesKey: small,
      notional: pick(random, [1_001n, funds, 2n ** 127n - 1n]),
    }),
    'all that the series can take': (quote) => ({ ...quote, seriesKey: small, notional: 1_000n }),
  }

  /** Faults in the signature. Each fault returns a signature other than the maker's signature of this quote. */
  const wrongSignatures: Record<string, (quote: QuoteMarketQuote, maker: Maker, right: Hex) => Promise<Hex> | Hex> = {
    'another signer': (quote) => sign(quote, devnet.deployer),
    'another chain': (quote, { key }) => sign(quote, key, { ...domain, chainId: domain.chainId + 1 }),
    'another contract': (quote, { key }) => sign(quote, key, { ...domain, quoteMarket: interestRatePool }),
    'other terms': (quote, { key }) => sign({ ...quote, vrtAmount: quote.vrtAmount + 1n }, key),
    ...Object.fromEntries(
      malformed.map(([name, change]) => [name, (_quote: unknown, _maker: unknown, right: Hex) => change(right)]),
    ),
  }

  const next = async (random: RandomInteger): Promise<RandomQuote> => {
    const kind = random(20)
    const faults: string[] = []
    let maker = pick(random, makers)
    let quote = valid(maker, random, time)
    if (kind < 2) {
      const found = pick(random, ended)
      maker = found.maker
      quote = found.quote
      faults.push(found.fault)
    } else if (kind < 6) {
      const [fault, account] = pick(random, [
        ['lacks balance', lacksBalance],
        ['lacks allowance', lacksAllowance],
      ] as const)
      maker = { address: account.address, key: account, nonce: 0n }
      // The notional equals or exceeds the maker's funds.
      quote = { ...valid(maker, random, time), notional: pick(random, [funds, funds + 1n, funds * 2n]) }
      if (quote.notional > funds) faults.push(fault)
    } else if (kind === 6) {
      // This maker is a contract that accepts its owner's signature and has a balance but no allowance.
      maker = walletMaker
      quote = valid(maker, random, time)
      faults.push('a contract without allowance')
    }
    const changes = pick(random, [0, 1, 1, 1, 2])
    for (let change = 0; change < changes; change += 1) {
      const fault = pick(random, Object.keys(termFaults))
      quote = termFaults[fault]?.(quote, random) ?? quote
      faults.push(fault)
    }
    let signature = await sign(quote, maker.key)
    if (random(4) === 0) {
      const fault = pick(random, Object.keys(wrongSignatures))
      signature = (await wrongSignatures[fault]?.(quote, maker, signature)) ?? signature
      faults.push(fault)
    }
    return { quote: { ...quote, signature }, faults }
  }
  return { next }
}

/**
 * Reads the contract's reasons to reject quotes at a block, for their takers or for one borrower. A reason is empty if
 * the quote can be taken.
 */
export async function readPreviews(
  { publicClient, contracts }: Devnet,
  quotes: readonly SignedQuote[],
  blockNumber: bigint,
  borrower?: Address,
): Promise<string[]> {
  const call = { address: contracts.quoteMarket, abi: quoteMarketAbi, functionName: 'previewTakeQuote' } as const
  const answers = await publicClient.multicall({
    contracts: quotes.map(
      ({ signature, ...terms }) => ({ ...call, args: [terms, signature, borrower ?? terms.taker] }) as const,
    ),
    allowFailure: false,
    batchSize: 0,
    blockNumber,
  })
  return answers.map(([executable, reason]) => (executable ? '' : hexToString(reason, { size: 32 })))
}
