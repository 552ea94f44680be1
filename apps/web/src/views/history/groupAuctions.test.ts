import type { PublicRfqId } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import { exampleObservation, hex } from '../../../test/fixing/exampleMarket.ts'
import { groupAuctions } from './groupAuctions.ts'

const first = exampleObservation()
const cheaper = exampleObservation({ hash: hex('03'), vrtAmount: 20_000n })
const other = exampleObservation({ hash: hex('04'), rfqId: 'two' as PublicRfqId })

test('default: one row an auction, with its quotes from the lowest rate on', () => {
  expect(groupAuctions([first, other, cheaper])).toEqual([
    { best: cheaper, quotes: [cheaper, first] },
    { best: other, quotes: [other] },
  ])
})

test('behavior: the best is the lowest rate, not the lowest cost', () => {
  const smaller = exampleObservation({ hash: hex('05'), notional: 100_000n, vrtAmount: 10_000n })
  expect(groupAuctions([smaller, first])[0]?.best).toBe(first)
})
