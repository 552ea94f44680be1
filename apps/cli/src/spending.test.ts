import { describe, expect, test } from '@jest/globals'
import { addReceipt, addTake, describeSpending, noSpending } from './spending.ts'

const token = { symbol: 'tUSD', decimals: 6 }
const receipt = { gasUsed: 100_000n, effectiveGasPrice: 1_000_000_000n }

describe('describeSpending', () => {
  test('default: nothing', () => {
    expect(describeSpending(noSpending(), token)).toBe('nothing; no transaction was sent')
  })

  test('behavior: transactions with their gas, and the takes', () => {
    const spending = { ...noSpending(), unseen: 2 }
    addReceipt(spending, receipt)
    expect(describeSpending(spending, token)).toBe(
      '1 transaction, 0.0001 ETH of gas; 1 more with unknown outcome; no quote taken',
    )
    addReceipt(spending, receipt)
    addTake(spending, { notional: 100_000_000_000n, cost: 1_234_500_000n })
    expect(describeSpending(spending, token)).toBe(
      '2 transactions, 0.0002 ETH of gas; 1 quote taken: 100,000 tUSD fixed for 1,234.5 tUSD',
    )
  })

  test('behavior: missing gas data is reported as unknown', () => {
    const spending = { ...noSpending(), unseen: 2 }
    addReceipt(spending, {})
    addReceipt(spending, receipt)
    expect(describeSpending(spending, token)).toBe('2 transactions, gas unknown; no quote taken')
  })

  test('behavior: an unknown outcome counts as spending', () => {
    expect(describeSpending({ ...noSpending(), unseen: 1 }, token)).toBe(
      '1 transaction with unknown outcome; no quote taken',
    )
  })
})
