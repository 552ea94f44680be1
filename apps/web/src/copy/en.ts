// Why: docs/decisions/0055-typed-text-catalogue.md
import type { Code } from '@firmquote/core'
import type { ReactNode } from 'react'
import type { AmountProblem } from './parseAmount.ts'
import { rich } from './rich.ts'
import { spellEnglish } from './spellEnglish.ts'

// Everything that the page says, by view. What is inserted comes written already, as `Formats` writes it; where it is an
// element, the sentence is a `rich` one. Numbers of things choose between forms by the language's own plural rules.

const plurals = new Intl.PluralRules('en')
const many = (count: number, one: string, other: string) => `${count} ${plurals.select(count) === 'one' ? one : other}`
const offers = (count: number) => many(count, 'offer', 'offers')
const makers = (count: number) => many(count, 'maker', 'makers')

/** The page in English. */
export const en = {
  /** Words that several views share. */
  common: {
    details: 'Details',
    tryAgain: 'Try again',
    copy: {
      address: 'Copy the address',
      transaction: 'Copy the hash of the transaction',
      offer: 'Copy the hash of the offer',
      copied: 'Copied',
      failed: 'Not copied: select it instead',
    },
    apr: 'APR',
    apy: 'APY',
    waiting: '…',
    comesOnceAnswered: 'This comes as soon as the service answers.',
    fileOffline: 'You are offline. It loads as soon as this device has a network.',
    fileUnanswered: 'The service does not answer. It loads as soon as the service answers.',
    news: 'News',
    dismiss: 'Dismiss',
    loading: (what: string) => `Loading ${what}`,
    notLoaded: (what: string) => `Could not load ${what}`,
    notUpToDate: (why: string) => `Not up to date: ${why}`,
    request: (id: string) => `request ${id}`,
    askForOffers: 'Ask for offers',
    connectWallet: 'Connect a wallet',
    switchWallet: (chain: string, id: number) => `Switch your wallet to ${chain} (${id})`,
    notSwitched: 'The network was not switched',
    walletElsewhere: 'Your wallet is on another network',
    walletSilent: 'Your wallet has not answered for a minute. Open it, or try again.',
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
      markets: 'the markets',
      account: 'your account',
      debts: 'your debts',
      positions: 'your positions',
      position: 'the position',
      rates: 'fixed rates',
      history: 'the history of rates',
      auction: 'the auction',
      offer: 'the offer',
      offers: 'the offers',
      recentOffers: 'recent offers',
    },
    /** Headings and terms that mean the same wherever they stand. */
    names: {
      market: 'Market',
      until: 'Fixed until',
      maker: 'Maker',
      makers: 'Makers',
      fixedRate: 'Fixed rate',
      totalCost: 'Total cost',
      size: 'Size',
      offered: 'Offered',
      available: 'Available',
      action: 'Action',
      floatingToday: 'Floating today',
      validUntil: 'Valid until',
    },
  },

  /** Amounts that a person types. */
  amounts: {
    example: (plain: string, short: string) => `Such as ${plain} or ${short}.`,
    /** What was understood, as a sentence without its full stop: null for more than there are words for. */
    understood: (whole: string, fraction: string, symbol: string) => {
      const words = spellEnglish(whole, fraction)
      return words === null ? null : `${words[0]?.toUpperCase()}${words.slice(1)} ${symbol}`
    },
    /** What is wrong. `example` is an amount as the page writes it. */
    refused: (refusal: AmountProblem, example: string): string => {
      switch (refusal.problem) {
        case 'empty':
          return 'Enter an amount.'
        case 'tooLong':
          return 'That is too long for an amount.'
        case 'signed':
          return 'Write the amount without a plus or minus sign.'
        case 'exponent':
          return 'Write the amount out, without an exponent.'
        case 'digits':
          return 'Write the amount with the digits 0 to 9 alone.'
        case 'ambiguous':
          return `Did you mean ${refusal.readings[0]} or ${refusal.readings[1]}?`
        case 'signs':
          return `Did you mean ${refusal.reading}?`
        case 'zeros':
          return 'Write the amount without zeros in front.'
        case 'unreadable':
          return `Write the amount like ${example}.`
        case 'tooFine':
          return `This token has no more than ${many(refusal.decimals, 'digit', 'digits')} after the decimal sign.`
        case 'tooLarge':
          return 'No token has that many units.'
      }
    },
    zero: 'The amount must be above zero.',
    /** Replaces what was typed by one of its readings. */
    use: (amount: string) => `Use ${amount}`,
  },

  /** The frame around every view. */
  app: {
    name: 'Firmquote',
    title: (page: string) => `${page} · Firmquote`,
    skip: 'Skip to content',
    foot: 'Firmquote finds and checks offers. It never holds funds, and it cannot move any.',
    api: 'API',
    licences: 'Licences',
    about: 'About',
    contracts: 'Contracts',
    navigation: 'Pages',
    menu: 'Menu',
    pages: {
      borrow: 'Borrow',
      markets: 'Markets',
      curve: 'Yield curve',
      auction: 'Auction',
      history: 'History',
      positions: 'Positions',
      how: 'How it works',
    },
    states: {
      ok: 'The service works',
      bad: 'The service has a problem',
      unknown: 'The state of the service is not known',
    },
    lightTheme: 'Light theme',
    darkTheme: 'Dark theme',
    failed: 'This part of the page has failed',
    reload: 'Load the page again',
    noPage: 'There is no such page',
    toStart: 'Back to the start',
  },

  /** What is wrong with the whole of the page. */
  trouble: {
    titles: {
      offline: 'You are offline',
      unanswered: 'The service does not answer',
      oldPage: 'There is a newer version of this page',
      database: 'The service is down',
      chain: 'The service cannot read the chain',
      clock: 'The clock of the service is slow',
      behind: 'The service is behind the chain',
      noMakers: 'No maker is connected',
    },
    over: 'The service answers again.',
    offline: 'The page goes on by itself once this device has a network.',
    unanswered: 'The page asks again every few seconds.',
    age: (age: string) => `What you see is ${age} old or older.`,
    oldPage: 'What you see may be wrong until it is loaded.',
    load: 'Load it',
    database: 'Its database does not answer.',
    chain: 'It refuses offers until it can.',
    clock: 'It is behind the chain: offers may have run out that look as if they could be taken.',
    behind: (lag: string) => `What you see may be ${lag} old.`,
    behindUnknown: 'What you see may be old.',
    noMakers: 'An auction would stay empty.',
  },

  wallet: {
    connect: 'Connect wallet',
    wrongNetwork: 'Wrong network',
    switchTo: (chain: string) => `Switch to ${chain}`,
    disconnect: 'Disconnect',
    choose: 'Connect a wallet',
    install: 'Install a browser wallet',
    none: (install: ReactNode) =>
      rich`No wallet was found in this browser. ${install} and load the page again, or open this page in the browser of your wallet app.`,
    openInApp: 'This browser has no wallet. Open this page in your wallet app:',
    copyPage: 'Copy address',
    /** What a wallet app shows of the page that asks it. */
    page: 'Fixed rates for variable-rate debt',
    scan: 'Scan this with your wallet app, or open it in one on this device.',
    code: 'Code to scan with a wallet app',
    openCode: 'Open in a wallet app',
    copyCode: 'Copy the code',
    cancel: 'Cancel',
    /** As their makers call them. */
    names: {
      walletConnect: 'WalletConnect',
      coinbaseWallet: 'Coinbase Wallet',
      metaMask: 'MetaMask',
      rainbow: 'Rainbow',
      trustWallet: 'Trust Wallet',
    },
    unnamed: 'A wallet without a name',
  },

  /** Why a wallet has read or sent nothing, other than that its owner has declined. */
  walletErrors: {
    noFee: 'Your account has too little of the coin in which the network takes its fee.',
    busy: 'Your wallet has another request open. Answer that one first.',
    locked: 'Your wallet is locked, or no longer connected to this page. Unlock it, and try again.',
    offline: 'Your wallet has lost its connection to the network. Try again once it is back.',
    limited: "Your wallet's node accepts no more requests for now. Try again in a minute, or choose another node.",
    unreachable: "Your wallet's node cannot be reached. Check your connection, or choose another node in your wallet.",
    failed: "Your wallet's node has answered with an error. Try again, or choose another node in your wallet.",
  },

  /** What fixing comes to and what to know before: the same words wherever it is offered. */
  fixing: {
    cost: (cost: ReactNode, time: string) => rich`${cost} once, for ${time}`,
    estimatedCost: (cost: ReactNode, time: string) => rich`About ${cost} once, for ${time}`,
    breakEven: (rate: string, day: string, floating: string) =>
      `Pays off if floating averages above ${rate} APY until ${day}. Today it is ${floating} APY.`,
    neverEven: 'Pays off at no floating rate: you are paid back at most the amount that you fix.',
    sameAsFloating: 'At the end of the term, that is what floating costs if it stays where it is.',
    moreThanFloating: (amount: ReactNode) =>
      rich`At the end of the term, that is ${amount} more than floating costs if it stays where it is.`,
    lessThanFloating: (amount: ReactNode) =>
      rich`At the end of the term, that is ${amount} less than floating costs if it stays where it is.`,
    /** Warnings that the connected account cannot pay the cost or the fee. */
    funds: {
      tooLittle: (amount: ReactNode) =>
        rich`You hold ${amount}, which is less than fixing may cost. Fix a smaller amount or a shorter term, or get more before you take an offer.`,
      noFee: (coin: string) =>
        `Your account may have too little ${coin} for the network's fee. Get some before you take an offer.`,
    },
    know: {
      title: 'What you should know',
      now: (cost: ReactNode) => rich`You pay ${cost} now. It is not paid back.`,
      estimatedNow: (cost: ReactNode) => rich`You pay the cost now, about ${cost}. It is not paid back.`,
      meanwhile:
        'Your debt goes on at the floating rate, and your loan can still be liquidated. Nothing is paid to you before the end.',
      afterwards: (day: string, amount: ReactNode) =>
        rich`After ${day} you are paid the floating interest on ${amount}, at most that amount.`,
      contracts: 'The contracts are a reference. They have not been audited.',
      more: 'How it works',
    },
  },

  home: {
    title: 'Fix the rate of your loan',
    lead: 'Know today what your loan will cost. You pay once; after the term you are paid the floating interest that it has run up. The loan stays where it is.',
    ratesMissing: 'Not all fixed rates could be loaded',
    noMarkets: 'There is no market yet',
    noMarketsWhy: 'Rates can be fixed here as soon as one has been created.',
    noTerms: 'All terms of this market have ended',
    noTermsWhy: 'A rate can be fixed here as soon as there is a new one.',
    calculator: {
      title: 'What fixing costs',
      again: 'What any amount costs',
      amount: 'Amount to fix',
      ask: 'Ask for firm offers',
      limit: (amount: ReactNode) => rich`Your limit: ${amount}. Makers that want more are left out.`,
      asking: (time: string) => `Makers have ${time} to answer. Asking costs nothing and binds you to nothing.`,
    },
    terms: {
      title: 'Fixed until',
      about: (figure: ReactNode) => rich`about ${figure}`,
      noRate: 'no rate yet',
      notKnown: 'not known',
      most: (amount: ReactNode, day: string) =>
        rich`Only ${amount} can still be fixed until ${day}. That is what this price is for.`,
      full: (day: string) => `Nothing more can be fixed until ${day}. Choose another term.`,
      least: (amount: ReactNode, day: string) => rich`At least ${amount} must be fixed until ${day}.`,
    },
    price: {
      payNow: 'You pay now',
      payNowAbout: 'You pay now, about',
      paysFor: (size: ReactNode, day: string) => rich`once, for ${size} until ${day}`,
      fixedAt: 'Then fixed at',
      fixedAtAbout: 'Then fixed at about',
      floating: (rate: ReactNode) => rich`instead of ${rate} today, which floats`,
      noAmount: 'Enter an amount to see what fixing it costs',
      none: 'No rate is known for this term',
      noneWhy: 'No maker has named a price for it lately. Ask for one: they answer within seconds.',
      notKnown: 'The rate is not known at the moment',
      firm: (size: ReactNode) => rich`A firm offer for exactly ${size}.`,
      review: 'Review it',
      estimate: (size: ReactNode, basis: ReactNode) =>
        rich`An estimate for ${size}, ${basis}. Makers may offer more or less.`,
      fromOffer: (size: ReactNode) => rich`from an offer for ${size}`,
      fromAuction: (size: ReactNode, when: ReactNode) => rich`from an auction for ${size}, ${when}`,
    },
    chart: {
      title: (time: string) => `The floating rate, the last ${time}`,
      year: '12 months',
      picture: 'The floating rate over time, with the fixed rate across it',
      floating: 'floating',
      fixed: 'fixed',
      fixedAbout: 'fixed, about',
      day: 'Day',
      notKnown: 'not known',
      none: 'The service does not know yet how the rate of this market has floated.',
    },
    steps: {
      title: 'In three steps',
      list: (time: string) => [
        {
          name: 'Ask',
          what: `You say what to fix and until when. Makers are traders who take over your floating interest for a price; they have ${time} to send you firm offers.`,
        },
        {
          name: 'Take the best offer',
          what: 'You pay its cost once, on-chain. Your debt goes on at the floating rate, and your loan can still be liquidated.',
        },
        {
          name: 'Be paid',
          what: 'After the last day of the term you are paid the floating interest on the amount that you fixed, at most that amount.',
        },
      ],
      more: 'How it works, and what can go wrong',
    },
    grid: {
      title: 'All terms',
      lead: 'What each term costs at the amount above, and its difference from floating at the end of the term. What is marked "about" is an estimate; an auction gives the firm rate.',
      market: (size: ReactNode, rate: ReactNode) => rich`for ${size}; floating at ${rate} today`,
      caption: (market: string) => `Terms of ${market}, with what they cost`,
      against: 'Against floating',
      more: (amount: ReactNode) => rich`${amount} more`,
      less: (amount: ReactNode) => rich`${amount} less`,
      same: 'the same',
      forSize: (size: ReactNode) => rich`for ${size}`,
      askFor: (market: string, day: string) => `Ask for offers: ${market} until ${day}`,
      noRates: 'No rate is known yet for these terms; makers can be asked for one:',
    },
    loans: {
      none: 'This account owes nothing that could be fixed here',
      offeredFor: (markets: string) => `Fixed rates are offered for debts on ${markets}.`,
      owe: (amount: ReactNode, protocol: string) => rich`You owe ${amount} on ${protocol}, with interest until now.`,
      oweNothing: 'You owe nothing here.',
      change: (floating: ReactNode, fixed: ReactNode) => rich`${floating} floating → ${fixed} fixed`,
      changeAbout: (floating: ReactNode, fixed: ReactNode) => rich`${floating} floating → about ${fixed} fixed`,
      more: (amount: ReactNode, time: string) => rich`+${amount} against floating, for ${time}`,
      less: (amount: ReactNode, time: string) => rich`−${amount} against floating, for ${time}`,
      same: (time: string) => `No difference for ${time}`,
      floatsAt: (rate: ReactNode) => rich`${rate} floating`,
      fullyFixed: 'Fully fixed',
      fullyFixedWhy: (fixed: ReactNode) => rich`${fixed} of this debt is fixed: all of it, with the interest so far.`,
      partFixed: (fixed: ReactNode, rest: ReactNode) => rich`${fixed} fixed, ${rest} still floating`,
      noneFixed: (rest: ReactNode) => rich`${rest}, all of it floating`,
      overfixed: 'More is fixed than you owe',
      overfixedWhy: (amount: ReactNode) =>
        rich`${amount} more than the debt. Nothing floats against it: it is a bet that the floating rate rises.`,
      otherTerms: 'Another amount or a limit',
      otherFirm: (rate: ReactNode, size: ReactNode) => rich`There is a firm offer at ${rate} for ${size}.`,
      health: (price: ReactNode, collateral: string, now: ReactNode, health: string) =>
        rich`Liquidated below ${price} per ${collateral} (now ${now}), health ${health}.`,
      healthClose: 'Close to liquidation.',
      liquidatable: 'This loan can be liquidated now',
      unhealthy: (health: string) => `Its health is ${health}; below 1 anybody may liquidate it.`,
      healthUnknown: 'How close this loan is to liquidation is not known here. Look where you borrowed.',
      healthStays: 'Fixing the rate does not change that.',
    },
  },

  markets: {
    title: 'Markets',
    lead: 'A firm offer can be taken, whole, for its size. What was seen in auctions shows what to expect.',
    ratesMissing: 'Not all fixed rates could be loaded',
    none: 'There is no market yet',
    noneWhy: 'A market shows here as soon as one has been created.',
    firm: 'Best firm offer',
    seen: 'Seen in auctions',
    askFor: (market: string, day: string) => `Ask for offers: ${market} until ${day}`,
    curve: 'Yield curve',
    curveOf: (market: string) => `Yield curve: ${market}`,
    recent: 'Recent offers',
    recentOf: (market: string) => `Recent offers: ${market}`,
    floating: (apr: ReactNode, apy: ReactNode) => rich`Floating today: ${apr}, which is ${apy}.`,
    noTerms: 'No term can be chosen',
    noTermsWhy: 'All terms of this market have ended.',
    caption: (market: string) => `Terms of ${market}, with their fixed rates`,
    forSize: (size: ReactNode) => rich`for ${size}`,
    forSizeSeen: (size: ReactNode, seen: ReactNode) => rich`for ${size}, ${seen}`,
    noOffer: 'none',
    notKnown: 'not known',
  },

  /** A position in a list; `enPositions` has what its own page says. */
  positions: {
    title: 'Your fixed positions',
    none: 'No fixed position yet',
    noneWhy: 'Once you have taken an offer, it stands here until it has matured and is paid out.',
    all: 'All positions',
    asMaker: 'as its maker',
    paid: 'Paid',
    earns: 'Earns',
    /** What a position comes to: before its term ends, after, and once it is settled. */
    payout: {
      borrower: { soFar: 'Accrued so far', due: 'To be paid to you', paid: 'Payout' },
      maker: { soFar: 'Worth so far', due: 'To be paid to you', paid: 'Payout' },
    },
    unknown: 'not known',
    more: {
      borrower: (amount: ReactNode) => rich`${amount} more than you paid, without interest on the cost`,
      maker: (amount: ReactNode) => rich`${amount} more than you put in`,
    },
    less: {
      borrower: (amount: ReactNode) => rich`${amount} less than you paid, without interest on the cost`,
      maker: (amount: ReactNode) => rich`${amount} less than you put in`,
    },
  },

  curve: {
    title: 'Yield curve',
    lead: 'What fixing costs for each term, beside the floating rate that it replaces.',
    noMarkets: 'There are no markets yet',
    noMarketsWhy: 'As soon as the chain has one, its curve stands here.',
    unknownMarket: 'There is no such market here',
    unknownMarketWhy: 'The address names a market that this service does not know. What you see is another one.',
    ratesFor: (amount: string) => `Fixed rates for ${amount}`,
    noRate: 'no rate known',
    aboutRate: (rate: string) => `about ${rate}`,
    seenNotLoaded: 'Could not load what auctions have seen',
    more: (count: string) => `There are more offers than the best ${count} that were read.`,
    controls: {
      amount: (symbol: string) => `Amount to fix, ${symbol}`,
      common: 'Common amounts',
      unfixed: 'Not fixed yet',
      show: 'Show',
      all: 'With estimates',
      firmOnly: 'Firm only',
      term: 'Term',
    },
    noOffers: {
      firm: (amount: string) => `No firm offer for ${amount}`,
      any: (amount: string) => `No offer for ${amount}`,
      why: 'Nobody stands ready for this amount right now. In an auction every connected maker is asked for it.',
      sizes: 'There are firm offers for:',
      overTime: 'The floating rate, and the median of what was fixed each day',
    },
    legend: {
      firm: 'Firm',
      firmIs: 'signed for exactly this amount, can be taken',
      estimate: 'Estimate',
      estimateIs: 'the rate of what was offered for another amount, the nearest known',
      floatingIs: (rate: ReactNode, cost: ReactNode) => rich`${rate}, ${cost} a year if it stays`,
    },
    plot: {
      title: 'Fixed rate by term',
      term: 'Term',
      description: (points: string, floating: string) =>
        `${points} Floating today: ${floating} APY. The table below holds the same figures.`,
      noFirm: 'No firm offer.',
      noEstimate: 'No estimate.',
      firm: (count: number, low: string, high: string) => `${count} firm, from ${low} to ${high} APY.`,
      estimates: (count: number, low: string, high: string) =>
        `${many(count, 'estimate', 'estimates')}, from ${low} to ${high} APY.`,
      scale: 'Time runs on a square-root scale, so that short terms do not crowd.',
      broken: (rate: string) => `Rates begin at ${rate}, not at zero.`,
      beyond: 'An arrow marks a rate above the plot.',
      axis: 'Fixed APY',
      today: 'today',
      floating: 'floating today',
      floatingRate: (rate: string) => `floating today ${rate} APY`,
    },
    /** A point in one sentence. */
    reading: {
      firm: (day: string, rate: string, cost: string, against: string) =>
        `${day}: ${rate} APY firm, ${cost}; ${against} if it stays.`,
      estimate: (day: string, rate: string, cost: string, against: string) =>
        `${day}: about ${rate} APY, about ${cost}; ${against} if it stays.`,
      more: (amount: string) => `${amount} more than floating`,
      less: (amount: string) => `${amount} less than floating`,
      same: 'the same as floating',
    },
    term: {
      until: (day: string) => `Fixed until ${day}`,
      untilAbout: (day: string) => `Fixed until ${day}, at about`,
      firmFor: (amount: ReactNode) => rich`Firm for ${amount}`,
      seenFor: (amount: ReactNode, when: ReactNode) => rich`An estimate: an auction saw it for ${amount} ${when}.`,
      offeredFor: (amount: ReactNode) => rich`An estimate: a maker offers it for ${amount}.`,
      review: 'Review this offer',
      overTime: (day: string) => `Until ${day}: fixed and floating over time`,
    },
    table: {
      title: 'All terms as a table',
      caption: 'The points of the plot: fixed rate, cost and comparison for each term',
      firm: 'firm',
      estimate: 'estimate',
      about: (amount: ReactNode) => rich`about ${amount}`,
      floating: (amount: string) => `floating ${amount}, at the end`,
      against: 'Against floating',
      more: (amount: ReactNode) => rich`${amount} more`,
      less: (amount: ReactNode) => rich`${amount} less`,
      same: 'the same',
      from: 'Source',
      published: 'offer',
      source: {
        offer: (amount: ReactNode) => rich`offer for ${amount}`,
        auction: (amount: ReactNode) => rich`auction for ${amount}`,
      },
      review: 'Review',
      reviewOf: (day: string) => `Review offer of ${day}`,
      askOf: (day: string) => `Ask for offers of ${day}`,
    },
  },

  auction: {
    title: 'Ask for a fixed rate',
    /** The one place that says who makers are. */
    lead: 'Makers are traders who take over your floating interest until a day that you choose, for a price that is paid once. They answer with firm offers. You take one afterwards, or none.',
    noMarkets: 'There is no market yet',
    noMarketsWhy: 'Rates can be fixed as soon as the service knows a market.',
    notStarted: 'The makers could not be asked',
    form: {
      chooseMarket: 'Choose a market',
      floating: (rate: ReactNode) => rich`Floating today: ${rate}.`,
      term: 'Fixed until',
      termDetail: (time: string, rate: ReactNode) => rich`${time}, ${rate}`,
      termAbout: (rate: string) => `about ${rate}`,
      termLimited: (time: string, available: string) => `${time}, ${available} available`,
      termRates: (amount: string) =>
        `For ${amount}. "About" marks an estimate from what was offered lately: what you are offered may differ.`,
      termNoAmount: 'With an amount, each term shows its rate.',
      termNoRates: (amount: string) => `No rate is known for ${amount}.`,
      termRatesMissing: 'What was offered lately could not be loaded, so no rate is shown.',
      amount: 'Amount to fix',
      amountMissing: (example: string, short: string) =>
        `Say how much of the debt to fix, like ${example} or ${short}.`,
      noDebt: 'The connected account owes nothing here.',
      unfixed: (amount: ReactNode) => rich`Still unfixed: ${amount}`,
      allFixed: (owed: ReactNode) => rich`Fully fixed: all of the ${owed} that you owe here.`,
      useRest: 'Use the rest',
      useAvailable: 'Use what is available',
      overfixed: (amount: ReactNode) =>
        rich`More than is still unfixed: ${amount} too much. That part would be a bet on the floating rate.`,
      limit: 'Most that you would pay',
      limitNote: (rate: string) => `up to ${rate} APY`,
      limitCost: 'Maximum total cost',
      limitHint: 'Makers who want more cannot answer.',
      limitDefault: (rate: string, points: string) =>
        `Makers who want more cannot answer. Empty: you take nothing above ${rate} APY, ${points} points above floating.`,
      limitUnderstood: (amount: string) => `${amount}.`,
      limitRate: (amount: string, rate: string) => `${amount}: not more than ${rate} APY.`,
      limitZero: 'Nobody fixes a rate for nothing. Leave this empty for the limit that this page sets.',
      limitLow: (rate: string) =>
        `Your limit of ${rate} APY is below the best rate known. Perhaps no maker will make an offer.`,
      opening: 'Asking …',
      start: (time: string) => `Ask makers for ${time}`,
      free: 'Asking costs nothing and signs nothing.',
      forYou: (account: ReactNode) => rich`Offers will be signed for ${account} alone: nobody else can take them.`,
      forAnyone:
        'No wallet is connected, so offers will be signed for anyone. Connect one to have them for yourself alone.',
      marketMissing: 'Choose a market.',
      termMissing: 'Choose a term.',
      termEnded: 'This term has ended. Choose a later one.',
      tooMuch: (amount: string) => `No more than ${amount} is available in this term.`,
    },
    estimate: {
      title: 'What to expect',
      noAmount: 'Enter an amount to see what fixing it costs.',
      none: 'No offer for this term is known, so there is no estimate. The makers will tell.',
      hold: (amount: ReactNode) => rich`You hold ${amount}.`,
      holdNotRead: 'What you hold could not be read.',
      holdElsewhere: "Switch your wallet's network to see whether you hold enough.",
    },
    proof: {
      title: 'Prove that the account is yours (optional)',
      proven: (until: string) => `Your account is proven to makers until ${until}.`,
      why: 'One signature proves for a day that this account asks. Makers then see that it owes what it wants to fix, and keep more of their money for it. It moves nothing, allows nothing and costs nothing.',
      prove: 'Prove that the account is yours',
      failed: 'The account was not proven',
    },
    recent: {
      title: 'Your last auctions',
      lead: 'Of this browser tab; it forgets them when it is closed.',
    },
    auction: 'Auction',
    notFound: 'This auction cannot be found',
    askAgain: 'Ask again',
    marketGone: "This auction's market is not listed any more",
    underWay: 'Makers are answering',
    closed: 'Auction closed',
    fix: (amount: ReactNode, day: string) => rich`Fix ${amount} until ${day}`,
    asked: {
      title: 'What was asked',
      makers: 'Asked',
      limitIs: (rate: string) => `${rate} APY`,
      limitByPage: (rate: string) => `${rate} APY, set by this page`,
      limitEnded: 'set by this page',
      offersFor: 'Offers for',
      anyone: 'anyone',
      accountAlone: 'this account alone',
    },
    tabOpen: (left: string) => `${left} · Auction`,
    tabBest: (rate: string) => `${rate} APY · Auction`,
    tabNone: 'No offer · Auction',
    timeLeft: 'Time left',
    seconds: (left: number) => (plurals.select(left) === 'one' ? 'second' : 'seconds'),
    closing: 'closing',
    said: {
      started: (asked: number, seconds: number) =>
        `The auction has started. ${makers(asked)} ${plurals.select(asked) === 'one' ? 'has' : 'have'} ${many(seconds, 'second', 'seconds')} to answer.`,
      best: (rate: string, cost: string) => `The best offer so far: ${rate} APY fixed, for ${cost}.`,
      closedEmpty: 'The auction has closed. No maker has made an offer.',
      closedNone: 'The auction has closed. None of the offers can be taken.',
      closed: (count: number, rate: string, cost: string) =>
        `The auction has closed. ${offers(count)}; the best is ${rate} APY fixed, for ${cost}.`,
    },
    live: {
      best: 'Best offer so far',
      none: 'Waiting for the first offer',
      noneWhy: 'Each maker may answer once.',
      noMakers: 'No maker is connected, so nobody can answer. Ask again in a while.',
      price: (cost: ReactNode, size: ReactNode) => rich`${cost} once, for ${size}`,
      first: (rate: string) => `The first offer was ${rate} APY.`,
      slots: 'Makers that were asked',
      answered: 'answered:',
      bestMark: 'best',
      cannot: 'cannot be taken',
      waiting: 'waiting',
      more: (count: number) => `${count} more asked`,
      progress: (count: number, expected: number) =>
        count < expected
          ? `${count} of ${expected} ${plurals.select(expected) === 'one' ? 'has' : 'have'} answered.`
          : plurals.select(expected) === 'one'
            ? 'The one maker expected to answer has answered.'
            : `All ${expected} have answered.`,
      tell: 'Tell me when it closes',
      willTell: 'Your browser will tell you when it closes, as long as this page stays open.',
      tellRefused: "Your browser does not let this page tell you. You can change that in the browser's settings.",
      tellMissing: 'This browser cannot tell you.',
      news: 'Your auction has closed',
      see: 'See the offers',
    },
    offers: {
      best: 'Best offer',
      holdsFor: (amount: ReactNode, day: string) => rich`for ${amount} until ${day}`,
      several: (count: number) => `${offers(count)} together fix all of it. You take them together.`,
      severalPart: (count: number, part: ReactNode, all: ReactNode) =>
        rich`${offers(count)} together fix ${part} of ${all}. You take them together; the rest stays floating.`,
      part: (part: ReactNode, all: ReactNode) => rich`This fixes ${part} of ${all}; the rest stays floating.`,
      validFor: (left: string, time: string) => `Can be taken for another ${left}, until ${time}.`,
      review: 'Review and take',
      reviewOther: 'Review',
      checking: 'Checking on the chain whether it can be taken …',
      notChecked: 'Whether it can be taken is not known now.',
      chainSilent: 'The chain cannot be read',
      chainSilentWhy: 'Until the chain can be read, nobody knows what can be taken.',
      byService: 'Checked by the service when it came in. Connect a wallet to check it again and to take it.',
      byServiceElsewhere:
        "Checked by the service when it came in. Switch your wallet's network to check it again and to take it.",
      others: (count: number) => many(count, 'other offer', 'other offers'),
      caption: 'Other offers, best first',
      fixes: (part: ReactNode) => rich`fixes ${part}`,
      cannot: (count: number) => `${offers(count)} that cannot be taken`,
      change: 'Change the terms',
      askRest: 'Ask for the rest',
      late: 'The service was down when this auction was to close. It closed later, with the offers that it had accepted.',
      refused: (count: number) => `${many(count, 'answer was', 'answers were')} refused by the service's checks.`,
      seePositions: 'See your positions',
      /** Without an offer to take: what has happened, and what to do. */
      none: {
        silent: 'No maker has made an offer',
        refused: 'None of the answers was an offer that can be taken',
        noMakers: 'No maker was connected',
        expired: 'The offers have expired',
        cannot: 'None of the offers can be taken',
        rest: 'None of the other offers can be taken now',
        fixed: 'All of it is fixed',
      },
      tryLater: 'Ask again in a while.',
      tryOther: 'Try another term or a smaller amount.',
      tryOtherLimit: 'Try another term, a smaller amount, or a higher limit.',
      shortLived: 'Firm offers live for minutes. Ask again to get new ones.',
      whyBelow: 'The reasons stand below. Ask again to get new offers.',
      restFloats: 'The rest is still floating. Ask again to fix it as well.',
      fixed: (part: ReactNode, all: ReactNode, takes: number, cost: ReactNode) =>
        rich`Fixed: ${part} of ${all} in ${many(takes, 'take', 'takes')} for ${cost}.`,
      fixedAt: (part: ReactNode, all: ReactNode, takes: number, rate: ReactNode, cost: ReactNode) =>
        rich`Fixed: ${part} of ${all} in ${many(takes, 'take', 'takes')}, at ${rate} for ${cost}.`,
    },
  },

  history: {
    title: 'History',
    lead: 'What floating and fixed rates have been, and what makers charged for each.',
    /** What rates have been, as a chart. */
    overTime: {
      title: 'Rates over time',
      lead: (market: string) => `${market}: the floating rate, and the median of what was fixed on-chain each day.`,
      picture: 'The floating rate over time, and the median of what was fixed each day',
      floating: 'floating',
      fixed: 'fixed',
      legend: 'Fixed on-chain: median of the day. If nothing was fixed, the best offer that stood for a minute.',
      offered: (size: string) => `${size} offered, nothing fixed`,
      fills: (sum: string, count: number) => `${sum} in ${many(count, 'fill', 'fills')}`,
      day: 'Day',
      notKnown: 'not known',
      none: 'The rates of this time are not known yet. The service keeps them from its first day on, and reads what its node still knows.',
      noneFixed: 'Nothing was fixed on-chain in this time.',
    },
    range: 'Time',
    ranges: { 7: '7 days', 30: '30 days', 91: '3 months', 365: '1 year' },
    recent: 'Offers that auctions saw',
    recentLead:
      'The newest hundred at most. Each belongs to the borrower who asked for it and cannot be taken from here. Rates and costs are those of the time at which it was seen.',
    none: 'No auction has seen an offer yet',
    noneWhy: 'An auction binds you to nothing. What makers offer in it stands here afterwards.',
    run: 'Run an auction',
    reset: 'Reset filters',
    noMatch: 'Nothing that was seen lately matches these filters',
    showAll: 'Show all',
    saidMatches: (count: number) => `${many(count, 'offer matches', 'offers match')}.`,
    filters: 'Filters',
    all: 'All',
    onlyTakeable: 'Only those that still hold',
    onlyMine: 'Only for my account',
    mineWhy:
      'Offers that were signed for the connected account alone. Whose auction the others came from is not public.',
    mineUnknown: (count: number) => `For ${offers(count)} it could not be loaded whom they were signed for.`,
    mineLooked: (looked: number, all: number) => `The newest ${looked} of ${offers(all)} were looked through.`,
    lookFurther: 'Look through older ones',
    noMine: 'None of these offers was signed for your account',
    caption: 'Offers that auctions have seen lately',
    seen: 'Seen',
    state: 'Now',
    until: (day: string) => `until ${day}`,
    costFor: (size: ReactNode) => rich`for ${size}`,
    onlyMaker: ': show only this maker',
    counted: (shown: number, all: number) => `${shown} of ${offers(all)}, newest first`,
    more: 'Show more',
    holds: 'Still holds.',
  },

  /** How views begin whose other texts come with them. */
  openings: {
    how: {
      title: 'How it works',
      lead: 'You pay a cost today. When the term ends, you are paid the floating interest that your debt has run up on the amount that you fixed. The two together make a fixed rate.',
    },
    positions: {
      title: 'Your positions',
      lead: 'What you have fixed: what can be paid out, what still runs, and what was paid.',
    },
  },

  /** With the facts, where a refusal has them. */
  refusals: {
    capacity: (amount: string) => `Only ${amount} is available in this term.`,
    balance: (amount: string) => `Its maker holds ${amount} only.`,
    allowance: (amount: string) => `Its maker lets the market use ${amount} only.`,
    otherTaker: (account: string) => `It was signed for ${account} alone, which is not the connected account.`,
    other: 'The market refuses it.',
  },

  /** One sentence for each code of the service, the market and the page's own errors. */
  codes: {
    // An offer that cannot be taken.
    DEADLINE_PASSED: 'It has expired.',
    DEADLINE_TOO_SOON: 'It expires too soon for a transaction to arrive in time.',
    DEADLINE_TOO_FAR: 'It is valid for longer than the service allows.',
    NONCE_MISMATCH: 'Its maker has withdrawn it, with all of its offers of that time.',
    QUOTE_CANCELLED: 'Its maker has cancelled it.',
    QUOTE_FILLED: 'It has been taken.',
    SERIES_EXPIRED: 'The term has ended.',
    SERIES_NOT_FOUND: 'There is no such term.',
    POOL_NOT_FOUND: 'There is no such market.',
    CAPACITY_EXCEEDED: 'Less than that is available in this term.',
    INSUFFICIENT_BALANCE: 'Its maker has too little money for it.',
    INSUFFICIENT_ALLOWANCE: 'Its maker no longer allows enough money to be used.',
    TERMS_MISMATCH: 'It differs from what you asked for.',
    TAKER_MISMATCH: 'It was signed for another account.',
    MAKER_MISMATCH: 'It does not come from its maker.',
    NOTIONAL_ZERO: 'It is for nothing.',
    NOTIONAL_TOO_SMALL: 'It is for less than the least amount.',
    NOTIONAL_TOO_LARGE: 'It is for more than is left to fix.',
    VRT_AMOUNT_TOO_LARGE: 'It costs more than your limit.',
    BAD_SIGNATURE: "The signature is not its maker's.",
    NOT_EXECUTABLE: 'The market would not carry it out.',
    QUOTE_PRIVATE: 'It belongs to the borrower of another auction.',
    MAKER_SUSPENDED: "Its maker's contract does not answer.",
    ALREADY_QUOTED: 'This maker has answered already.',
    // What the service answers to a request.
    INVALID_REQUEST: 'The service could not read the request.',
    RFQ_NOT_FOUND: 'The service knows no such auction.',
    QUOTE_NOT_FOUND: 'The service knows no such offer.',
    NOT_FOUND: 'The service knows no such thing.',
    AUCTION_CLOSED: 'The auction has closed.',
    OUTCOME_UNKNOWN: 'Whether it was kept is not known yet. Try again in a moment.',
    TAKER_PROOF_INVALID:
      'The service does not take the proof of your account. Ask again without it, or prove it again.',
    UNAUTHENTICATED: 'The service does not know who asks.',
    AUTH_FAILED: 'The service does not know who asks.',
    IDEMPOTENCY_KEY_REUSED: 'This was asked before, in other words. Ask again.',
    TOO_MANY_OPEN: 'Too many auctions are open already. Wait until one has closed.',
    METHOD_NOT_ALLOWED: 'The service does not do that.',
    UNSUPPORTED_MEDIA_TYPE: 'The service could not read the request.',
    PAYLOAD_TOO_LARGE: 'The request is too large for the service.',
    RATE_LIMITED: 'Too much was asked from your network in the last minute. Try again in a moment.',
    OVERLOADED: 'The service is at its limit or restarting. Try again in a moment.',
    CHAIN_UNAVAILABLE: 'The chain could not be read, so nothing could be checked. Try again in a moment.',
    STORAGE_UNAVAILABLE: 'The service could not keep it, so nothing has happened. Try again in a moment.',
    INTERNAL: 'The service has made a mistake.',
    // On the way to it.
    CONNECTION_FAILED: 'The service cannot be reached. Check your connection.',
    TIMEOUT: 'The service did not answer in time.',
    ABORTED: 'It was given up.',
    INVALID_RESPONSE: 'What the service answered makes no sense. The page may be out of date: load it again.',
    STREAM_INTERRUPTED: 'The connection broke before the auction had closed.',
    INVALID_INPUT: 'The page could not make sense of this.',
    // The page itself.
    WALLET_REJECTED: 'You have declined in your wallet. Nothing was sent.',
    WALLET_ERROR: 'Your wallet could not do it.',
    POSITION_NOT_REACHED: 'Your account has more positions than the page looks through for one.',
    TRANSACTION_REPLACED: 'You have cancelled or replaced it in your wallet: another transaction went in its place.',
    ACCOUNT_BUSY: 'Another request of your account is running, perhaps in another tab. Finish it, then try again.',
    PAGE_FILE_MISSING: 'A file of this page could not be loaded. There may be a newer version of the page.',
    UNKNOWN: 'Something went wrong that the page does not know.',
  } satisfies Record<Code | PageCode, string>,
}

/** Codes of errors beside the service's own: the SDK's, the wallet's, the market contract's and the page's. */
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

/** What every language has to say. */
export type Texts = typeof en
