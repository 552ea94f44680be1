import {
  comparePrices,
  hashQuote,
  judgeTerms,
  quoteTypedData,
  recoverMaker,
  type SignedQuote,
  serializeSignedQuote,
} from '@firmquote/core'
import { decode, encodeJson, signedQuoteShape } from '@firmquote/core/wire'
import { type Hex, hashTypedData, numberToHex, verifyTypedData, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** One thing that is measured, and what it is measured against. Both sides work on the same quote, a new one each time. */
export type BenchCase = {
  name: string
  rival: string
  ours: () => unknown
  theirs: () => unknown
}

const domain = { chainId: 8453, quoteMarket: '0x1111111111111111111111111111111111111111' } as const
const account = privateKeyToAccount(`0x${'ab'.repeat(32)}`)
const sampleSize = 64

/** Prepares quotes that differ, so that no side profits from having seen one before. */
export async function createCases(): Promise<BenchCase[]> {
  const quotes: SignedQuote[] = []
  for (let index = 0; index < sampleSize; index += 1) {
    const quote = {
      maker: account.address,
      taker: zeroAddress,
      poolId: `0x${'22'.repeat(32)}` as Hex,
      seriesKey: `0x${'33'.repeat(32)}` as Hex,
      notional: 1_000_000_000_000n + BigInt(index),
      vrtAmount: 25_000_000_000n - BigInt(index),
      nonce: 0n,
      deadline: 1_767_226_200n,
      salt: numberToHex(index, { size: 32 }),
    }
    quotes.push({ ...quote, signature: await account.signTypedData(quoteTypedData(quote, domain)) })
  }
  const texts = quotes.map((quote) => JSON.stringify(serializeSignedQuote(quote)))
  const cycle = <T>(items: readonly T[]) => {
    let next = 0
    return () => items[next++ % items.length] as T
  }
  const [ourQuote, theirQuote, ourText, theirText] = [cycle(quotes), cycle(quotes), cycle(texts), cycle(texts)]

  return [
    {
      name: 'digest of a quote',
      rival: 'viem hashTypedData',
      ours: () => hashQuote(ourQuote(), domain),
      theirs: () => hashTypedData(quoteTypedData(theirQuote(), domain)),
    },
    {
      name: 'verify a quote',
      rival: 'viem verifyTypedData',
      ours: () => recoverMaker(ourQuote(), domain),
      theirs: () => {
        const quote = theirQuote()
        return verifyTypedData({ ...quoteTypedData(quote, domain), address: quote.maker, signature: quote.signature })
      },
    },
    {
      name: 'decode, judge terms and encode a quote',
      rival: 'JSON.parse and JSON.stringify alone',
      ours: () => {
        const decoded = decode(signedQuoteShape, JSON.parse(ourText()))
        if (!decoded.ok || judgeTerms(decoded.value, {}, 0n)) throw new TypeError('the sample must be valid')
        return encodeJson(decoded.value)
      },
      theirs: () => JSON.stringify(JSON.parse(theirText())),
    },
    {
      name: `rank ${sampleSize} quotes`,
      rival: 'a sort by floating-point rates (inexact)',
      ours: () => [...quotes].sort(comparePrices),
      theirs: () =>
        [...quotes].sort((a, b) => Number(a.vrtAmount) / Number(a.notional) - Number(b.vrtAmount) / Number(b.notional)),
    },
  ]
}
