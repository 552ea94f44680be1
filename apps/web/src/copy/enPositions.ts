import type { ReactNode } from 'react'
import { rich } from './rich.ts'

const plurals = new Intl.PluralRules('en')

/** The pages of positions in English. */
export const enPositions = {
  back: 'All positions',
  connect: 'No wallet connected',
  connectWhy: 'Connect the account that fixed the rate.',
  fixedNow: 'Fixed now',
  matured: 'To settle',
  running: 'Active',
  settled: 'Settled',
  noneRunning: 'No active positions.',
  noneSettledWhy: 'Settled positions appear here.',
  moreSettled: 'Show more',
  toWithdraw: (amounts: ReactNode) =>
    rich`${amounts} from settled positions is ready. Open a settled position to withdraw it.`,
  unknownMarkets: (count: number) =>
    plurals.select(count) === 'one'
      ? '1 more position is in an unknown market.'
      : `${count} more positions are in unknown markets.`,

  records: {
    title: 'Records',
    lead: 'All positions with exact amounts, times, addresses and transaction hashes.',
    save: 'Download CSV',
    saidSaved: 'CSV downloaded.',
    notSaved: 'Download failed',
    /** The file's column names. */
    columns: {
      position: 'Position',
      role: 'Role',
      openedAt: 'Opened at',
      openedBlock: 'Opened in block',
      openedBy: 'Opened by transaction',
      endsAt: 'Matures at',
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
  missing: 'Position not found',
  missingWhy: 'It may belong to another account. A new position appears after a few seconds.',
  unknownMarket: "This position's market is unknown",
  asBorrower: (market: string) => `${market}, as borrower`,
  asMaker: (market: string) => `${market}, as maker`,
  /** The figures of each side. An account may have both. */
  sides: {
    borrower: (figure: string) => `${figure}, as borrower`,
    maker: (figure: string) => `${figure}, as maker`,
  },

  figures: {
    fixedAt: 'Your fixed rate',
    amount: 'Fixed amount',
    ended: 'Matured',
    ends: 'Maturity',
    soFarNote: "What you'd receive if it matured now.",
    dueNote: 'Estimate. The first settlement sets the exact amount.',
    unknown: 'Payout unknown.',
    exactly: (amount: string) => `Exactly ${amount}.`,
    asService: 'Reported by the service, not yet read from the chain.',
    notConfirmed: "The chain doesn't confirm this payout",
    notConfirmedWhy: 'The transaction that the service reported did not settle this position.',
  },

  accrual: {
    title: 'Payout and cost by day',
    picture: 'The payout so far and the cost of fixing, from the opening to maturity',
    interest: 'payout',
    cost: 'cost',
    day: 'Day',
    today: 'today',
    /** A day whose figures are not known yet. */
    projected: (day: string) => `${day}, projected`,
    ifToday: {
      more: (payout: ReactNode, difference: ReactNode) =>
        rich`If it matured today, the payout would be ${payout}: ${difference} more than the cost with interest.`,
      less: (payout: ReactNode, difference: ReactNode) =>
        rich`If it matured today, the payout would be ${payout}: ${difference} less than the cost with interest.`,
    },
    ended: {
      more: (payout: ReactNode, difference: ReactNode) =>
        rich`The payout is ${payout}: ${difference} more than the cost with interest.`,
      less: (payout: ReactNode, difference: ReactNode) =>
        rich`The payout is ${payout}: ${difference} less than the cost with interest.`,
    },
    even: (day: string, rate: string) => `You come out ahead from ${day} if the variable rate stays at ${rate} APY.`,
    evenSince: (day: string) => `You've been ahead since ${day}.`,
    neverEven: (day: string, rate: string) =>
      `You don't come out ahead by ${day} if the variable rate stays at ${rate} APY.`,
    legend: (rate: string) => `Dashed: projected at today's variable rate, ${rate} APY.`,
    costNote: 'Here, the cost includes the interest that repaying debt with it would have saved.',
  },

  timeline: {
    title: 'Timeline',
    today: 'Today',
    opened: 'Rate fixed',
    paidFor: (cost: ReactNode, amount: ReactNode) => rich`You paid ${cost} to fix ${amount}.`,
    paidForAt: (cost: ReactNode, amount: ReactNode, rate: ReactNode) =>
      rich`You paid ${cost} to fix ${amount} at ${rate}.`,
    lockedFor: (cost: ReactNode, amount: ReactNode) => rich`You locked ${amount}. The borrower paid ${cost}.`,
    accrued: (amount: ReactNode) =>
      rich`Payout so far: about ${amount}. Your debt keeps growing and can be liquidated.`,
    accruedForMaker: (amount: ReactNode) => rich`The borrower's payout so far: about ${amount}.`,
    ends: 'Maturity',
    ended: 'Matured',
    thenBorrower: (amount: ReactNode) => rich`You receive the variable interest on ${amount}, capped at that amount.`,
    thenMaker: "You receive your locked amount and the cost, minus the borrower's payout.",
    due: 'Anyone can settle it. The first settlement sets the payout.',
    final: 'Anyone can settle it. The payout is final.',
    settled: 'Settled',
    shares: (toBorrower: ReactNode, toMaker: ReactNode) =>
      rich`${toBorrower} to the borrower, ${toMaker} to the maker.`,
    withdrawn: 'Withdrawn',
    received: (amount: ReactNode) => rich`${amount} to your account.`,
    receivedMore: (amount: ReactNode) => rich`${amount} to your account, including other payouts.`,
  },

  calendar: {
    add: 'Add to calendar',
    title: (amount: string) => `Fixed rate ends: ${amount}`,
    description: (id: string, from: string) =>
      `Settle position ${id} and collect your payout from ${from}. Settle soon: the payout depends on the time of the first settlement. On the last day, you can record the rate on its page.`,
  },

  observe: {
    title: "Record today's rate",
    lead: 'The payout is estimated between the last recorded rate before maturity and the first after it. A rate recorded today makes it more exact.',
    last: (at: string) => `Last recorded: ${at}.`,
    record: "Record today's rate",
    saidRecorded: 'Rate recorded.',
  },

  settle: {
    both: 'Settle and withdraw',
    all: 'Settle, withdraw and repay',
    withdraw: 'Withdraw your payout',
    withdrawRepay: 'Withdraw and repay',
    repay: 'Repay your debt',
    lead: 'Settling fixes both payouts; then withdraw yours.',
    leadTogether: 'One confirmation settles the position and pays you.',
    dueLead: 'The payout is not final: the first settlement sets it for everyone with this market and maturity.',
    finalLead: 'The payout is final.',
    withdrawLead: 'The position is settled. Your payout is in the contract.',
    repayLead: 'Your payout is in your account.',
    resetLead: "Your payout is in your account. This resets the lender's leftover approval.",
    settledBy: (account: ReactNode) => rich`Settled by ${account}. Anyone can settle, with the same result.`,
    about: (amount: ReactNode) => rich`About ${amount}`,
    withOthers: (amount: ReactNode) => rich`Includes ${amount} from other positions.`,
    nothing: 'No payout',
    nothingWhy: 'No variable interest accrued on this amount.',
    withdrawAmount: (amount: string) => `Withdraw ${amount}`,
    repayAmount: (amount: string) => `Repay ${amount}`,
    reset: 'Reset the approval',
    repayPart: (amount: ReactNode, debt: ReactNode) => rich`Repay ${amount} of your ${debt} debt`,
    repayAll: (amount: ReactNode) => rich`Repay your whole debt in this market, ${amount}`,
    roughly: (amount: ReactNode) => rich`about ${amount}`,
    repayTogether: 'In the same confirmation.',
    repayLater: 'In a second confirmation, once settling has set the amount.',
    repayApart: 'In two more confirmations: approve the lender, then repay.',
    steps: 'Steps',
    stateWords: { done: 'done', current: 'next', busy: 'in progress', failed: 'failed', todo: 'to do' },
    settleStep: 'Settle',
    withdrawStep: 'Withdraw',
    repayStep: 'Repay',
    notKnown: "The chain couldn't be read",
    done: 'Paid out',
    doneWhy: (amount: string) => `You received ${amount}.`,
    repaid: (amount: string) => `You repaid ${amount}.`,
    repaidAll: (amount: string) => `You repaid your whole debt in this market, ${amount}.`,
    owes: (amount: ReactNode) => rich`You still owe ${amount} at the variable rate.`,
    noAllowance: "The lender can't spend your tokens.",
    allowance: (amount: ReactNode) => rich`The lender can still spend ${amount}.`,
    again: 'Fix again',
    againWhy: (amount: ReactNode, day: string, limit: ReactNode) =>
      rich`Your rate is variable again. Fix ${amount} until ${day} for at most ${limit}.`,
    count: (count: number) => `Settle all ${count}`,
    allTitle: 'Settle all',
    allLeadTogether: 'One confirmation settles all matured positions and pays you.',
    allLead: 'Settles all matured positions and pays you, with several confirmations.',
    allMost: (count: number) => `At most ${count} positions settle at once. The others follow.`,
    allRepay: 'Repay your debts with the payouts',
    notRepaid: "Your debt wasn't repaid, because it changed first.",
  },

  sending: {
    asking: 'Confirm in your wallet …',
    called: 'Sending …',
    sent: 'Sent. Waiting for a block …',
    seeing: 'Confirmed. Updating …',
    failedIn: (block: string) => `Failed in block ${block}`,
    failedWhy: 'You paid only the network fee. Most likely someone else settled first: see what is left to do.',
    notFound: 'Transaction not found',
    notSent: 'Not sent',
    saidSent: 'Transaction sent.',
    saidSettled: 'Position settled.',
    saidPaid: 'Payout received.',
    saidRepaid: 'Debt repaid.',
  },

  details: {
    position: (id: string) => `Position ${id}`,
    opened: (block: string) => `Opened in block ${block}`,
    maker: (address: string) => `Maker: ${address}`,
    borrower: (address: string) => `Borrower: ${address}`,
    settled: (block: string, hash: string) => `Settled in block ${block} by ${hash}`,
    withdrawn: (hash: string) => `Withdrawn by ${hash}`,
    readAt: (block: string) => `Read at block ${block}`,
  },
}

/** The page's texts, in any language. */
export type PositionsTexts = typeof enPositions
