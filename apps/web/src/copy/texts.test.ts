import { codes } from '@firmquote/core'
import { expect, test } from '@jest/globals'
import { isValidElement, type ReactNode } from 'react'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'
import { enAbout } from './enAbout.ts'
import { enAcceptance } from './enAcceptance.ts'
import { enHow } from './enHow.ts'
import { enPositions } from './enPositions.ts'
import { enProofs } from './enProofs.ts'
import { enRates } from './enRates.ts'
import { explainCode } from './explainRejection.ts'
import { readAmount, spellAmount } from './readAmount.ts'
import type { Translation } from './translation.ts'
import { chooseWords, createWords } from './words.ts'

const token = { symbol: 'tUSD', decimals: 6 }

const english: Translation = {
  texts: en,
  acceptance: enAcceptance,
  how: enHow,
  positions: enPositions,
  proofs: enProofs,
  rates: enRates,
  about: enAbout,
}
const catalogues = [
  ['English', english],
  ['German', de],
] as const
const german = createWords({ texts: 'de', dates: 'de-DE', numbers: 'de-DE' }, de)

// Each of these must not compile: the type check of the package fails when one of them does.
// @ts-expect-error entries are missing
const missing: Texts['wallet'] = { connect: 'Verbinden' }
// @ts-expect-error there is one too many
const extra: Texts['wallet'] = { ...en.wallet, connekt: 'Verbinden' }
// @ts-expect-error a text takes what is inserted, and nothing else
const other: Texts['wallet']['switchTo'] = (chain: number) => chain.toFixed()

test('default: German has its own words, plurals and numbers', () => {
  const { auction, common } = de.texts
  expect([common.offers(1), common.offers(2), common.makers(0)]).toEqual(['1 Angebot', '2 Angebote', '0 Maker'])
  expect(auction.said.closed(2, '5 %', '2 tUSD')).toBe('Auktion beendet. 2 Angebote. Bestes: 5 % APY für 2 tUSD.')
  expect(flatten(auction.quotes.fixed('1', '3', 2, '4'))).toBe('1 von 3 mit 2 Angeboten für 4 festgeschrieben.')
  expect(readAmount('250,000', token, german)).toEqual({
    mistake: 'Meinen Sie 250 oder 250.000?',
    corrections: ['250', '250.000'],
  })
  expect(spellAmount(250_000_000_000n, token, german)).toBe('Zweihundertfünfzigtausend tUSD')
  expect(spellAmount(250_000_500_000n, token, german)).toBe('250.000,5 tUSD')
  expect([missing, extra, other]).toHaveLength(3)
})

test('default: English has its plurals', () => {
  expect([en.common.offers(1), en.common.offers(2), en.common.makers(0)]).toEqual(['1 quote', '2 quotes', '0 makers'])
  expect(en.auction.said.started(1, 15)).toBe('Auction started. 1 maker has 15 seconds to answer.')
  expect(enRates.history.saidMatches(1)).toBe('1 auction matches.')
  expect([en.auction.seconds(1), en.auction.seconds(2)]).toEqual(['second', 'seconds'])
})

test('behavior: what was understood is said in words', () => {
  const words = chooseWords(['en-US'])
  expect(spellAmount(250_000_000_000n, token, words)).toBe('Two hundred fifty thousand tUSD')
  expect(spellAmount(250_000_177_300n, token, words)).toBe('250,000.1773 tUSD')
  expect(spellAmount(0n, token, words)).toBe('Zero tUSD')
  expect(spellAmount(7n, { symbol: 'T', decimals: 0 }, words)).toBe('Seven T')
  expect(spellAmount(10n ** 30n, token, words)).toBe('1,000,000,000,000,000,000,000,000 tUSD')
})

test('behavior: a mistake is one sentence that shows how to write it', () => {
  const words = chooseWords(['en-US'])
  const mistakeOf = (text: string) => {
    const read = readAmount(text, token, words)
    return 'mistake' in read ? read.mistake : read.amount
  }
  expect(mistakeOf('250.000')).toBe('Did you mean 250 or 250,000?')
  expect(mistakeOf('1,23.5')).toBe('Did you mean 123.5?')
  expect(mistakeOf('all')).toBe('Write an amount like 1,234.5.')
  expect(mistakeOf('1.0000001')).toBe('This token has at most 6 decimals.')
  for (const text of ['', '-1', '1e6', '٣', '007', 'all', '9'.repeat(80), '9'.repeat(500)]) {
    expect(mistakeOf(text)).toMatch(/^[A-Z][^_]+\.$/)
  }
  expect(mistakeOf('250k')).toBe(250_000_000_000n)
})

test.each(catalogues)('behavior: every code has a sentence of its own and shows no code, in %s', (_name, { texts }) => {
  for (const code of codes) {
    expect(explainCode(code, texts)).toMatch(/^\p{Lu}.*\.$/u)
    expect(explainCode(code, texts)).not.toMatch(/[A-Z]_|series|pool|notional/)
  }
  expect(explainCode('NOBODY_KNOWS', texts)).toBeNull()
  expect(explainCode('constructor', texts)).toBeNull()
})

test.each(catalogues)('behavior: no text has a word that a borrower need not know, in %s', (_name, catalogue) => {
  const said = [...everyText(catalogue).values()]
  expect(said.length).toBeGreaterThan(300)
  for (const text of said) {
    expect(text).not.toMatch(/\b(?:ladder|room|rank|kind|notional|six checks|undefined|NaN)\b/i)
    expect(text).not.toMatch(/ {2}|[A-Z]+_[A-Z]+/)
  }
})

/** Words that are the same in both languages. */
const shared = new Set(
  [
    ...['Firmquote', 'API', 'APR', 'APY', 'LLTV', 'CSV', 'OK', 'WalletConnect', 'Coinbase', 'Wallet', 'MetaMask'],
    ...['Rainbow', 'Trust', 'QuoteMarket', 'InterestRatePool', 'Bundler3', 'KeeperBundler', 'Market', 'Maker', 'Block'],
    ...['Position', 'Details', 'Status', 'Version', 'Token', 'Pool', 'Audits', 'median', 'in', 's'],
  ].map((word) => word.toLowerCase()),
)

test('behavior: no text in German is still in English', () => {
  const original = everyText(english)
  const translated = everyText(de)
  const same = [...translated].filter(([path, text]) => text === original.get(path))
  const words = same.flatMap(([, text]) => text.match(/\p{L}[\p{L}\d]*/gu) ?? [])
  expect(words.filter((word) => !shared.has(word.toLowerCase()))).toEqual([])
  const mixed = [...translated.values()].filter((text) =>
    /\b(?:the|and|of|you|your|is|are|not|to|with|for|by)\b/i.test(text),
  )
  expect(mixed).toEqual([])
})

/** All texts by their paths, functions called with numbers in the place of what is inserted. */
function everyText(entry: unknown, path = ''): Map<string, string> {
  // The tests above call the amounts' own texts.
  if (/\.amounts\.(?:refused|understood)$/.test(path)) return new Map()
  if (typeof entry === 'string') return new Map([[path, entry]])
  if (typeof entry === 'function') {
    const inserted = Array.from({ length: entry.length }, (_, index) => (index % 2 === 0 ? 1 : 2))
    return new Map([[path, flatten((entry as (...inserted: unknown[]) => ReactNode)(...inserted))]])
  }
  return new Map(Object.entries(entry as object).flatMap(([key, value]) => [...everyText(value, `${path}.${key}`)]))
}

function flatten(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(flatten).join('')
  if (isValidElement<{ children?: ReactNode }>(node)) return flatten(node.props.children)
  return node === null || node === undefined || typeof node === 'boolean' ? '' : String(node)
}

test('behavior: the answers of the makers are counted in words for one and for several', () => {
  const { progress } = en.auction.live
  expect([progress(0, 1), progress(1, 1), progress(1, 3), progress(3, 3)]).toEqual([
    'Waiting may get a better rate: 0 of 1 maker has answered.',
    'The only maker has answered.',
    'Waiting may get a better rate: 1 of 3 makers has answered.',
    'All 3 makers have answered.',
  ])
  const inGerman = de.texts.auction.live.progress
  expect([inGerman(0, 1), inGerman(1, 1), inGerman(1, 3), inGerman(2, 3), inGerman(3, 3)]).toEqual([
    'Warten kann sich lohnen: 0 von 1 Maker hat geantwortet.',
    'Der einzige Maker hat geantwortet.',
    'Warten kann sich lohnen: 1 von 3 Makern hat geantwortet.',
    'Warten kann sich lohnen: 2 von 3 Makern haben geantwortet.',
    'Alle 3 Maker haben geantwortet.',
  ])
})
