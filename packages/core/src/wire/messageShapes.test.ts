import { describe, expect, test } from '@jest/globals'
import { sign, vectorQuote } from '../../test/quoteArbitrary.ts'
import { toPublicRfqId } from '../auction/rfqId.ts'
import type { ServerMessage } from '../generated/wireTypes.ts'
import { encodeJson } from '../values/encodeJson.ts'
import { decode } from './decode.ts'
import { clientMessageShape, serverMessageShape } from './messageShapes.ts'

const rfqId = toPublicRfqId('0123456789abcdef0123456789abcdef')
const { maker: address, poolId, seriesKey } = vectorQuote
const rfq = { rfqId, poolId, seriesKey, expiry: 1_800_000_000, notional: 5n, openedAt: 1, closesAt: 2 }
const sent = { log: 'x/log/1', mergeBy: 3, signature: '0x', index: 0, salt: 'aGk=', leaf: 'aGk=' } as const

const messages: ServerMessage[] = [
  { type: 'auth_challenge', challenge: 'x', chainId: 8453, quoteMarket: address, serverTime: 1, expiresAt: 2 },
  { type: 'authenticated', address, sessionId: 's', expiresAt: 2, openRfqs: [rfq] },
  { type: 'auth_failed', code: 'bad_signature', message: 'm', serverTime: 1 },
  { type: 'rfq', ...rfq, maxVrtAmount: 7n, taker: address },
  { type: 'quote_ack', id: '1', rfqId, status: 'accepted', hash: poolId, receivedAt: 1, closesAt: 2 },
  { type: 'quote_ack', rfqId, status: 'rejected', code: 'NONCE_MISMATCH', message: 'm', details: { nonce: '1' } },
  { type: 'receipt', rfqId, hash: poolId, receipt: { ...sent, path: ['aGk='] } },
  { type: 'auction_result', rfqId, closedAt: 1, quoteCount: 2, own: { hash: poolId, rank: 1 } },
  { type: 'auction_result', rfqId, closedAt: 1, quoteCount: 2, own: { hash: poolId }, outcome: 'best' },
  { type: 'checkpoint', note: 'x', from: 1, path: ['aGk='] },
  { type: 'pong', id: 'p', serverTime: 1 },
  { type: 'error', code: 'INVALID_REQUEST', message: 'm' },
]

describe('serverMessageShape', () => {
  test.each(messages.map((message) => [message.type, message] as const))('default: %s', (_type, message) => {
    expect(decode(serverMessageShape, JSON.parse(encodeJson(message)))).toEqual({ ok: true, value: message })
  })

  test("behavior: drops a later version's keys, and decodes its codes as INTERNAL", () => {
    const decoded = decode(serverMessageShape, { type: 'error', code: 'NEW_CODE', message: 'm', more: 1 })
    expect(decoded).toEqual({ ok: true, value: { type: 'error', code: 'INTERNAL', message: 'm' } })
  })
})

describe('clientMessageShape', () => {
  test('default', async () => {
    const quote = await sign(vectorQuote)
    const message = { type: 'quote', id: 'a', rfqId, quote } as const
    expect(decode(clientMessageShape, JSON.parse(encodeJson(message)))).toEqual({ ok: true, value: message })
    expect(decode(clientMessageShape, { type: 'ping' }).ok).toBe(true)
    expect(decode(clientMessageShape, { type: 'decline', rfqId, reason: 'size' }).ok).toBe(true)
  })

  test.each([
    [{ type: 'quote', rfqId, quote: {} }, 'quote.maker'],
    [{ type: 'ping', id: 'x'.repeat(65) }, 'id'],
    [{ type: 'ping', more: 1 }, 'more'],
    [{ type: 'decline', rfqId: 'x' }, 'rfqId'],
    [{ type: 'auth' }, 'type'],
    [{}, 'type'],
    [[], ''],
  ])('error: %j', (input, path) => {
    const decoded = decode(clientMessageShape, input)
    expect(decoded.ok ? [] : decoded.issues.map((issue) => issue.path)).toContain(path)
  })
})
