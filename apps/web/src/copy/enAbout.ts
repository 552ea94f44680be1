import type { ReactNode } from 'react'
import { rich } from './rich.ts'

const plurals = new Intl.PluralRules('en')
const many = (count: number, one: string, other: string) => `${count} ${plurals.select(count) === 'one' ? one : other}`

/** The texts of the contracts, the status, a market maker's page and an unknown page in English. */
export const enAbout = {
  contracts: {
    onChain: (chain: string, id: number) => `On ${chain} (chain ${id}).`,
    onDevnet: (chain: string, id: number) => `On a local devnet that mimics ${chain} (chain ${id}).`,
    address: 'Address',
    owner: 'Owner',
    source: 'Source code',
    audits: 'Audits',
    noOwner: 'No owner: nobody can change it.',
    ownerPowers: "Can add markets and terms. Can't move money or change open positions.",
    ownerUnread: "Connect a wallet to read the owner's address from the chain.",
    ownerFailed: "The owner couldn't be read.",
    code: 'Code on the block explorer',
    noAudits: 'None yet.',
    morphoAudits: 'By Morpho, in its repository',
    names: {
      quoteMarket: {
        name: 'QuoteMarket',
        purpose: "Checks a maker's signature and takes its quote. Your approvals are for this contract.",
      },
      interestRatePool: {
        name: 'InterestRatePool',
        purpose: 'Holds every position and the money locked for it until it is settled.',
      },
      bundler3: { name: 'Bundler3', purpose: "Morpho's contract that combines several steps into one transaction." },
      keeperBundler: { name: 'KeeperBundler', purpose: 'Settles many matured positions at once.' },
    },
  },

  status: {
    component: 'Component',
    state: 'State',
    detail: 'Details',
    caption: "The service's components and their state",
    states: { ok: 'OK', degraded: 'Degraded', down: 'Down', unknown: 'Unknown' },
    since: (clock: string) => `since ${clock}`,
    names: {
      service: 'Service',
      database: 'Database',
      node: 'Chain node',
      sync: 'Chain sync',
      clock: 'Clock',
      makers: 'Market makers',
    },
    responding: (version: string) => `Version ${version}`,
    silent: 'No response',
    writable: 'Accepts writes',
    readOnly: "Doesn't accept writes",
    head: (block: string, age: string) => `Block ${block}, ${age} old`,
    headAhead: (block: string) => `Block ${block}`,
    noHead: 'No response',
    synced: (block: string) => `Synced to block ${block}`,
    notSynced: 'Not synced yet',
    clockBehind: (time: string) => `${time}. The service's clock is behind the chain. Some quotes may have expired.`,
    makers: (connected: number, auctions: number) =>
      `${connected} connected, ${many(auctions, 'open auction', 'open auctions')}`,
    network: (chain: string, id: number) => `Network: ${chain} (chain ${id}).`,
    watching: (clock: string) => `Checked every 5 seconds since ${clock}.`,
    raw: 'Raw data:',
    health: 'health',
    config: 'config',
    proofs: 'Check a proof',
  },

  maker: {
    title: 'Market maker',
    tab: (address: string) => `Maker ${address}`,
    locked: 'Locked now',
    lockedSource: (positions: number, block: string) =>
      `In ${many(positions, 'open position', 'open positions')} on-chain, at block ${block}`,
    fills: 'Fills',
    fillsSource: (settled: number) => `On-chain positions, ${settled} of them settled`,
    volume: 'Volume',
    volumeSource: 'Amounts fixed in all fills',
    published: 'Published quotes',
    publishedSource: (takeable: number) => `From the service, ${takeable} can be taken now`,
    atLeast: (figure: ReactNode) => rich`at least ${figure}`,
    nothing: '0',
    byMarket: 'Published quotes by market',
    caption: 'Published quotes by market, with the best rate',
    quotes: 'Quotes',
    sizes: 'Sizes',
    between: (least: ReactNode, most: ReactNode) => rich`${least} to ${most}`,
    best: 'Best rate',
    bestFor: (size: ReactNode, day: string) => rich`for ${size} until ${day}`,
    none: 'No published quotes',
    noneWhy: 'This maker may still answer auctions.',
    auctions: 'Quotes in recent auctions',
  },

  notFound: {
    title: 'Page not found',
    lead: (path: string) => `There is nothing at ${path}.`,
    looksLike: {
      auction: (link: ReactNode) => rich`It looks like an auction's ID. ${link}`,
      quote: (link: ReactNode) => rich`It looks like a quote's hash. ${link}`,
      position: (link: ReactNode) => rich`It looks like a position's number. ${link}`,
      account: (link: ReactNode) => rich`It looks like an account's address. ${link}`,
      page: (link: ReactNode) => rich`Did you mean ${link}?`,
    },
    open: {
      auction: 'Open the auction',
      quote: 'Review the quote',
      position: 'Open the position',
      account: 'Open the maker page',
    },
    instead: 'Go to:',
  },
}

/** The texts of these views. Each language has all of them. */
export type AboutTexts = typeof enAbout
