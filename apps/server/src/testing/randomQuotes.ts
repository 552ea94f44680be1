import { type QuoteMarketQuote, quoteTypedData, type SignedQuote } from '@firmquote/core'
import {
  type Devnet,
  type DevnetAccount,
  erc1271WalletAbi,
  erc1271WalletBytecode,
  interestRatePoolAbi,
  quoteMarketAbi,
  testTokenAbi,
} from '@firmquote/devnet'
import {
  type Abi,
  type Address,
  concatHex,
  encodeAbiParameters,
  type Hex,
  keccak256,
  maxUint256,
  numberToHex,
  parseSignature,
  serializeSignature,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { domainOf } from './signedQuotes.ts'

/** A random number below `limit`, the same ones for the same seed. */
export type Dice = (limit: number) => number

/** Creates the dice (mulberry32). */
export function createDice(seed: number): Dice {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** A quote and what was done to it. */
export type RandomQuote = { quote: SignedQuote; faults: string[] }

/** Makers, series and spent quotes of every kind, on one devnet. */
export type QuoteWorld = { random(dice: Dice): Promise<RandomQuote> }

type Maker = { address: Address; key: DevnetAccount; nonce: bigint }

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const funds = 1_000_000_000n

/** Prepares the chain: poor makers, a contract as a maker, a small and an ended series, quotes taken and cancelled. */
export async function createQuoteWorld(devnet: Devnet): Promise<QuoteWorld> {
  const domain = domainOf(devnet)
  const [rich, raised, wallet] = devnet.backers
  const [pool, otherPool] = devnet.pools
  const { quoteMarket, interestRatePool, loanToken } = devnet.contracts
  const send = async (from: DevnetAccount, address: Address, abi: Abi, functionName: string, args: unknown[]) => {
    const hash = await devnet.walletClient(from).writeContract({ address, abi, functionName, args })
    const receipt = await devnet.publicClient.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new RangeError(`${functionName} has failed`)
  }
  const market = (from: DevnetAccount, name: string, args: unknown[]) =>
    send(from, quoteMarket, quoteMarketAbi, name, args)
  const token = (from: DevnetAccount, name: string, args: unknown[]) => send(from, loanToken, testTokenAbi, name, args)

  // Borrowers hold what anvil gives them, so they make poor makers.
  const [lacksMoney, lacksAllowance, taker] = devnet.borrowers
  const held = await devnet.publicClient.readContract({
    address: loanToken,
    abi: testTokenAbi,
    functionName: 'balanceOf',
    args: [lacksMoney.address],
  })
  await token(lacksMoney, 'transfer', [rich.address, held - funds])
  await token(lacksAllowance, 'approve', [quoteMarket, funds])
  await market(raised, 'raiseNonce', [])
  await market(raised, 'raiseNonce', [])

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
    await send(devnet.deployer, interestRatePool, interestRatePoolAbi, 'createSeries', [pool.poolId, expiry, cap])
    return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint64' }], [pool.poolId, expiry]))
  }
  const ended = await createSeries(now + 600n, 10n ** 15n)
  const small = await createSeries(now + 86_400n * 40n, 1_000n)

  const makers: Maker[] = [
    { address: rich.address, key: rich, nonce: 0n },
    { address: raised.address, key: raised, nonce: 2n },
    { address: wallet.address, key: wallet, nonce: 0n },
  ]
  const active = pool.series.map(({ seriesKey }) => seriesKey)
  let salts = 0n
  const valid = (maker: Maker, dice: Dice, time: bigint): QuoteMarketQuote => ({
    maker: maker.address,
    taker: dice(4) === 0 ? taker.address : zeroAddress,
    poolId: pool.poolId,
    seriesKey: active[dice(active.length)] ?? ended,
    notional: 1n + BigInt(dice(1_000_000)),
    vrtAmount: BigInt(dice(1_000_000)),
    nonce: maker.nonce,
    // The contract takes a quote up to and including its deadline.
    deadline: time + BigInt(dice(3) === 0 ? 0 : dice(100_000)),
    salt: numberToHex(++salts, { size: 32 }),
  })
  const sign = (quote: QuoteMarketQuote, key: DevnetAccount, by = domain): Promise<Hex> =>
    privateKeyToAccount(key.privateKey).signTypedData(quoteTypedData(quote, by))

  // What is spent is spent before the clock goes on, and lives long enough to be looked at afterwards.
  const setUp = createDice(1)
  const spent: { fault: string; quote: QuoteMarketQuote; maker: Maker }[] = []
  for (let index = 0; index < 6; index += 1) {
    const maker = makers[index % makers.length] ?? walletMaker
    const quote = { ...valid(maker, setUp, now + 10_000n), taker: zeroAddress, seriesKey: active[0] ?? ended }
    if (index < 3) await market(taker, 'takeQuote', [quote, await sign(quote, maker.key), maxUint256])
    else await market(maker.key, 'cancelQuote', [quote])
    spent.push({ fault: index < 3 ? 'filled' : 'cancelled', quote, maker })
  }
  await devnet.testClient.setNextBlockTimestamp({ timestamp: now + 700n })
  await devnet.testClient.mine({ blocks: 1 })
  const { timestamp: time } = await devnet.publicClient.getBlock()

  const pick = <T>(dice: Dice, items: readonly T[]): T => items[dice(items.length)] as T

  /** What can be wrong with the terms; each changes the quote before it is signed. */
  const termFaults: Record<string, (quote: QuoteMarketQuote, dice: Dice) => QuoteMarketQuote> = {
    'deadline passed': (quote, dice) => ({ ...quote, deadline: time - 1n - BigInt(dice(1_000)) }),
    'another taker': (quote) => ({ ...quote, taker: devnet.deployer.address }),
    'no notional': (quote) => ({ ...quote, notional: 0n }),
    'another nonce': (quote, dice) => ({ ...quote, nonce: pick(dice, [quote.nonce ^ 1n, 7n, maxUint256]) }),
    'unknown series': (quote) => ({ ...quote, seriesKey: keccak256(quote.salt) }),
    "another pool's series": (quote, dice) => ({
      ...quote,
      seriesKey: pick(dice, otherPool.series).seriesKey,
    }),
    'unknown pool': (quote, dice) => ({ ...quote, poolId: pick(dice, [zeroHash, keccak256(quote.salt)]) }),
    'ended series': (quote) => ({ ...quote, seriesKey: ended }),
    'capacity exceeded': (quote, dice) => ({
      ...quote,
      seriesKey: small,
      notional: pick(dice, [1_001n, funds, maxUint256]),
    }),
    'all that the series can take': (quote) => ({ ...quote, seriesKey: small, notional: 1_000n }),
  }

  /** What can be wrong with the signature; each gives one that is not the maker's for this quote. */
  const signatureFaults: Record<string, (quote: QuoteMarketQuote, maker: Maker, right: Hex) => Promise<Hex> | Hex> = {
    'another signer': (quote) => sign(quote, devnet.deployer),
    'another chain': (quote, { key }) => sign(quote, key, { ...domain, chainId: domain.chainId + 1 }),
    'another contract': (quote, { key }) => sign(quote, key, { ...domain, quoteMarket: interestRatePool }),
    'other terms': (quote, { key }) => sign({ ...quote, vrtAmount: quote.vrtAmount + 1n }, key),
    'high s': (_quote, _maker, right) => {
      const { r, s, yParity } = parseSignature(right)
      return serializeSignature({ r, s: numberToHex(curveOrder - BigInt(s), { size: 32 }), yParity: 1 - yParity })
    },
    'v of 0 or 1': (_quote, _maker, right) => `${right.slice(0, -2)}${right.endsWith('1b') ? '00' : '01'}` as Hex,
    '64 bytes': (_quote, _maker, right) => right.slice(0, -2) as Hex,
    '66 bytes': (_quote, _maker, right) => concatHex([right, '0x00']),
    'no bytes': () => '0x',
    zeros: () => `0x${'00'.repeat(65)}`,
  }

  const random = async (dice: Dice): Promise<RandomQuote> => {
    const kind = dice(20)
    const faults: string[] = []
    let maker = pick(dice, makers)
    let quote = valid(maker, dice, time)
    if (kind < 2) {
      const found = pick(dice, spent)
      maker = found.maker
      quote = found.quote
      faults.push(found.fault)
    } else if (kind < 6) {
      const [fault, account] = pick(dice, [
        ['lacks money', lacksMoney],
        ['lacks allowance', lacksAllowance],
      ] as const)
      maker = { address: account.address, key: account, nonce: 0n }
      // To the last unit, and one more.
      quote = { ...valid(maker, dice, time), notional: pick(dice, [funds, funds + 1n, funds * 2n]) }
      if (quote.notional > funds) faults.push(fault)
    } else if (kind === 6) {
      // A contract that has tokens, has not allowed anyone to move them, and vouches for its owner's signature.
      maker = walletMaker
      quote = valid(maker, dice, time)
      faults.push('a contract without allowance')
    }
    const changes = pick(dice, [0, 1, 1, 1, 2])
    for (let change = 0; change < changes; change += 1) {
      const fault = pick(dice, Object.keys(termFaults))
      quote = termFaults[fault]?.(quote, dice) ?? quote
      faults.push(fault)
    }
    let signature = await sign(quote, maker.key)
    if (dice(4) === 0) {
      const fault = pick(dice, Object.keys(signatureFaults))
      signature = (await signatureFaults[fault]?.(quote, maker, signature)) ?? signature
      faults.push(fault)
    }
    return { quote: { ...quote, signature }, faults }
  }
  return { random }
}
