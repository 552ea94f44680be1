import { describe, expect, test } from '@jest/globals'
import type { RFQ, RFQBroadcast, RFQObservation } from '../generated/wireTypes.ts'
import { type PublicRfqId, parsePublicRfqId, parseRfqId, type RfqId, toPublicRfqId, toRfqId } from './rfqId.ts'

const text = '0123456789abcdef0123456789abcdef'

describe('toRfqId and toPublicRfqId', () => {
  test('default', () => {
    expect([toRfqId(text), toPublicRfqId(text)]).toEqual([text, text])
    expect([parseRfqId(text), parsePublicRfqId(text)]).toEqual([text, text])
  })

  test.each(['', text.slice(1), `${text}0`, text.toUpperCase(), ` ${text}`, `${text}\n`])('error: %j', (other) => {
    expect([parseRfqId(other), parsePublicRfqId(other)]).toEqual([null, null])
    for (const create of [toRfqId, toPublicRfqId]) {
      expect(() => create(other)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', path: 'rfqId' }))
    }
  })

  test('behavior: neither id type, nor a plain string, is assignable to the other', () => {
    const takeSecret = (id: RfqId) => id
    const takePublic = (id: PublicRfqId) => id
    // @ts-expect-error A public id does not give access to a result.
    takeSecret(toPublicRfqId(text))
    // @ts-expect-error Backers never see the secret id.
    takePublic(toRfqId(text))
    // @ts-expect-error A string is not an id until it is parsed.
    takeSecret(text)
    const rfq = { rfqId: toRfqId(text) } as RFQ
    // @ts-expect-error Backers do not receive the borrower's view of an auction.
    const broadcast: RFQBroadcast = rfq
    // @ts-expect-error Observations show the public id.
    const observed: RFQObservation['rfqId'] = rfq.rfqId
    expect([broadcast.rfqId, observed]).toEqual([text, text])
  })
})
