/** The page "How it works" in English. */
export const enHow = {
  picture: 'Your cost at any variable rate',
  order: 'Step by step',
  steps: [
    {
      when: 'Today',
      what: 'You pay the cost, once. Your loan stays where it is.',
    },
    {
      when: 'Until maturity',
      what: 'Your debt keeps growing at the variable rate. It can be liquidated. Nothing is paid yet.',
    },
    {
      when: 'After maturity',
      what: 'You receive the variable interest that accrued on the fixed amount, capped at that amount. Anyone can settle; only you can collect.',
    },
  ],
  risks: 'Risks',
  riskList: [
    {
      risk: 'The variable rate stays low.',
      meaning: 'You paid more than without fixing. The cost is nonrefundable.',
    },
    {
      risk: 'Your loan is liquidated.',
      meaning: "Fixing doesn't protect your collateral. The position stays yours and pays after maturity.",
    },
    {
      risk: 'You need the money early.',
      meaning: "Nothing is paid before maturity, and positions can't be closed early.",
    },
    {
      risk: 'The contracts have a bug.',
      meaning: 'They are a reference and unaudited. Fix no more than you can afford to lose.',
    },
  ],
  makers: 'Market makers',
  makersText:
    "A market maker signs a quote. When you take it, the maker's funds, as much as you fix, are locked in the contract until settlement. They fund your payout. The maker can't withdraw them early or fail to pay. The lending protocol's interest index determines the payout.",
  service: 'What Firmquote can and cannot do',
  can: 'It can',
  canList: [
    'request quotes and show them to you',
    'check on-chain that a quote can be taken',
    'see requested amounts and leave out quotes',
  ],
  cannot: 'It cannot',
  cannotList: [
    'hold or move your money',
    'take a quote for you: you confirm in your wallet',
    'change a signed quote or an open position',
  ],
  proofs: 'Check a proof of what it did',
  /** The link to the contracts. */
  contracts: 'Contracts and addresses',
  contractNames: {
    quoteMarket: { name: 'QuoteMarket', purpose: 'takes offers; what you allow, you allow to it' },
    interestRatePool: { name: 'InterestRatePool', purpose: 'holds positions and the money in them' },
    bundler3: { name: 'Bundler3', purpose: 'makes several steps one transaction' },
    keeperBundler: { name: 'KeeperBundler', purpose: 'settles many positions at once' },
  },
  payoff: {
    example: (amount: string, time: string, cost: string) => `Example: ${amount} for ${time}, fixed for ${cost}.`,
    slider: 'Average variable rate (APY) until maturity',
    average: 'If the variable rate averages',
    withFixing: 'With fixing',
    withoutFixing: 'Without fixing',
    cost: 'Cost, with the interest it would have saved',
    interest: 'Interest on your debt',
    payout: 'Your payout',
    total: 'Total',
    fixed: 'with fixing',
    floating: 'without',
    plot: 'Total cost at maturity by the average variable rate',
    breakEven: (rate: string) => `You come out ahead if the variable rate averages above ${rate}.`,
    said: (rate: string, fixed: string, floating: string) =>
      `Variable rate averages ${rate}: ${fixed} with fixing, ${floating} without`,
  },
}

/** The page's texts, in any language. */
export type HowTexts = typeof enHow
