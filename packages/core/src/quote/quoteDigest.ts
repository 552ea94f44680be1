// Why: docs/decisions/0009-one-digest-encoder.md

import { InvalidInputError } from '../errors.ts'
import type { QuoteMarketQuote } from '../generated/wireTypes.ts'
import { notUint256 } from '../values/checkedUint256.ts'
import { writeHex } from '../values/hexBytes.ts'
import { type QuoteDomain, quoteEip712Domain, quoteTypes } from './typedData.ts'

const word = 32

/**
 * Creates the EIP-712 encoder for one market's quotes. The encoder writes the type's ten words into a reused buffer and
 * returns the 32-byte digest.
 *
 * The encoder throws {@link InvalidInputError} if a field does not fit its type, because a field of the wrong length
 * would shift the fields after it.
 *
 * @param keccak256 Hashes bytes.
 * @throws {InvalidInputError} if the chain id or the market does not fit its type.
 */
export function createQuoteDigest(
  keccak256: (bytes: Uint8Array) => Uint8Array,
  domain: QuoteDomain,
): (quote: QuoteMarketQuote) => Uint8Array {
  const hashText = (text: string) => keccak256(new TextEncoder().encode(text))
  const { bytes: struct, writeUint } = createWords(1 + quoteTypes.Quote.length)
  const fields = quoteTypes.Quote.map(({ type, name }) => `${type} ${name}`)
  struct.set(hashText(`Quote(${fields.join(',')})`))
  const signed = new Uint8Array(2 + 2 * word)
  signed.set([0x19, 0x01])
  signed.set(domainSeparator(), 2)

  return (quote) => {
    writeHex(struct, word + 12, quote.maker, 20, 'maker')
    writeHex(struct, 2 * word + 12, quote.taker, 20, 'taker')
    writeHex(struct, 3 * word, quote.poolId, word, 'poolId')
    writeHex(struct, 4 * word, quote.seriesKey, word, 'seriesKey')
    writeUint(5, quote.notional, 'notional')
    writeUint(6, quote.vrtAmount, 'vrtAmount')
    writeUint(7, quote.nonce, 'nonce')
    writeUint(8, quote.deadline, 'deadline')
    writeHex(struct, 9 * word, quote.salt, word, 'salt')
    signed.set(keccak256(struct), 2 + word)
    return keccak256(signed)
  }

  function domainSeparator(): Uint8Array {
    const { name, version, chainId, verifyingContract } = quoteEip712Domain(domain)
    if (!Number.isSafeInteger(chainId)) throw new InvalidInputError('must be an integer.', { path: 'chainId' })
    const { bytes, writeUint } = createWords(5)
    const texts = ['EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)', name, version]
    for (const [index, text] of texts.entries()) bytes.set(hashText(text), index * word)
    writeUint(3, BigInt(chainId), 'chainId')
    writeHex(bytes, 4 * word + 12, verifyingContract, 20, 'quoteMarket')
    return keccak256(bytes)
  }
}

/** A buffer of `count` zeroed words, and a function that writes a uint256 into one of them. */
function createWords(count: number) {
  const bytes = new Uint8Array(count * word)
  const words = new DataView(bytes.buffer)
  const writeUint = (index: number, value: bigint, path: string) => {
    if (typeof value !== 'bigint') throw notUint256(value, path)
    const at = index * word
    words.setBigUint64(at + 24, value)
    let rest = value >> 64n
    for (let limb = 16; limb >= 0; limb -= 8) {
      words.setBigUint64(at + limb, rest)
      if (rest !== 0n) rest >>= 64n
    }
    // A nonzero remainder means that the number is negative or too large.
    if (rest !== 0n) throw notUint256(value, path)
  }
  return { bytes, writeUint }
}
