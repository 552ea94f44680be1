import type { QuoteDomain, QuoteMarketQuote, SignedQuote } from '@firmquote/core'
import { createQuoteSigner, createQuoteVerifier } from '@firmquote/core/verifier'
import { type Address, concatHex, type Hex, keccak256, numberToHex, slice, toHex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** The order of secp256k1. */
export const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const fieldPrime = 2n ** 256n - 2n ** 32n - 977n

/** A signed quote and its mutation. */
export type CorpusCase = { category: string; signed: SignedQuote }

type Parts = { r: bigint; s: bigint; v: number }

/**
 * Creates signed quotes of each category in turn: valid, mutated and malicious. The quote's terms are valid, so that
 * the verdict depends only on the signature.
 *
 * @param seed The same seed produces the same corpus.
 * @param base The common terms.
 * @param keys The makers' keys.
 */
export async function createSignatureCorpus(
  seed: string,
  perCategory: number,
  base: QuoteMarketQuote,
  keys: readonly Hex[],
  domain: QuoteDomain,
): Promise<CorpusCase[]> {
  let draws = 0
  const word = () => keccak256(toHex(`${seed}:${++draws}`))
  const below = (limit: number) => Number(BigInt(word()) % BigInt(limit))
  const pick = <T>(list: readonly T[]) => list[below(list.length)] as T
  const bytes = (length: number) => slice(concatHex(Array.from({ length: Math.ceil(length / 32) }, word)), 0, length)

  const { hashQuote, recoverMaker } = await createQuoteVerifier(domain)
  const signersOf = (where: QuoteDomain) => Promise.all(keys.map((key) => createQuoteSigner(key, where)))
  const signers = await signersOf(domain)
  const elsewhere = [
    ...(await signersOf({ ...domain, chainId: domain.chainId + 1 })),
    ...(await signersOf({ ...domain, quoteMarket: signers[0]?.address ?? zeroAddress })),
  ]

  const terms = (): QuoteMarketQuote => ({
    ...base,
    maker: pick(signers).address,
    notional: 1n + (BigInt(word()) % base.notional),
    vrtAmount: BigInt(word()) >> BigInt(below(256)),
    deadline: base.deadline + BigInt(below(1_000_000)),
    salt: word(),
  })
  const ownSigner = ({ maker }: QuoteMarketQuote, all = signers) => pick(all.filter(({ address }) => address === maker))
  const sign = (quote: QuoteMarketQuote) => ownSigner(quote).signQuote(quote)
  const from = (mutate: (signature: Hex, quote: QuoteMarketQuote) => Hex) => () => {
    const quote = terms()
    return { ...quote, signature: mutate(sign(quote), quote) }
  }
  const fromParts = (mutate: (parts: Parts, quote: QuoteMarketQuote) => Partial<Parts>) =>
    from((signature, quote) => {
      const parts = split(signature)
      return join({ ...parts, ...mutate(parts, quote) })
    })
  const anyV = () => pick([27, 28])

  const categories: Record<string, () => SignedQuote | Promise<SignedQuote>> = {
    valid: from((signature) => signature),
    'valid, in upper-case hex': from((signature) => `0x${signature.slice(2).toUpperCase()}`),
    'valid, maker in lower case': () => lowerMaker(from((signature) => signature)()),
    'wrong signer, maker in lower case': () =>
      lowerMaker(from((_signature, quote) => sign({ ...quote, salt: word() }))()),
    'a bit of r': fromParts(({ r }) => ({ r: r ^ (1n << BigInt(below(256))) })),
    'a bit of s': fromParts(({ s }) => ({ s: s ^ (1n << BigInt(below(256))) })),
    'a bit of v': fromParts(({ v }) => ({ v: v ^ (1 << below(8)) })),
    'the other v': fromParts(({ v }) => ({ v: 55 - v })),
    'v of 0 or 1': fromParts(({ v }) => ({ v: v - 27 })),
    'any v but the right one': fromParts(({ v }) => ({
      v: pick([2, 26, 29, 30, 31, 35, 36, 128, 255, (v + 1 + below(255)) % 256]),
    })),
    'the high-s twin': fromParts(({ s, v }) => ({ s: curveOrder - s, v: 55 - v })),
    'high s, v of the low one': fromParts(({ s }) => ({ s: curveOrder - s })),
    'high-s twin, v of 0 or 1': fromParts(({ s, v }) => ({ s: curveOrder - s, v: 28 - v })),
    '64 bytes (EIP-2098)': from((signature) => {
      const { r, s, v } = split(signature)
      return concatHex([uint(r), uint(s | (BigInt(v - 27) << 255n))])
    }),
    '64 bytes': from((signature) => slice(signature, 0, 64)),
    '66 bytes': from((signature) => (below(2) === 0 ? `${signature}00` : `0x00${signature.slice(2)}`)),
    'any other length': from((signature) =>
      pick(['0x', concatHex([signature, signature]), bytes(1 + below(64)), bytes(66 + below(200))]),
    ),
    'ERC-6492': from((signature) => concatHex([signature, `0x${'6492'.repeat(16)}`])),
    'r of zero': fromParts(() => ({ r: 0n })),
    's of zero': fromParts(() => ({ s: 0n })),
    'r from n on': fromParts(({ r }) => ({
      r: pick([
        curveOrder,
        curveOrder + 1n,
        fieldPrime - 1n,
        fieldPrime,
        2n ** 256n - 1n,
        curveOrder + (r % (2n ** 256n - curveOrder)),
      ]),
    })),
    'r below n by a little': fromParts(() => ({ r: curveOrder - BigInt(below(1000)) - 1n, v: anyV() })),
    'r of a few, on the curve or not': fromParts(() => ({ r: BigInt(1 + below(1000)), v: anyV() })),
    's around n': fromParts(() => ({ s: curveOrder + BigInt(below(3) - 1) })),
    's around n / 2': fromParts(() => ({ s: curveOrder / 2n + BigInt(below(5) - 2), v: anyV() })),
    's of a few': fromParts(() => ({ s: BigInt(1 + below(100)), v: anyV() })),
    'r and s exchanged': fromParts(({ r, s }) => ({ r: s, s: r })),
    'another key': from((_signature, quote) =>
      pick(signers.filter(({ address }) => address !== quote.maker)).signQuote(quote),
    ),
    'another market or chain': from((_signature, quote) => ownSigner(quote, elsewhere).signQuote(quote)),
    'another nonce': from((_signature, quote) => sign({ ...quote, nonce: BigInt(1 + below(3)) })),
    'a term changed after signing': from((_signature, quote) => {
      const term = pick(['notional', 'vrtAmount', 'deadline'] as const)
      return sign({ ...quote, [term]: quote[term] + 1n })
    }),
    'a bit of the salt changed after signing': from((_signature, quote) =>
      sign({ ...quote, salt: uint(BigInt(quote.salt) ^ (1n << BigInt(below(256)))) }),
    ),
    'over a message of the digest (EIP-191)': async () => {
      const quote = terms()
      const account = privateKeyToAccount(keys[signers.indexOf(ownSigner(quote))] ?? '0x')
      return { ...quote, signature: await account.signMessage({ message: { raw: hashQuote(quote) } }) }
    },
    'all zero, all ff': () => ({
      ...terms(),
      maker: pick([zeroAddress, pick(signers).address]),
      signature: pick(['00', 'ff'])
        .repeat(64)
        .replace(/^/, '0x')
        .concat(pick(['00', '1b', '1c', 'ff'])) as Hex,
    }),
    'any bytes': from(() => concatHex([bytes(64), pick(['0x1b', '0x1c'])])),
    'any bytes with a low s': fromParts(() => ({ r: BigInt(word()), s: BigInt(word()) >> 1n, v: anyV() })),
    'maker is whom garbage names': () => {
      const quote = terms()
      const signature = join({ r: BigInt(word()), s: BigInt(word()) >> 2n, v: anyV() })
      return { ...quote, signature, maker: recoverMaker({ ...quote, signature }).signer ?? quote.maker }
    },
    'a key at infinity': from((_signature, quote) => atInfinity(BigInt(word()), BigInt(hashQuote(quote)))),
  }

  const cases: CorpusCase[] = []
  for (let round = 0; round < perCategory; round += 1) {
    for (const [category, create] of Object.entries(categories)) cases.push({ category, signed: await create() })
  }
  return cases
}

function lowerMaker(signed: SignedQuote): SignedQuote {
  return { ...signed, maker: signed.maker.toLowerCase() as Address }
}

function uint(value: bigint): Hex {
  return numberToHex(value & (2n ** 256n - 1n), { size: 32 })
}

function split(signature: Hex): Parts {
  const [r, s, v] = [slice(signature, 0, 32), slice(signature, 32, 64), slice(signature, 64, 65)]
  return { r: BigInt(r), s: BigInt(s), v: Number(v) }
}

function join({ r, s, v }: Parts): Hex {
  return concatHex([uint(r), uint(s), numberToHex(v, { size: 1 })])
}

/**
 * Creates a signature that has no signer although all values are in range. With R = kG and s = z / k, the recovered key
 * s R - z G is the point at infinity.
 */
function atInfinity(nonce: bigint, digest: bigint): Hex {
  const k = (nonce % (curveOrder - 1n)) + 1n
  const { publicKey } = privateKeyToAccount(uint(k))
  const [x, y] = [BigInt(slice(publicKey, 1, 33)), BigInt(slice(publicKey, 33, 65))]
  const s = (digest * power(k, curveOrder - 2n)) % curveOrder
  const odd = Number(y & 1n)
  return s > curveOrder / 2n ? join({ r: x, s: curveOrder - s, v: 28 - odd }) : join({ r: x, s, v: 27 + odd })
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % curveOrder
    square = (square * square) % curveOrder
  }
  return result
}
