import { createHmac } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { hexToBytes } from 'viem'
import { acceptedQuotes, newAuctionQuote } from '../../test/storedQuotes.ts'
import { acceptedQuoteLeaf } from './transcript.ts'

test('behavior: a leaf is salted with an HMAC of its index', () => {
  const [quote] = acceptedQuotes([newAuctionQuote(1)])
  if (!quote) throw new TypeError('There is no quote.')
  for (const [secret, seq] of [
    ['5e', 1],
    ['00', 258],
    ['ff', 2 ** 32 - 1],
  ] as const) {
    const key = `0x${secret.repeat(32)}` as const
    const message = Buffer.alloc(4)
    message.writeUInt32BE(seq)
    const expected = createHmac('sha256', hexToBytes(key)).update(message).digest().subarray(0, 16)
    expect(Buffer.from(acceptedQuoteLeaf({ ...quote, seq }, key).salt)).toEqual(expected)
  }
})
