/** One of the demo's market makers. */
export type MarketMaker = {
  name: string
  /** Index of the devnet's backer account. */
  backer: 0 | 1 | 2
  /** The policy of the market maker's daemon, in the format of the configuration file. */
  policy: string
}

/** Three market makers whose prices differ, so that each is the best for some terms and sizes. */
export const marketMakers: readonly MarketMaker[] = [
  {
    name: 'short',
    backer: 0,
    policy: `# Cheap for a few weeks, expensive for a year and for large sizes.
pools: all
minNotional: 1000
maxNotional: 1000000
termSpread:
  - { days: 7, bps: 10 }
  - { days: 91, bps: 40 }
  - { days: 365, bps: 140 }
sizeSpread:
  - { from: 250000, bps: 5 }
  - { from: 500000, bps: 25 }
tickBps: 1
floorBps: 50
minBps: 0
maxBps: 3000
lifetimeSeconds: 300
# The web app requests quotes without a taker proof.
unverifiedPercent: 100
`,
  },
  {
    name: 'long',
    backer: 1,
    policy: `# Nearly the same spread for all terms.
pools: all
minNotional: 1000
maxNotional: 2000000
termSpread:
  - { days: 7, bps: 50 }
  - { days: 365, bps: 75 }
sizeSpread:
  - { from: 500000, bps: 15 }
tickBps: 5
floorBps: 100
minBps: 0
maxBps: 3000
lifetimeSeconds: 300
# The web app requests quotes without a taker proof.
unverifiedPercent: 100
`,
  },
  {
    name: 'large',
    backer: 2,
    policy: `# Cheaper for larger loans. Declines small ones.
pools: all
minNotional: 100000
maxNotional: 5000000
termSpread:
  - { days: 30, bps: 60 }
  - { days: 365, bps: 110 }
sizeSpread:
  - { from: 500000, bps: -20 }
  - { from: 1000000, bps: -35 }
tickBps: 2.5
floorBps: 300
minBps: 200
maxBps: 1500
lifetimeSeconds: 300
# The web app requests quotes without a taker proof.
unverifiedPercent: 100
`,
  },
]
