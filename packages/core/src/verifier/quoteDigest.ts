import { InvalidInputError } from '../errors.ts'
import type { QuoteMarketQuote } from '../generated/wireTypes.ts'
import { domainSeparator, type QuoteDomain, quoteTypeHash } from '../typedData.ts'
import { writeHex } from './hexBytes.ts'
import type { WasmEngine } from './wasmEngine.ts'

const word = 32

/**
 * Creates the encoder of one market's quotes: it writes the ten words of the one type there is into the same bytes each
 * time and gives the EIP-712 digest, 32 bytes.
 *
 * The answer throws {@link InvalidInputError} when a field does not fit its type: a short or long one would silently
 * shift its neighbours.
 */
export function createQuoteDigest(
  { keccak256 }: Pick<WasmEngine, 'keccak256'>,
  domain: QuoteDomain,
): (quote: QuoteMarketQuote) => Uint8Array {
  const struct = new Uint8Array(10 * word)
  const words = new DataView(struct.buffer)
  const signed = new Uint8Array(2 + 2 * word)
  writeHex(struct, 0, quoteTypeHash(), word, 'type')
  signed.set([0x19, 0x01])
  writeHex(signed, 2, domainSeparator(domain), word, 'domain')

  const writeUint = (index: number, value: bigint, path: string) => {
    if (typeof value !== 'bigint' || value < 0n) throw notUint256(path)
    const at = index * word
    words.setBigUint64(at + 24, value)
    let rest = value >> 64n
    for (let limb = 16; limb >= 0; limb -= 8) {
      words.setBigUint64(at + limb, rest)
      if (rest !== 0n) rest >>= 64n
    }
    if (rest !== 0n) throw notUint256(path)
  }

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
}

function notUint256(path: string): InvalidInputError {
  return new InvalidInputError('must be a bigint from 0 to 2^256 - 1.', { path })
}
