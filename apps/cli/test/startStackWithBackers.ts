import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { costOf, startBacker } from '../../../tests/e2e/src/plannedBacker.ts'

/**
 * Starts a chain, a server and two backers that answer every RFQ, unless their cost exceeds the borrower's maximum.
 * Auctions last 1.5 seconds.
 */
export async function startStackWithBackers(): Promise<Stack> {
  const stack = await startStack({
    AUCTION_DURATION_MS: '1500',
    RFQS_PER_MINUTE: '1000',
    OPEN_RFQS: '20',
    LOG_LEVEL: 'warn',
  })
  const [first, second] = stack.devnet.backers
  const plans = [
    { account: first, aprBps: 700n, delayMs: 50 },
    { account: second, aprBps: 600n, delayMs: 400 },
  ]
  const backers = await Promise.all(
    plans.map(({ account, aprBps, delayMs }) =>
      startBacker(stack.url, account, {
        quote(rfq) {
          const vrtAmount = costOf(rfq, rfq.notional, aprBps)
          return vrtAmount > (rfq.maxVrtAmount ?? vrtAmount) ? null : { vrtAmount }
        },
        delayMs,
      }),
    ),
  )
  return {
    ...stack,
    async stop() {
      for (const backer of backers) backer.stop()
      await stack.stop()
    },
  }
}
