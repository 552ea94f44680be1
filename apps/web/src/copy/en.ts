// Why: docs/decisions/0055-typed-text-catalogue.md
import type { Code } from '@firmquote/core'
import type { ReactNode } from 'react'
import type { AmountProblem } from './parseAmount.ts'
import { rich } from './rich.ts'
import { spellEnglish } from './spellEnglish.ts'

// All texts, by view. Inserted values are already formatted (see `Formats`). A sentence with an inserted element is `rich`.
// Counts choose their form by the language's plural rules.

const plurals = new Intl.PluralRules('en')
const many = (count: number, one: string, other: string) => `${count} ${plurals.select(count) === 'one' ? one : other}`
const offers = (count: number) => many(count, 'quote', 'quotes')
const makers = (count: number) => many(count, 'maker', 'makers')

/** The texts in English. */
export const en = {
  /** Texts of several views. */
  common: {
    details: 'Details',
    tryAgain: 'Try again',
    copy: {
      address: 'Copy address',
      transaction: 'Copy transaction hash',
      offer: 'Copy quote hash',
      copied: 'Copied',
      failed: 'Copying failed. Select the text instead.',
    },
    apr: 'APR',
    apy: 'APY',
    waiting: '…',
    comesOnceAnswered: 'Waiting for the service.',
    fileOffline: "You're offline. This page loads when you reconnect.",
    fileUnanswered: "The service isn't responding. This page loads when it does.",
    news: 'News',
    dismiss: 'Dismiss',
    loading: (what: string) => `Loading ${what}`,
    notLoaded: (what: string) => `Couldn't load ${what}`,
    notUpToDate: (why: string) => `Out of date: ${why}`,
    request: (id: string) => `request ${id}`,
    sortBy: 'Sort by',
    askForOffers: 'Get quotes',
    pausedFor: (message: string) => `Paused by the operator: ${message}`,
    connectWallet: 'Connect a wallet',
    switchWallet: (chain: string, id: number) => `Switch your wallet to ${chain} (${id})`,
    notSwitched: "The network wasn't switched",
    walletElsewhere: 'Your wallet is on another network',
    walletSilent: "Your wallet hasn't responded for a minute. Open it, or try again.",
    firm: 'firm',
    indicative: 'indicative',
    offers,
    makers,
    market: (debt: string, collateral: string) => `${debt} against ${collateral}`,
    marketWithoutCollateral: (debt: string, id: string) => `${debt} market ${id}`,
    amountUntil: (amount: ReactNode, day: string) => rich`${amount} until ${day}`,
    things: {
      service: 'the service',
      page: 'the page',
      markets: 'markets',
      account: 'your account',
      debts: 'your debts',
      positions: 'your positions',
      position: 'the position',
      rates: 'fixed rates',
      history: 'rate history',
      auction: 'the auction',
      offer: 'the quote',
      offers: 'quotes',
      recentOffers: 'recent quotes',
    },
    /** Headings and terms with the same meaning everywhere. */
    names: {
      market: 'Market',
      until: 'Fixed until',
      maker: 'Maker',
      makers: 'Makers',
      fixedRate: 'Fixed rate',
      totalCost: 'Cost',
      size: 'Size',
      offered: 'Quoted',
      available: 'Available',
      action: 'Action',
      floatingToday: 'Variable today',
      validUntil: 'Valid until',
    },
  },

  /** Typed amounts. */
  amounts: {
    example: (plain: string, short: string) => `For example ${plain} or ${short}.`,
    /** The parsed amount in words, or null if it has a fraction or is too large. Digits read better than words then. */
    understood: (whole: string, fraction: string, symbol: string) => {
      const words = fraction === '' ? spellEnglish(whole) : null
      return words === null ? null : `${words[0]?.toUpperCase()}${words.slice(1)} ${symbol}`
    },
    /** Explains a mistake. `example` is a formatted amount. */
    refused: (refusal: AmountProblem, example: string): string => {
      switch (refusal.problem) {
        case 'empty':
          return 'Enter an amount.'
        case 'tooLong':
          return 'This is too long for an amount.'
        case 'signed':
          return 'Remove the plus or minus sign.'
        case 'exponent':
          return 'Write the number out, without an exponent.'
        case 'digits':
          return 'Use the digits 0 to 9.'
        case 'ambiguous':
          return `Did you mean ${refusal.readings[0]} or ${refusal.readings[1]}?`
        case 'signs':
          return `Did you mean ${refusal.reading}?`
        case 'zeros':
          return 'Remove the leading zeros.'
        case 'unreadable':
          return `Write an amount like ${example}.`
        case 'tooFine':
          return `This token has at most ${many(refusal.decimals, 'decimal', 'decimals')}.`
        case 'tooLarge':
          return 'This amount is too large for any token.'
      }
    },
    zero: 'The amount must be above zero.',
    /** Replaces the typed amount by an interpretation. */
    use: (amount: string) => `Use ${amount}`,
  },

  /** The frame around every view. */
  app: {
    name: 'Firmquote',
    title: (page: string) => `${page} · Firmquote`,
    skip: 'Skip to content',
    foot: 'Firmquote never holds your funds.',
    api: 'API',
    licences: 'Licenses',
    about: 'About',
    contracts: 'Contracts',
    navigation: 'Pages',
    menu: 'Menu',
    pages: {
      borrow: 'Borrow',
      markets: 'Markets',
      curve: 'Curve',
      history: 'History',
      positions: 'Positions',
      how: 'How it works',
    },
    states: {
      ok: 'Operational',
      bad: 'The service has a problem',
      unknown: 'Service status unknown',
    },
    lightTheme: 'Light theme',
    darkTheme: 'Dark theme',
    language: 'Language',
    numbers: 'Number format',
    failed: 'Something went wrong on this page',
    reload: 'Reload the page',
  },

  /** Problems that affect the whole app. */
  trouble: {
    titles: {
      offline: "You're offline",
      unanswered: "The service isn't responding",
      oldPage: 'A new version of this page is available',
      database: 'The service is down',
      chain: "The service can't read the chain",
      clock: "The service's clock is behind the chain",
      behind: 'The service is behind the chain',
      noMakers: 'No makers are connected',
    },
    over: 'The service is responding again.',
    offline: 'The page updates when you reconnect.',
    unanswered: 'Retrying every few seconds.',
    age: (age: string) => `This page is at least ${age} out of date.`,
    oldPage: 'Reload to see current figures.',
    load: 'Reload',
    database: "Its database isn't responding.",
    chain: 'It accepts no quotes until it can.',
    clock: 'Some quotes may have expired.',
    behind: (lag: string) => `This page may be ${lag} out of date.`,
    behindUnknown: 'This page may be out of date.',
    noMakers: 'Nobody can answer a request for quotes right now.',
  },

  wallet: {
    connect: 'Connect wallet',
    wrongNetwork: 'Wrong network',
    switchTo: (chain: string) => `Switch to ${chain}`,
    disconnect: 'Disconnect',
    choose: 'Connect a wallet',
    install: 'Install a browser wallet',
    none: (install: ReactNode) =>
      rich`No wallet found in this browser. ${install} and reload this page, or open it in your wallet app's browser.`,
    openInApp: 'This browser has no wallet. Open this page in your wallet app:',
    copyPage: 'Copy address',
    /** Shown by a wallet app. */
    page: 'Fixed rates for variable-rate debt',
    scan: 'Scan this code with your wallet app, or open the app on this device.',
    code: 'Connection code for a wallet app',
    openCode: 'Open in a wallet app',
    copyCode: 'Copy code',
    cancel: 'Cancel',
    /** Product names. */
    names: {
      walletConnect: 'WalletConnect',
      coinbaseWallet: 'Coinbase Wallet',
      metaMask: 'MetaMask',
      rainbow: 'Rainbow',
      trustWallet: 'Trust Wallet',
    },
    unnamed: 'Unnamed wallet',
  },

  /** Why a wallet could not read or send, other than that its owner declined. */
  walletErrors: {
    noFee: "Your account can't pay the network fee.",
    busy: 'Your wallet has another open request. Finish that one first.',
    locked: 'Your wallet is locked or disconnected. Unlock it, then try again.',
    offline: 'Your wallet lost its network connection. Try again when it is back.',
    limited: "Your wallet's node is rate limiting you. Try again in a minute, or choose another node in your wallet.",
    unreachable: "Your wallet's node can't be reached. Check your connection, or choose another node in your wallet.",
    failed: "Your wallet's node returned an error. Try again, or choose another node in your wallet.",
  },

  /** The cost of fixing, and its conditions. Every view uses these texts. */
  fixing: {
    cost: (cost: ReactNode, time: string) => rich`${cost} once, for ${time}`,
    estimatedCost: (cost: ReactNode, time: string) => rich`About ${cost} once, for ${time}`,
    breakEven: (rate: string) => `You come out ahead if the variable rate averages above ${rate}.`,
    neverEven: "You can't come out ahead: the payout is capped at the amount you fix.",
    sameAsVariable: "Costs the same as variable if rates don't move.",
    moreThanVariable: (amount: ReactNode) => rich`Costs ${amount} more than variable if rates don't move.`,
    lessThanVariable: (amount: ReactNode) => rich`Costs ${amount} less than variable if rates don't move.`,
    /** Total costs at several variable rates. */
    scenarios: {
      caption: 'Total cost until maturity',
      average: 'Variable average',
      fixed: 'Fixed',
      variable: 'Variable',
      /** The payout is the variable interest, at most `cap`. */
      note: (cap: ReactNode) => rich`Total cost until maturity. The payout is capped at ${cap}.`,
      inYear: (rate: string, share: string) =>
        `In the last 12 months, the variable rate was above ${rate} on ${share} of days.`,
      inDays: (rate: string, share: string, days: number) =>
        days === 1
          ? `In the last day, the variable rate was above ${rate} on ${share} of days.`
          : `In the last ${days} days, the variable rate was above ${rate} on ${share} of days.`,
    },
    /** Warnings that the connected account cannot pay the cost or the fee. */
    funds: {
      tooLittle: (amount: ReactNode) =>
        rich`You have ${amount}, which may not cover the cost. Fix less, or add funds first.`,
      noFee: (coin: string) => `You may not have enough ${coin} for the network fee.`,
    },
    know: {
      title: 'Risks',
      now: (cost: ReactNode) => rich`You pay ${cost} now. It's nonrefundable.`,
      estimatedNow: (cost: ReactNode) => rich`You pay about ${cost} now. It's nonrefundable.`,
      meanwhile: 'Your debt keeps growing until maturity and can be liquidated.',
      meanwhileHealth: (factor: string) =>
        `Your debt keeps growing until maturity and can be liquidated (health ${factor}).`,
      afterwards: (amount: ReactNode) => rich`The payout comes after maturity, capped at ${amount}.`,
      outlives: 'The hedge outlives a repaid loan.',
      contracts: 'Unaudited contracts.',
      more: 'How it works',
    },
  },

  home: {
    title: 'Fix the rate of your loan',
    lead: 'Pay once, and a market maker covers your variable interest until maturity.',
    /** Instead of the title, with a wallet. */
    account: 'Your loans',
    anyAmount: 'Fix an amount',
    ratesMissing: 'Some fixed rates could not be loaded',
    noMarkets: 'No markets yet',
    noMarketsWhy: 'You can fix a rate here once a market has been created.',
    noTerms: 'All terms have ended',
    noTermsWhy: 'You can fix a rate here once a new term opens.',
    form: {
      amount: 'Amount to fix',
      chooseMarket: 'Choose a market',
      change: 'Change amount or set a max rate',
      maxRate: 'Maximum rate',
      upTo: (rate: string) => `${rate} APY`,
      maxRateDefault: (rate: string, cost: string) =>
        `If empty, ${rate} APY: you pay at most ${cost}. Makers can't ask for more.`,
      maxRateCost: (cost: string) => `You pay at most ${cost}. Makers can't ask for more.`,
      maxRateLow: (rate: string) => `The best known rate is ${rate} APY, so you may get no quotes.`,
      noDebt: 'You owe nothing in this market.',
      unfixed: (amount: ReactNode) => rich`Unfixed: ${amount}`,
      allFixed: (owed: ReactNode) => rich`All ${owed} of this debt are fixed.`,
      useRest: 'Use it',
      useAvailable: 'Use the available part',
      overfixed: (amount: ReactNode) =>
        rich`That's ${amount} more than your unfixed debt. The extra is a bet on rising rates.`,
      forAnyone: 'Without a wallet, anyone can take the quotes.',
    },
    /** What is wrong with a field. */
    mistakes: {
      market: 'Choose a market.',
      term: 'Choose a term.',
      termEnded: 'This term has ended. Choose a later one.',
      amount: (example: string, short: string) => `Enter an amount, like ${example} or ${short}.`,
      tooMuch: (amount: string) => `Only ${amount} is available in this term.`,
      tooLittle: (amount: string) => `Fix at least ${amount} in this term.`,
      rateZero: 'Enter a rate above zero, or leave this empty.',
      rateHigh: (rate: string) => `Enter a rate of at most ${rate}.`,
    },
    terms: {
      title: 'Fixed until',
      titleOf: (amount: string) => `Fix ${amount} until`,
      about: (figure: ReactNode) => rich`about ${figure}`,
      noRate: 'ask',
      notKnown: 'unavailable',
      most: (amount: ReactNode, day: string) => rich`Only ${amount} can still be fixed until ${day}.`,
      full: (day: string) => `Nothing more can be fixed until ${day}. Choose another term.`,
      least: (amount: ReactNode, day: string) => rich`You can fix ${amount} or more until ${day}.`,
    },
    price: {
      rate: 'Your fixed rate',
      about: (rate: ReactNode) => rich`about ${rate}`,
      against: (rate: string) => `vs ${rate} variable today`,
      cost: (cost: ReactNode, day: string) => rich`${cost} once, until ${day}`,
      costAbout: (cost: ReactNode, day: string) => rich`About ${cost} once, until ${day}`,
      costOf: (cost: ReactNode, size: ReactNode, day: string) => rich`${cost} once for ${size}, until ${day}`,
      combined: (count: number) => `${offers(count)} combined`,
      fromQuote: (size: ReactNode) => rich`Estimated from a quote for ${size}`,
      fromAuction: (size: ReactNode, when: ReactNode) => rich`Estimated from an auction for ${size}, ${when}`,
      noAmount: 'Enter an amount to see its rate',
      none: 'No recent quotes. Request one: it takes seconds.',
      notKnown: 'Rates are unavailable right now. You can still request quotes.',
      fixAt: (rate: string) => `Fix at ${rate}`,
      fixNow: (amount: string) => `Fix ${amount} now`,
      getQuotes: (seconds: string) => `Get quotes (${seconds} s)`,
    },
    proof: {
      title: 'Prove this account is yours (optional)',
      proven: (until: string) => `Makers know this account is yours until ${until}.`,
      why: 'One free signature, valid for a day. Makers see that you owe the debt, and may quote larger amounts.',
      prove: 'Sign the proof',
      failed: 'The proof was not signed',
    },
    recent: {
      title: 'Recent auctions',
    },
    loans: {
      none: 'This account has no debt to fix',
      quotedFor: (markets: string) => `You can fix debts in ${markets}.`,
      owed: (amount: ReactNode) => rich`${amount} owed`,
      partFixed: (fixed: ReactNode, owed: ReactNode) => rich`${fixed} of ${owed} fixed`,
      fullyFixed: (owed: ReactNode) => rich`${owed}, fully fixed`,
      variable: (rate: string) => `${rate} variable`,
      fixed: (rate: string) => `${rate} fixed`,
      overfixed: (amount: ReactNode) =>
        rich`You've fixed more than you owe. The extra ${amount} is a bet on rising rates.`,
      collateral: 'Collateral',
      worth: (amount: ReactNode, value: ReactNode) => rich`${amount}, worth ${value}`,
      liquidation: 'Liquidation price',
      priceNow: (price: ReactNode, collateral: string, now: ReactNode) => rich`${price} per ${collateral} (now ${now})`,
      health: 'Health factor',
      healthClose: 'Close to liquidation',
      liquidatable: 'This loan can be liquidated now',
      healthUnknown: 'Liquidation data is unavailable. Check it where you borrowed.',
      healthStays: "Fixing the rate doesn't change your liquidation risk.",
    },
  },

  /** A position in a list; `enPositions` has what its own page says. */
  positions: {
    title: 'Your fixed positions',
    none: 'No fixed positions yet',
    noneWhy: 'Fix a rate, and the position appears here.',
    all: 'All positions',
    asMaker: 'as maker',
    paid: 'Cost',
    earns: 'Earned',
    /** A position's result: before maturity, after maturity, and once it is settled. */
    payout: {
      borrower: { soFar: 'Payout so far', due: 'Your payout', paid: 'Payout' },
      maker: { soFar: 'Value so far', due: 'Your payout', paid: 'Payout' },
    },
    unknown: 'unknown',
    more: {
      borrower: (amount: ReactNode) => rich`${amount} more than the cost, excluding interest on it`,
      maker: (amount: ReactNode) => rich`${amount} more than you locked`,
    },
    less: {
      borrower: (amount: ReactNode) => rich`${amount} less than the cost, excluding interest on it`,
      maker: (amount: ReactNode) => rich`${amount} less than you locked`,
    },
  },

  auction: {
    notStarted: 'The makers could not be asked',
    auction: 'Auction',
    notFound: 'Auction not found',
    askAgain: 'Get new quotes',
    marketGone: "This auction's market is no longer listed",
    open: 'Auction open: market makers are answering',
    closed: 'Auction closed',
    fix: (amount: ReactNode, day: string) => rich`Fix ${amount} until ${day}`,
    asked: {
      title: 'Request details',
      limit: 'Maximum cost',
      makers: 'Sent to',
      limitIs: (rate: string) => `${rate} APY`,
      limitByPage: (rate: string) => `${rate} APY, the default`,
      limitEnded: 'the default',
      validFor: 'Quotes are valid for',
      anyone: 'any account',
      accountAlone: 'this account only',
    },
    tabOpen: (left: string) => `${left} · Auction`,
    tabBest: (rate: string) => `${rate} APY · Auction`,
    tabNone: 'No quotes · Auction',
    timeLeft: 'Time left',
    seconds: (left: number): string => (plurals.select(left) === 'one' ? 'second' : 'seconds'),
    closing: 'closing',
    said: {
      started: (asked: number, seconds: number) =>
        `Auction started. ${makers(asked)} ${plurals.select(asked) === 'one' ? 'has' : 'have'} ${many(seconds, 'second', 'seconds')} to answer.`,
      best: (rate: string, cost: string) => `Best quote so far: ${rate} APY for ${cost}.`,
      closedEmpty: 'Auction closed. No maker sent a quote.',
      closedNone: 'Auction closed. None of the quotes can be taken.',
      closed: (count: number, rate: string, cost: string) =>
        `Auction closed. ${offers(count)}. Best: ${rate} APY for ${cost}.`,
    },
    live: {
      none: 'Waiting for the first quote.',
      noMakers: 'No maker is connected.',
      /** How many of the expected makers have answered. */
      progress: (count: number, expected: number) =>
        count < expected
          ? `Waiting may get a better rate: ${count} of ${makers(expected)} ${[count, expected].includes(1) ? 'has' : 'have'} answered.`
          : plurals.select(expected) === 'one'
            ? 'The only maker has answered.'
            : `All ${makers(expected)} have answered.`,
      wait: 'Waiting may get a better rate.',
      allNone: 'All makers have answered. None of the quotes can be taken.',
      tell: 'Notify me when it closes',
      willTell: "You'll be notified when it closes. Keep this page open.",
      tellRefused: "Notifications are blocked. Allow them in your browser's settings.",
      tellMissing: "This browser doesn't support notifications.",
      news: 'Your auction has closed',
      see: 'View the quotes',
    },
    quotes: {
      rate: 'Your fixed rate',
      forSize: (size: ReactNode) => rich`for ${size}`,
      combined: (count: number, size: ReactNode) => rich`${offers(count)} combined, for ${size}`,
      against: (variable: ReactNode) => rich`vs ${variable} variable today`,
      part: (rest: ReactNode) => rich`The other ${rest} stays variable.`,
      validFor: (left: string, time: string) => `Expires in ${left}, at ${time}.`,
      fix: 'Fix now',
      fixAt: (rate: string) => `Fix at ${rate}`,
      fixAtNow: (rate: string) => `Fix at ${rate} now`,
      checking: 'Checking on the chain…',
      notChecked: "Can't be checked right now.",
      chainSilent: "The quotes can't be checked",
      chainSilentWhy: "Without the chain's state, no quote is known to be valid.",
      byService: 'Checked by the service on arrival. Connect a wallet to check again and fix.',
      byServiceElsewhere: "Checked by the service on arrival. Switch your wallet's network to check again and fix.",
      cheaper: (rate: string) => `A published quote is cheaper: ${rate} APY`,
      published: (rate: string) => `Fix at ${rate} with a published quote`,
      /** The list of all quotes. */
      title: 'Quotes',
      cost: 'Cost',
      status: 'Status',
      best: 'Best',
      bestOf: (count: number) => `Best: ${offers(count)} combined`,
      combinedToo: 'Combined with the best',
      takeable: 'Can be taken',
      taken: 'You took this quote.',
      waiting: 'Waiting for an answer',
      more: (count: number) => `${makers(count)} more`,
      review: 'Review',
      reviewOf: (rate: string) => `Review ${rate} APY`,
      change: 'Change amount or set a max rate',
      askRest: 'Get quotes for the rest',
      late: 'The service was down at closing time, so this auction closed late. It kept the quotes it had received.',
      refused: (count: number) => `${many(count, 'answer', 'answers')} failed the service's checks.`,
      seePositions: 'View your positions',
      /** Without a quote to take: what has happened, and what to do. */
      none: {
        silent: 'No maker sent a quote',
        refused: 'No valid quotes',
        noMakers: 'No maker was connected',
        expired: 'The quotes have expired',
        cannot: 'None of the quotes can be taken',
        rest: 'No quotes left for the rest',
        fixed: 'Fully fixed',
      },
      tryLater: 'Try again in a few minutes.',
      tryOther: 'Try another term or a smaller amount.',
      tryOtherLimit: 'Try another term, a smaller amount or a higher maximum rate.',
      shortLived: 'Quotes last a few minutes. Get new ones.',
      whyBelow: 'See the reasons below, or get new quotes.',
      restVariable: 'The rest is still variable. Get quotes for it.',
      fixed: (part: ReactNode, all: ReactNode, takes: number, cost: ReactNode) =>
        rich`${part} of ${all} fixed with ${offers(takes)} for ${cost}.`,
      fixedAt: (part: ReactNode, all: ReactNode, takes: number, rate: ReactNode, cost: ReactNode) =>
        rich`${part} of ${all} fixed at ${rate} with ${offers(takes)} for ${cost}.`,
    },
  },

  /** Headings of views whose other texts load later. */
  openings: {
    how: {
      title: 'How it works',
      lead: 'You pay a cost today. At maturity you receive the variable interest on the amount you fixed. Together they make a fixed rate.',
    },
    positions: {
      title: 'Your positions',
      lead: 'Your fixed rates: matured, active and settled.',
    },
    markets: {
      title: 'Markets',
      lead: "Fixed rates for your size, from market makers' published quotes and recent auctions.",
    },
    curve: { title: 'Yield curve', lead: 'The fixed rate for each term, next to the variable rate.' },
    history: { title: 'History', lead: 'Past variable and fixed rates, and quotes from recent auctions.' },
    contracts: {
      title: 'Contracts',
      lead: "They take quotes and hold positions. They are a reference implementation: don't fix more than you can afford to lose.",
    },
    status: {
      title: 'Status',
      lead: 'Live, from the service itself: each component, its state, and since when it has been in it.',
    },
    proofs: {
      title: 'Proofs',
      lead: 'See what a proof file shows. This page checks it, and sends it nowhere.',
    },
  },

  /** Refusals with their facts. */
  refusals: {
    capacity: (amount: string) => `Only ${amount} is left in this term.`,
    balance: (amount: string) => `The maker holds only ${amount}.`,
    allowance: (amount: string) => `The maker has approved only ${amount}.`,
    otherTaker: (account: string) => `Signed for ${account}, which isn't the connected account.`,
    other: 'The contract rejects it.',
  },

  /** A sentence for each code of the service, the contract and the app. */
  codes: {
    // A quote that cannot be taken.
    DEADLINE_PASSED: 'It has expired.',
    DEADLINE_TOO_SOON: 'It expires too soon for a transaction to be mined.',
    DEADLINE_TOO_FAR: 'It is valid for longer than the service allows.',
    NONCE_MISMATCH: 'The maker withdrew all its earlier quotes.',
    QUOTE_CANCELLED: 'The maker canceled it.',
    QUOTE_FILLED: 'Someone took it.',
    SERIES_EXPIRED: 'The term has ended.',
    MARKET_HALTED: 'Paused by the operator.',
    SERIES_NOT_FOUND: "This term doesn't exist.",
    POOL_NOT_FOUND: "This market doesn't exist.",
    CAPACITY_EXCEEDED: 'Not enough is left in this term.',
    INSUFFICIENT_BALANCE: "The maker doesn't have enough funds for it.",
    INSUFFICIENT_ALLOWANCE: "The maker hasn't approved enough funds for it.",
    TERMS_MISMATCH: 'It differs from your request.',
    TAKER_MISMATCH: 'It was signed for another account.',
    MAKER_MISMATCH: "It wasn't sent by its maker.",
    NOTIONAL_ZERO: 'Its amount is zero.',
    NOTIONAL_TOO_SMALL: 'Its amount is below the minimum.',
    NOTIONAL_TOO_LARGE: 'Its amount is more than is left to fix.',
    VRT_AMOUNT_TOO_LARGE: 'It costs more than your limit.',
    BAD_SIGNATURE: "The signature isn't the maker's.",
    NOT_EXECUTABLE: 'The contract would reject it.',
    QUOTE_PRIVATE: 'It belongs to the borrower of another auction.',
    MAKER_SUSPENDED: "The maker's contract doesn't respond.",
    MAKER_BANNED: "The service's operator has banned the maker.",
    ALREADY_QUOTED: 'This maker has already answered.',
    // Responses of the service.
    INVALID_REQUEST: "The service couldn't read the request.",
    RFQ_NOT_FOUND: "The service doesn't know this auction.",
    QUOTE_NOT_FOUND: "The service doesn't know this quote.",
    NOT_FOUND: "The service doesn't know this address.",
    PROOF_NOT_READY: "The proof isn't ready yet. Try again in a moment.",
    AUCTION_CLOSED: 'The auction has closed.',
    OUTCOME_UNKNOWN: "The service doesn't know yet whether it saved this. Try again in a moment.",
    TAKER_PROOF_INVALID: 'The service rejected the proof of your account. Request without it, or sign it again.',
    UNAUTHENTICATED: "The service doesn't recognize this account.",
    AUTH_FAILED: "The service doesn't recognize this account.",
    IDEMPOTENCY_KEY_REUSED: 'A different request used the same key. Try again.',
    TOO_MANY_OPEN: 'You have too many open auctions. Wait until one closes.',
    METHOD_NOT_ALLOWED: "The service doesn't support this.",
    UNSUPPORTED_MEDIA_TYPE: "The service couldn't read the request.",
    PAYLOAD_TOO_LARGE: 'The request is too large.',
    RATE_LIMITED: 'Too many requests from your network. Try again in a minute.',
    OVERLOADED: 'The service is overloaded or restarting. Try again in a moment.',
    CHAIN_UNAVAILABLE: "The service can't read the chain, so it checked nothing. Try again in a moment.",
    CHAIN_DISAGREES: "The service's nodes disagree about the chain, so it checked nothing. Try again later.",
    STORAGE_UNAVAILABLE: "The service couldn't save this, so nothing happened. Try again in a moment.",
    INTERNAL: 'The service failed. Try again in a moment.',
    // Failures to reach the service.
    CONNECTION_FAILED: "The service can't be reached. Check your connection.",
    TIMEOUT: "The service didn't respond in time.",
    ABORTED: 'It was canceled.',
    INVALID_RESPONSE: "This page doesn't understand the response. It may be outdated: reload it.",
    STREAM_INTERRUPTED: 'The connection was lost before the auction closed.',
    INVALID_INPUT: "This page couldn't read the input.",
    // The app itself.
    WALLET_REJECTED: 'You declined in your wallet. Nothing was sent.',
    WALLET_ERROR: "Your wallet couldn't do this.",
    POSITION_NOT_REACHED: 'Your account has more positions than this page can search.',
    TRANSACTION_REPLACED: 'You canceled or replaced it in your wallet. Another transaction was sent instead.',
    ACCOUNT_BUSY: 'Another request of your account is in progress, perhaps in another tab. Finish it first.',
    PAGE_FILE_MISSING: "A file of this page couldn't be loaded. There may be a newer version.",
    UNKNOWN: 'Something unexpected went wrong.',
  } satisfies Record<Code | PageCode, string>,
}

/** Codes of the SDK, the wallet, the contract and the app. */
export type PageCode =
  | ClientCode
  | 'TAKER_MISMATCH'
  | 'NOTIONAL_ZERO'
  | 'WALLET_REJECTED'
  | 'WALLET_ERROR'
  | 'POSITION_NOT_REACHED'
  | 'TRANSACTION_REPLACED'
  | 'ACCOUNT_BUSY'
  | 'PAGE_FILE_MISSING'
  | 'UNKNOWN'
type ClientCode =
  | 'CONNECTION_FAILED'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'INVALID_RESPONSE'
  | 'STREAM_INTERRUPTED'
  | 'AUTH_FAILED'
  | 'INVALID_INPUT'

/** The texts of a catalogue. */
export type Texts = typeof en
