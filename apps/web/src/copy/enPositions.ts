import type { ReactNode } from 'react'
import { rich } from './rich.ts'

const plurals = new Intl.PluralRules('en')

/** The pages of positions in English. */
export const enPositions = {
  back: 'All positions',
  connect: 'No wallet is connected',
  connectWhy: 'Positions belong to an account. Connect the one that has taken the offers.',
  fixedNow: 'Fixed now',
  matured: 'To settle',
  running: 'Running',
  settled: 'Settled',
  noneRunning: 'Nothing is fixed at the moment.',
  noneSettledWhy: 'Once a term has ended and its payout is settled, it stands here with what it cost and what it paid.',
  moreSettled: 'Show more',
  toWithdraw: (amounts: ReactNode) =>
    rich`${amounts} of settled positions can be withdrawn. Open one of them below to do so.`,
  unknownMarkets: (count: number) =>
    plurals.select(count) === 'one'
      ? 'One more position is of a market that is not known here.'
      : `${count} more positions are of markets that are not known here.`,

  records: {
    title: 'Your records',
    lead: 'All positions of this account, with exact amounts, times, addresses and transaction hashes.',
    save: 'Save as CSV',
    saidSaved: 'The file is saved.',
    notSaved: 'The file was not saved',
    /** The file's column names. */
    columns: {
      position: 'Position',
      role: 'Role',
      openedAt: 'Opened at',
      openedBlock: 'Opened in block',
      openedBy: 'Opened by transaction',
      endsAt: 'Term ends at',
      symbol: 'Token',
      token: 'Token address',
      notional: 'Fixed amount',
      cost: 'Cost',
      settledAt: 'Settled at',
      settledBlock: 'Settled in block',
      settledBy: 'Settled by transaction',
      toBorrower: 'Paid to borrower',
      toMaker: 'Paid to maker',
      maker: 'Maker',
      borrower: 'Borrower',
      pool: 'Pool',
      series: 'Series',
    },
    roles: { maker: 'maker', borrower: 'borrower' },
  },

  one: (id: string) => `Position ${id}`,
  missing: 'This account has no such position',
  missingWhy: 'It may belong to another account of yours. A position that was just opened shows after a few seconds.',
  unknownMarket: 'The market of this position is not known here',
  asBorrower: (market: string) => `${market}, you are its borrower.`,
  asMaker: (market: string) => `${market}, you are its maker.`,
  /** What a side's figures are called, of which an account may see both. */
  sides: {
    borrower: (figure: string) => `${figure}, as its borrower`,
    maker: (figure: string) => `${figure}, as its maker`,
  },

  figures: {
    fixedAt: 'Fixed at',
    amount: 'Fixed amount',
    ended: 'Term ended',
    ends: 'Term ends',
    soFarNote: 'About what would be paid to you if the term ended now.',
    dueNote: 'About this much. The first settlement fixes the exact amount.',
    unknown: 'What it pays is not known at the moment.',
    exactly: (amount: string) => `Exactly ${amount}.`,
    asService: 'As the service says; not read from the chain yet.',
    notConfirmed: 'The chain does not confirm it',
    notConfirmedWhy: 'The transaction that the service names has not settled this position.',
  },

  accrual: {
    title: 'Interest and cost, day by day',
    picture: 'Accrued floating interest and the cost of fixing, from the opening to the end of the term',
    interest: 'interest',
    cost: 'cost',
    day: 'Day',
    today: 'today',
    /** A day whose figures are not known yet. */
    projected: (day: string) => `${day}, projected`,
    ifToday: {
      more: (payout: ReactNode, difference: ReactNode) =>
        rich`If the term ended today, you would be paid ${payout}. That is ${difference} more than the cost.`,
      less: (payout: ReactNode, difference: ReactNode) =>
        rich`If the term ended today, you would be paid ${payout}. That is ${difference} less than the cost.`,
    },
    ended: {
      more: (payout: ReactNode, difference: ReactNode) =>
        rich`By the end of the term, ${payout} of interest had accrued. That is ${difference} more than the cost.`,
      less: (payout: ReactNode, difference: ReactNode) =>
        rich`By the end of the term, ${payout} of interest had accrued. That is ${difference} less than the cost.`,
    },
    even: (day: string, rate: string) => `Fixing pays off from ${day} if the rate stays at ${rate} APY.`,
    evenSince: (day: string) => `Fixing has paid off since ${day}.`,
    neverEven: (day: string, rate: string) => `Fixing does not pay off before ${day} if the rate stays at ${rate} APY.`,
    legend: (rate: string) => `Dashed lines are a projection at today's floating rate, ${rate} APY.`,
    costNote: 'The cost includes the floating interest that you would have saved by repaying debt with it.',
  },

  timeline: {
    title: 'What happens when',
    today: 'Today',
    opened: 'Rate fixed',
    paidFor: (cost: ReactNode, amount: ReactNode) => rich`You paid ${cost} to fix ${amount}.`,
    paidForAt: (cost: ReactNode, amount: ReactNode, rate: ReactNode) =>
      rich`You paid ${cost} to fix ${amount} at ${rate}.`,
    lockedFor: (cost: ReactNode, amount: ReactNode) => rich`You put in ${amount}, and its borrower paid ${cost}.`,
    accrued: (amount: ReactNode) =>
      rich`About ${amount} of floating interest has accrued so far. Your debt goes on as before, and can still be liquidated.`,
    accruedForMaker: (amount: ReactNode) =>
      rich`About ${amount} of floating interest has accrued so far. It goes to the borrower.`,
    ends: 'Term ends',
    ended: 'Term ended',
    thenBorrower: (amount: ReactNode) =>
      rich`From then on you are paid the floating interest on ${amount}, at most that amount. Nothing is paid before.`,
    thenMaker: 'From then on you are paid what you put in and the cost, less that interest. Nothing is paid before.',
    due: 'Since then anyone can settle it. The payout still depends on when the first settlement comes.',
    final: 'Since then anyone can settle it. The payout is fixed: waiting changes nothing about it.',
    settled: 'Settled',
    shares: (toBorrower: ReactNode, toMaker: ReactNode) =>
      rich`${toBorrower} to the borrower, ${toMaker} to the maker.`,
    withdrawn: 'Withdrawn',
    received: (amount: ReactNode) => rich`${amount} to your account.`,
    receivedMore: (amount: ReactNode) => rich`${amount} to your account, with what other positions had paid.`,
  },

  calendar: {
    add: 'Add the end to your calendar',
    title: (amount: string) => `Fixed rate ends: ${amount}`,
    description: (id: string, from: string) =>
      `Position ${id} can be settled and paid out from ${from} on. Settle it soon: until the first settlement, the payout still depends on when that comes. From a day before, you can record the rate on its page.`,
  },

  observe: {
    title: "Record today's rate",
    lead: 'The payout is not fixed yet. It is computed from the last recorded rate before the end of the term and the first one after it. The closer to the end a rate is recorded, the more exact the payout.',
    last: (at: string) => `Last recorded: ${at}.`,
    record: "Record today's rate",
    saidRecorded: 'The rate is recorded.',
  },

  settle: {
    both: 'Settle and withdraw',
    all: 'Settle, withdraw and repay',
    withdraw: 'Withdraw your payout',
    withdrawRepay: 'Withdraw and repay',
    repay: 'Repay your debt',
    lead: 'The term has ended. Your wallet asks for each step, one after the other.',
    leadTogether:
      'The term has ended. One confirmation settles it and pays your part to your account. All of it happens, or nothing.',
    dueLead:
      'The payout is not fixed yet. The first settlement fixes it for everyone with the same market and end date; until then, it depends on when that comes.',
    finalLead: 'The payout is fixed: waiting changes nothing about it.',
    withdrawLead: 'It is settled, and your part waits for you in the contract.',
    repayLead: 'Your payout is in your account.',
    resetLead: 'Your payout is in your account. The lender may still spend a part of it, which this ends.',
    settledBy: (account: ReactNode) =>
      rich`It was settled by ${account}. Anyone may do that, and who does it makes no difference to your payout.`,
    about: (amount: ReactNode) => rich`About ${amount}`,
    withOthers: (amount: ReactNode) => rich`${amount} of it is of other positions.`,
    nothing: 'Nothing is due to you',
    nothingWhy: 'The floating rate has run up no interest on this amount. There is nothing to withdraw.',
    withdrawAmount: (amount: string) => `Withdraw ${amount}`,
    repayAmount: (amount: string) => `Repay ${amount}`,
    reset: 'Reset the allowance',
    repayPart: (amount: ReactNode, debt: ReactNode) => rich`Repay ${amount} of your debt of ${debt}`,
    repayAll: (amount: ReactNode) => rich`Repay all of your debt in this market, ${amount}`,
    roughly: (amount: ReactNode) => rich`about ${amount}`,
    repayTogether: 'The same confirmation repays it.',
    repayLater: 'The settlement fixes the amount first. Then your wallet asks again to repay it.',
    repayApart: 'Your wallet asks to allow the lender this amount, and then to repay it.',
    steps: 'Steps',
    stateWords: { done: 'done', current: 'next', busy: 'under way', failed: 'failed', todo: 'still to come' },
    settleStep: 'Settle',
    withdrawStep: 'Withdraw',
    repayStep: 'Repay',
    notKnown: 'What can be settled is not known',
    done: 'Paid out',
    doneWhy: (amount: string) => `${amount} has been paid to your account.`,
    repaid: (amount: string) => `${amount} of your debt has been repaid.`,
    repaidAll: (amount: string) => `All of your debt in this market has been repaid, ${amount}.`,
    owes: (amount: ReactNode) => rich`You still owe ${amount} in this market, at the floating rate.`,
    noAllowance: 'The lender can spend none of your tokens.',
    allowance: (amount: ReactNode) => rich`The lender may still spend ${amount} of your tokens.`,
    again: 'Fix again',
    againWhy: (amount: ReactNode, day: string, limit: ReactNode) =>
      rich`Your rate floats again. You can fix ${amount} until ${day}, for at most ${limit}.`,
    count: (count: number) => `Settle all ${count}`,
    allTitle: 'Settle everything at once',
    allLeadTogether: 'One confirmation settles all matured positions and pays your part of each to your account.',
    allLead:
      'One press settles all matured positions and pays your part of each to your account. Your wallet asks for each step.',
    allMost: (count: number) =>
      `At most ${count} positions are settled together. Your wallet asks again for the others.`,
    allRepay: 'Repay your debts in their markets with the payouts',
    notRepaid: 'Your debt was not repaid, because it changed before the transaction was mined.',
  },

  sending: {
    asking: 'Confirm it in your wallet …',
    called: 'Your wallet sends it, waiting for its transaction …',
    sent: 'Sent, waiting for its block …',
    seeing: 'It is confirmed. The service sees it in a moment …',
    failedIn: (block: string) => `It failed in block ${block}`,
    failedWhy:
      'Only the fee of the network was paid. Most likely somebody else was faster: the page shows what is left to do.',
    notFound: 'Its block could not be found',
    notSent: 'It was not sent',
    saidSent: 'The transaction is on its way.',
    saidSettled: 'The position is settled.',
    saidPaid: 'Your payout has been paid.',
    saidRepaid: 'Your debt has been repaid.',
  },

  details: {
    position: (id: string) => `Position ${id}`,
    opened: (block: string) => `Opened in block ${block}`,
    maker: (address: string) => `Maker: ${address}`,
    borrower: (address: string) => `Borrower: ${address}`,
    settled: (block: string, hash: string) => `Settled in block ${block} by ${hash}`,
    withdrawn: (hash: string) => `Withdrawn by ${hash}`,
    readAt: (block: string) => `All of it as of block ${block}`,
  },
}

/** What every language has to say there. */
export type PositionsTexts = typeof enPositions
