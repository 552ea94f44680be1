import { createHmac, hash } from 'node:crypto'
import { decodeRecord, openEntry } from '@firmquote/verify'
import { expect, test } from '@jest/globals'
import { bytesToHex, hexToBytes } from 'viem'
import { acceptedQuotes, newAuction, newAuctionQuote, rfqId } from '../../test/storedQuotes.ts'
import { acceptedQuoteLeaf, auctionSecretBytes, hashTranscriptLeaf, openingEntry, openingLeaf } from './transcript.ts'

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

test("behavior: the log reveals an auction's size only to those who know its salt", () => {
  const secret = bytesToHex(crypto.getRandomValues(new Uint8Array(auctionSecretBytes)))
  const size = 1_234_000_000n
  const auction = newAuction(rfqId, { notional: size })
  const { openLeaf } = decodeRecord(openEntry.kind, openEntry.layout, openingEntry(auction, secret))
  /** Tries every whole size up to 2,000 with a salt, knowing all other terms. */
  const guess = (salt: Uint8Array) => {
    for (let tokens = 1n; tokens <= 2_000n; tokens += 1n) {
      const notional = tokens * 1_000_000n
      const { record } = openingLeaf(newAuction(rfqId, { notional }), secret)
      if (bytesToHex(hashTranscriptLeaf({ salt, record })) === openLeaf) return notional
    }
    return null
  }
  expect(guess(openingLeaf(auction, secret).salt)).toBe(size)
  const publicId = Buffer.from(auction.publicRfqId, 'hex')
  const salts = [new Uint8Array(), new Uint8Array(16), publicId, hash('sha256', publicId, 'buffer').subarray(0, 16)]
  expect(salts.map(guess)).toEqual(salts.map(() => null))
})
