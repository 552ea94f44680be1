import type { Executability } from '@firmquote/sdk'

type Checks = Executability['checks']
/** Changes to a verdict in which all checks pass. */
export type Differences = {
  deadline?: Partial<Checks[0]>
  nonceAndStatus?: Partial<Checks[1]>
  makerFunds?: Partial<Checks[2]>
  terms?: Partial<Checks[3]>
  preview?: Partial<Checks[4]>
  borrower?: Partial<Checks[5]>
}

const now = 1_795_254_800n
const notional = 250_000_000_000n
const cost = 4_102_637_569n
const allowance = 2n ** 256n - 1n
const ok = true

/** A verdict on a quote that fixes 250,000 for 4,102.637569, in a six-decimal token. */
export function exampleVerdict(differences: Differences = {}): Executability {
  const { deadline, nonceAndStatus, makerFunds, terms, preview, borrower } = differences
  const [hash, loanToken] = [`0x${'ab'.repeat(32)}`, `0x${'11'.repeat(20)}`] as const
  const series = { requestedNotional: notional, seriesExpiry: 1_803_168_000 }
  const market = { contractReason: '', borrowerCost: cost, capacity: 10_000_000_000_000n } as const
  const checks: Checks = [
    { name: 'deadline', ok, deadline: now + 605n, now, submissionWindowSeconds: 30, ...deadline },
    { name: 'nonceAndStatus', ok, makerNonce: 0n, status: 'open', hash, ...nonceAndStatus },
    { name: 'makerFunds', ok, balance: 50_000_000_000_000n, allowance, loanToken, ...makerFunds },
    { name: 'terms', ok, notional, ...series, ...terms },
    { name: 'preview', ok, ...market, ...preview },
    { name: 'borrower', ok, balance: 6_000_000_000_000n, allowance, isOperator: true, missing: [], ...borrower },
  ]
  const block = { number: 474n, hash: `0x${'cd'.repeat(32)}`, timestamp: now } as const
  return { executable: checks.every(({ ok }) => ok), block, cost, checks }
}
