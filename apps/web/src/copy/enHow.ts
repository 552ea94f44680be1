/** The page "How it works" in English. */
export const enHow = {
  picture: 'What you pay, wherever the floating rate goes',
  order: 'What happens when',
  steps: [
    {
      when: 'Today',
      what: 'You pay the cost, once. It is all that fixing ever costs you. Your loan stays where it is.',
    },
    {
      when: 'Until the end of the term',
      what: 'Your debt goes on at the floating rate, and its interest is added to it as before. Nothing is paid to you yet. Your loan can still be liquidated.',
    },
    {
      when: 'After the end of the term',
      what: 'You are paid the floating interest on the fixed amount, from the day of fixing to the last day of the term, and at most that amount. Anyone may settle it; the money is yours alone.',
    },
  ],
  risks: 'What can go wrong',
  riskList: [
    {
      risk: 'Floating stays low.',
      meaning: 'Then you have paid more than you would have without fixing. The cost is not paid back.',
    },
    {
      risk: 'Your loan is liquidated.',
      meaning:
        'Fixing protects nothing of it: watch its health as before. The position stays yours, and pays after its term.',
    },
    {
      risk: 'You need the money before.',
      meaning: 'Nothing is paid before the end of the term, and a position cannot be given back.',
    },
    {
      risk: 'The contracts have a mistake.',
      meaning: 'They are a reference and have not been audited. Fix no more than you could bear to lose.',
    },
  ],
  makers: 'Who makers are',
  makersText:
    'A maker offers you a rate, and signs the offer with a key of its own. When you take it, as much of its money as the amount that you fix is locked in the contract until the position is settled. What you are paid comes from there: the maker can neither take it out before nor fail to pay. How much it is follows from the interest index of the lending protocol, as the contract reads it.',
  service: 'What this service can and cannot do',
  can: 'It can',
  canList: [
    'ask makers for offers, and show you what they answer,',
    'check on the chain that an offer can be taken,',
    'see which amounts are asked for, and leave offers out.',
  ],
  cannot: 'It cannot',
  cannotList: [
    'hold your money, or move any of it,',
    'take an offer in your name: your wallet confirms each step,',
    'change an offer that a maker has signed, or a position that is open.',
  ],
  contracts: 'Where the contracts are',
  contractsLead: (chain: string, id: number) =>
    `On ${chain}, chain ${id}. All that counts happens there; this page only shows it.`,
  contractNames: {
    quoteMarket: { name: 'QuoteMarket', purpose: 'takes offers; what you allow, you allow to it' },
    interestRatePool: { name: 'InterestRatePool', purpose: 'holds positions and the money in them' },
    bundler3: { name: 'Bundler3', purpose: 'makes several steps one transaction' },
    keeperBundler: { name: 'KeeperBundler', purpose: 'settles many positions at once' },
  },
  payoff: {
    example: (amount: string, time: string, cost: string) =>
      `An example: ${amount} for ${time}, fixed for ${cost}. Move the average floating rate.`,
    slider: 'Average floating rate (APY) until the end of the term',
    average: 'If floating averages',
    withFixing: 'With fixing',
    withoutFixing: 'Without fixing',
    cost: 'Cost, paid today, with the floating interest that it would have saved',
    interest: 'Floating interest, paid by you with your debt',
    payout: 'Paid to you after the end, at most the amount fixed',
    total: 'In all',
    fixed: 'with fixing',
    floating: 'without',
    plot: 'What the term costs in all at its end, by the average floating rate',
    breakEven: (rate: string) =>
      `Fixing has paid off if floating averages above ${rate} APY. Every fixed rate on this page is such a rate: it adds to the cost the interest that repaying debt would have saved.`,
    said: (rate: string, fixed: string, floating: string) =>
      `Floating averages ${rate}: ${fixed} with fixing, ${floating} without`,
  },
}

/** What every language has to say on that page. */
export type HowTexts = typeof enHow
