import { ServiceClient } from '@firmquote/sdk'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { stopAfter } from '../stopAfter.ts'
import { startWalkthroughs, type Walkthroughs } from './walkthroughs.ts'

let walkthroughs: Walkthroughs
const started = stopAfter(afterAll)
beforeAll(async () => {
  walkthroughs = started(await startWalkthroughs())
}, 120_000)

test('default: following start/dapp.md word for word results in a position', async () => {
  await walkthroughs.follow('start/dapp.md')
  const client = new ServiceClient({ orderbookUrl: walkthroughs.url })
  const borrower = '0x1CBd3b2770909D4e10f157cABC84C7264073C9Ec'
  // The service detects the take shortly after the borrower does.
  await waitUntil(async () => (await client.getPositions(borrower)).positions.length > 0)
  const { debts, positions } = await client.getPositions(borrower)
  // The page states this amount of debt, which is still owed.
  expect(Number(debts[0]?.debt) / 1e6).toBeCloseTo(1_500_000, -2)
  expect(positions.reduce((sum, { notional }) => sum + notional, 0n)).toBe(250_000_000_000n)
}, 180_000)
