import { type RFQBroadcast, type SerializedSignedQuote, toPublicRfqId, toRfqId } from '@firmquote/core'
import type { Hex } from 'viem'
import { vectorQuote } from '../../core/test/quoteArbitrary.ts'
import type { BackerSignerConfig } from '../src/backer/backerSigner.ts'

/** The first well-known anvil key, used in the protocol's test vectors. */
export const key: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
/** The quote from the protocol's test vector. */
export const quote = vectorQuote
export const { maker } = quote
export const quoteMarket = '0x1111111111111111111111111111111111111111'

const other = '0x2222222222222222222222222222222222222222'

export const signerConfig: BackerSignerConfig = {
  chainId: 8453,
  factoryAddress: other,
  interestRatePoolAddress: other,
  quoteMarketAddress: quoteMarket,
}

/** 32 bytes that repeat one hex digit. */
export const bytes = (digit: string): Hex => `0x${digit.repeat(64)}`

export const quoteHash: Hex = '0x73903559dfe47474b98f54fd7dbde1d3711fd01900a1fcb1672188c16144fab4'

/** {@link quote} in wire form, with the signature from the protocol's test vector. */
export const wireQuote: SerializedSignedQuote = {
  ...quote,
  notional: '1000000000000',
  vrtAmount: '25000000000',
  nonce: '0',
  deadline: '1767226200',
  signature:
    '0x9a97d55626da9a18f6e0550cd125df57c8417b004c13a8def93202c0737186d73dbe152afb172ac2afad6c504352a0e7e5cda384f633a46f1deaea1923efaebd1b',
}

export const rfqId = toRfqId('ab'.repeat(16))
export const publicRfqId = toPublicRfqId(rfqId)

/** An open RFQ in wire form. */
export const wireRfq = {
  rfqId,
  poolId: bytes('2'),
  seriesKey: bytes('3'),
  expiry: 1_798_761_600,
  notional: '1000000000000',
  openedAt: 1_767_225_600_000,
  closesAt: 1_767_225_615_000,
}

export const rfq: RFQBroadcast = { ...wireRfq, rfqId: publicRfqId, notional: 1_000_000_000_000n }

/** A collected quote in wire form. */
export const wireCollected = { hash: quoteHash, quote: wireQuote, apr: 2.5, receivedAt: 1_767_225_601_000 }

const closed = {
  closedAt: 1_767_225_615_000,
  rejectedCount: 0,
  best: { hashes: [quoteHash], notional: '1000000000000', cost: '25000000000' },
}

/** An auction's close in wire form. */
export const wireSummary = { rfqId, ...closed, quoteCount: 1, ranking: [quoteHash] }

/** An auction's result in wire form. */
export const wireResult = { ...wireRfq, ...closed, status: 'closed', backers: 3, quotes: [wireCollected] }

export const wireStored = {
  hash: quoteHash,
  quote: wireQuote,
  apr: 2.5,
  status: 'active',
  createdAt: 1_767_225_600_000,
}
