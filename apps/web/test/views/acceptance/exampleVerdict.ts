import type { Executability } from '@firmquote/sdk'

type Checks = Executability['checks']
/** What differs from a verdict in which everything is fine. */
export type Differences = {
  deadline?: Partial<Checks[0]>
  nonceAndStatus?: Partial<Checks[1]>
  makerFunds?: Partial<Checks[2]>
  terms?: Partial<Checks[3]>
  preview?: Partial<Checks[4]>
  borrower?: Partial<Checks[5]>
}

/** A verdict on a quote of 250,000 for 4,102.637569 of a token with six decimals. */
export function exampleVerdict(differences: Differences = {}): Executability {
  const checks: Checks = [
    {
      name: 'deadline',
      ok: true,
      deadline: 1_795_255_405n,
      now: 1_795_254_800n,
      submissionWindowSeconds: 30,
      ...differences.deadline,
    },
    {
      name: 'nonceAndStatus',
      ok: true,
      makerNonce: 0n,
      status: 'open',
      hash: `0x${'ab'.repeat(32)}`,
      ...differences.nonceAndStatus,
    },
    {
      name: 'makerFunds',
      ok: true,
      balance: 50_000_000_000_000n,
      allowance: 2n ** 256n - 1n,
      loanToken: `0x${'11'.repeat(20)}`,
      ...differences.makerFunds,
    },
    {
      name: 'terms',
      ok: true,
      notional: 250_000_000_000n,
      requestedNotional: 250_000_000_000n,
      seriesExpiry: 1_803_168_000,
      ...differences.terms,
    },
    {
      name: 'preview',
      ok: true,
      contractReason: '',
      borrowerCost: 4_102_637_569n,
      capacity: 10_000_000_000_000n,
      ...differences.preview,
    },
    {
      name: 'borrower',
      ok: true,
      balance: 6_000_000_000_000n,
      allowance: 2n ** 256n - 1n,
      isOperator: true,
      missing: [],
      ...differences.borrower,
    },
  ]
  const block = { number: 474n, hash: `0x${'cd'.repeat(32)}`, timestamp: 1_795_254_800n } as const
  return { executable: checks.every(({ ok }) => ok), block, cost: 4_102_637_569n, checks }
}
