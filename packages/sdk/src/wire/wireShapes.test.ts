import * as wire from '@firmquote/core/wire'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  bytes,
  maker,
  quoteHash,
  quoteMarket,
  rfqId,
  wireCollected,
  wireQuote,
  wireResult,
  wireRfq,
  wireStored,
  wireSummary,
} from '../testing/samples.ts'
import { serverMessageShape } from './serverMessageShape.ts'
import { encodeJson, type Shape } from './shape.ts'
import * as sdk from './wireShapes.ts'

/** Every message of the service, in every form: how the SDK reads it, how core does, and what it may look like. */
const pairs: [string, Shape<unknown>, wire.Shape<unknown>, unknown[]][] = [
  ['signed quote', sdk.signedQuoteShape, wire.signedQuoteShape, [wireQuote]],
  [
    'request',
    sdk.rfqRequestShape,
    wire.rfqRequestShape,
    [
      { poolId: bytes('2'), seriesKey: bytes('3'), notional: '5' },
      { poolId: bytes('2'), expiry: 1_798_761_600, notional: '5', maxVrtAmount: '0', taker: maker },
    ],
  ],
  ['rfq', sdk.rfqShape, wire.rfqShape, [wireRfq, { ...wireRfq, maxVrtAmount: '1', taker: maker }]],
  ['started', sdk.rfqStartedShape, wire.rfqStartedShape, [{ ...wireRfq, backers: 3 }]],
  ['collected', sdk.collectedQuoteShape, wire.collectedQuoteShape, [wireCollected]],
  ['result', sdk.rfqResultShape, wire.rfqResultShape, [wireResult, { ...wireResult, status: 'open', closedAt: null }]],
  ['summary', sdk.rfqSummaryShape, wire.rfqSummaryShape, [wireSummary]],
  [
    'observations',
    sdk.rfqObservationsShape,
    wire.rfqObservationsShape,
    [
      {
        quotes: [
          {
            rfqId,
            hash: quoteHash,
            maker,
            poolId: bytes('2'),
            seriesKey: bytes('3'),
            expiry: 1,
            notional: '0',
            vrtAmount: '1',
            apr: 1,
            observedAt: 1,
            executable: true,
            reason: 'x',
          },
        ],
      },
    ],
  ],
  [
    'stored quote',
    sdk.storedQuoteShape,
    wire.storedQuoteShape,
    [
      wireStored,
      {
        ...wireStored,
        status: 'filled',
        seenAt: { blockNumber: '7', blockHash: bytes('a'), transactionHash: bytes('b') },
      },
      {
        ...wireStored,
        executable: false,
        reason: 'INSUFFICIENT_BALANCE',
        overcommitted: true,
        judgedAt: { number: '7', hash: bytes('a') },
      },
    ],
  ],
  ['page', sdk.quotePageShape, wire.quotePageShape, [{ quotes: [wireStored], nextCursor: 'c' }]],
  [
    'config',
    sdk.serviceConfigShape,
    wire.serviceConfigShape,
    [
      {
        apiVersion: 'v1',
        chainId: 8453,
        contracts: { quoteMarket, interestRatePool: maker, bundler3: maker, keeperBundler: maker },
        deployBlock: 0,
        eip712Domain: { name: 'QuoteMarket', version: '1', chainId: 8453, verifyingContract: quoteMarket },
        auction: { durationMs: 15_000, quotesPerBacker: 1 },
        limits: {
          bodyBytes: 1,
          rfqsPerMinute: 1,
          openRfqs: 1,
          storedQuotesPerMaker: 1,
          socketsPerBacker: 1,
          minQuoteLifetimeSeconds: 1,
          maxQuoteLifetimeSeconds: 1,
        },
      },
    ],
  ],
  [
    'health',
    sdk.serviceHealthShape,
    wire.serviceHealthShape,
    [
      {
        status: 'degraded',
        database: 'ok',
        sync: { head: 1, synced: null, lagSeconds: 2 },
        backers: { connected: 0 },
        auctions: { open: 0 },
        version: '1',
      },
      {
        status: 'ok',
        database: 'ok',
        sync: { head: 1, synced: 1, lagSeconds: 2 },
        backers: { connected: 0 },
        auctions: { open: 0 },
        serverTime: 1,
        version: '1',
      },
    ],
  ],
  [
    'rates',
    sdk.currentRatesShape,
    wire.currentRatesShape,
    [
      {
        rates: [{ protocol: 'p', market: bytes('1'), loanToken: maker, ratePerSec: '1', apr: 1, apy: 1, block: 1 }],
      },
    ],
  ],
  [
    'pools',
    sdk.poolRatesShape,
    wire.poolRatesShape,
    [
      {
        pools: [
          {
            poolId: bytes('2'),
            loanToken: { address: maker, symbol: 'T', decimals: 6 },
            floating: { ratePerSec: '1', apr: 1, apy: 1 },
            series: [
              { seriesKey: bytes('3'), expiry: 1, capacity: '1', bestApr: 2, depth: { quotes: 1, notional: '1' } },
            ],
          },
          ...[{ address: maker, symbol: 'C', decimals: 18 }, null].map((collateral) => ({
            poolId: bytes('2'),
            loanToken: { address: maker, symbol: 'T', decimals: 6 },
            protocol: 'p',
            market: bytes('1'),
            collateral,
            floating: { ratePerSec: '1', apr: 1, apy: 1 },
            series: [],
          })),
        ],
      },
    ],
  ],
  [
    'positions',
    sdk.accountPositionsShape,
    wire.accountPositionsShape,
    [
      {
        address: maker,
        block: 1,
        debts: [{ poolId: bytes('2'), protocol: 'p', market: bytes('1'), loanToken: maker, debt: '1' }],
        positions: [
          {
            positionId: '0',
            role: 'maker',
            maker,
            borrower: quoteMarket,
            poolId: bytes('2'),
            seriesKey: bytes('3'),
            expiry: 1,
            notional: '1',
            cost: '0',
            openedAtBlock: '7',
          },
        ],
      },
    ],
  ],
  [
    'problem',
    sdk.problemShape,
    wire.problemShape,
    [
      {
        type: 't',
        title: 't',
        status: 422,
        detail: 'd',
        code: 'BAD_SIGNATURE',
        requestId: 'r',
        errors: [{ path: 'p', message: 'm' }],
        details: { digest: bytes('1') },
      },
    ],
  ],
  [
    'server message',
    serverMessageShape,
    wire.serverMessageShape,
    [
      { type: 'auth_challenge', challenge: 'c', chainId: 1, quoteMarket, serverTime: 1, expiresAt: 2 },
      { type: 'authenticated', address: maker, sessionId: 's', expiresAt: 1, openRfqs: [wireRfq] },
      { type: 'auth_failed', code: 'bad_signature', message: 'm', serverTime: 1 },
      { type: 'rfq', ...wireRfq, taker: maker },
      { type: 'quote_ack', id: 'i', rfqId, status: 'accepted', hash: quoteHash, receivedAt: 1, closesAt: 2 },
      {
        type: 'quote_ack',
        id: 'i',
        rfqId,
        status: 'rejected',
        code: 'BAD_SIGNATURE',
        message: 'm',
        details: { recovered: null },
      },
      { type: 'auction_result', rfqId, closedAt: 1, quoteCount: 1, own: { hash: quoteHash, rank: 1 } },
      { type: 'pong', id: 'i', serverTime: 1 },
      { type: 'error', id: 'i', code: 'INTERNAL', message: 'm' },
    ],
  ],
]

/** What may stand in the place of a value: near misses of every kind of field. */
const strangers: unknown[] = [
  undefined,
  null,
  true,
  0,
  1,
  -1,
  1.5,
  '',
  '0',
  '1',
  '01',
  '-1',
  '1e3',
  '0x10',
  ' 1',
  (2n ** 256n - 1n).toString(),
  (2n ** 256n).toString(),
  'accepted',
  'active',
  maker,
  maker.toLowerCase(),
  maker.replace('f3', 'F3'),
  maker.toUpperCase(),
  bytes('a'),
  bytes('A'),
  bytes('a').slice(0, -1),
  `${bytes('a')}a`,
  bytes('a').slice(2),
  `0x${'g'.repeat(64)}`,
  'ab'.repeat(16),
  'AB'.repeat(16),
  [],
  {},
  [1],
  { path: 'p', message: 'm' },
]

const readBySdk = (shape: Shape<unknown>, value: unknown) => {
  try {
    return { ok: true, value: shape(value, '') }
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_INPUT' })
    return { ok: false }
  }
}

/** Where something can be changed, as paths. */
function placesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, part]) => placesOf(part, [...path, key]))]
}

function replaceAt(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[key] = replaceAt(copy[key], rest, by)
  return copy
}

describe('the shapes of the SDK read the wire as those of core do', () => {
  test.each(pairs)('default: %s', (_name, shape, ofCore, samples) => {
    for (const sample of samples) {
      const decoded = wire.decode(ofCore, sample)
      expect(decoded.ok).toBe(true)
      expect(readBySdk(shape, sample)).toEqual(decoded)
    }
  })

  test.each(pairs)('behavior: %s with anything changed', (name, shape, ofCore, samples) => {
    for (const sample of samples) {
      for (const place of placesOf(sample)) {
        for (const stranger of strangers) {
          const changed = JSON.parse(JSON.stringify(replaceAt(sample, place, stranger)) ?? 'null')
          const decoded = wire.decode(ofCore, changed)
          const read = readBySdk(shape, changed)
          const where = `${place.join('.')} = ${JSON.stringify(stranger)}`
          if (isKnownDifference(name, place, read)) continue
          expect({ where, ok: read.ok }).toEqual({ where, ok: decoded.ok })
          if (decoded.ok) expect(read).toEqual(decoded)
        }
      }
    }
  })

  test('behavior: any JSON at all', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pairs), fc.jsonValue(), ([name, shape, ofCore], value) => {
        if (name === 'server message') return
        expect(readBySdk(shape, value).ok).toBe(wire.decode(ofCore, value).ok)
      }),
    )
  })

  test('behavior: encodeJson', () => {
    const value = { big: 2n ** 255n, deep: [{ small: 0n, text: 'a', none: null }] }
    expect(encodeJson(value)).toBe(wire.encodeJson(value))
  })
})

/**
 * On purpose: a code is any string, and one that is not known stays as it is, where core gives INTERNAL for anything; a
 * kind of message that is not known reads as null, where core refuses it; an id may be longer than those that are sent.
 */
function isKnownDifference(name: string, place: string[], read: { ok: boolean; value?: unknown }): boolean {
  if (place.at(-1) === 'code') return true
  return name === 'server message' && read.ok && (read.value === null || place.at(-1) === 'id')
}
