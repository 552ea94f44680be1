import { codes } from '@firmquote/core'
import { expect, test } from '@jest/globals'
import { isValidElement, type ReactNode } from 'react'
import { en, type Texts } from './en.ts'
import { enAcceptance } from './enAcceptance.ts'
import { enHow } from './enHow.ts'
import { enPositions } from './enPositions.ts'
import { explainCode } from './explainRejection.ts'
import { createFormats } from './formats.ts'
import { readAmount, spellAmount } from './readAmount.ts'
import { chooseWords, type Words } from './words.ts'

const token = { symbol: 'tUSD', decimals: 6 }

/** A second language is one file like the English one. This one is short: it takes what it lacks from there. */
const numberOfOffers = (count: number) =>
  `${count} ${new Intl.PluralRules('de').select(count) === 'one' ? 'Angebot' : 'Angebote'}`
const de: Texts = {
  ...en,
  amounts: {
    ...en.amounts,
    // A language without words for numbers of its own shows the digits again.
    understood: () => null,
    refused: (refusal, example) =>
      refusal.problem === 'ambiguous'
        ? `Meinen Sie ${refusal.readings.join(' oder ')}?`
        : `Schreiben Sie es wie ${example}.`,
  },
  auction: {
    ...en.auction,
    fix: (amount, day) => [amount, ` bis ${day} festschreiben`],
    said: {
      ...en.auction.said,
      closed: (count, rate, cost) =>
        `Die Auktion ist zu Ende. ${numberOfOffers(count)}, das beste ${rate} für ${cost}.`,
    },
  },
}
const german: Words = { language: 'de', texts: de, formats: createFormats({ numbers: 'de-DE', dates: 'de-DE' }) }

// Each of these must not compile: the type check of the package fails when one of them does.
// @ts-expect-error entries are missing
const missing: Texts['wallet'] = { connect: 'Verbinden' }
// @ts-expect-error there is one too many
const extra: Texts['wallet'] = { ...en.wallet, connekt: 'Verbinden' }
// @ts-expect-error a text takes what is inserted, and nothing else
const other: Texts['wallet']['switchTo'] = (chain: number) => chain.toFixed()

test('default: another language decides words, plurals, and where a figure stands', () => {
  expect(de.auction.said.closed(1, '5 %', '2 tUSD')).toBe(
    'Die Auktion ist zu Ende. 1 Angebot, das beste 5 % für 2 tUSD.',
  )
  expect(de.auction.said.closed(2, '5 %', '2 tUSD')).toContain('2 Angebote,')
  expect(readAmount('250,000', token, german)).toEqual({
    mistake: 'Meinen Sie 250 oder 250.000?',
    corrections: ['250', '250.000'],
  })
  expect(spellAmount(250_000_000_000n, token, german)).toBe('250.000 tUSD')
  expect([missing, extra, other]).toHaveLength(3)
})

test('default: English has its plurals', () => {
  expect([en.common.offers(1), en.common.offers(2), en.common.makers(0)]).toEqual(['1 offer', '2 offers', '0 makers'])
  expect(en.auction.said.started(1, 15)).toBe('The auction has started. 1 maker has 15 seconds to answer.')
  expect(en.history.saidMatches(1)).toBe('1 offer matches.')
  expect([en.auction.seconds(1), en.auction.seconds(2)]).toEqual(['second', 'seconds'])
})

test('behavior: what was understood is said in words', () => {
  const words = chooseWords(['en-US'])
  expect(spellAmount(250_000_500_000n, token, words)).toBe('Two hundred fifty thousand point five tUSD')
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
  expect(mistakeOf('all')).toBe('Write the amount like 1,234.5.')
  expect(mistakeOf('1.0000001')).toBe('This token has no more than 6 digits after the decimal sign.')
  for (const text of ['', '-1', '1e6', '٣', '007', 'all', '9'.repeat(80), '9'.repeat(500)]) {
    expect(mistakeOf(text)).toMatch(/^[A-Z][^_]+\.$/)
  }
  expect(mistakeOf('250k')).toBe(250_000_000_000n)
})

test('behavior: every code of the service has a sentence of its own, and shows no code', () => {
  for (const code of codes) {
    expect(explainCode(code, en)).toMatch(/^[A-Z].*\.$/)
    expect(explainCode(code, en)).not.toMatch(/[A-Z]_|quote|series|pool|notional/)
  }
  expect(explainCode('NOBODY_KNOWS', en)).toBeNull()
  expect(explainCode('constructor', en)).toBeNull()
})

test('behavior: no text of the catalogue has a word that a borrower need not know', () => {
  const said = everyText([en, enAcceptance, enHow, enPositions])
  expect(said.length).toBeGreaterThan(300)
  for (const text of said) {
    expect(text).not.toMatch(/\b(?:ladder|depth|room|rank|kind|quotes?|notional|six checks|undefined|NaN)\b/i)
    expect(text).not.toMatch(/ {2}|[A-Z]+_[A-Z]+/)
  }
})

test('behavior: of several languages, one without a catalogue is passed over', () => {
  expect(chooseWords(['fr-FR', 'en-GB']).language).toBe('en')
  expect(chooseWords(['fr-FR', 'en-GB']).formats.count(1_234)).toBe('1\u202f234')
})

/** All texts, functions called with letters in the place of what is inserted. */
function everyText(entry: unknown): string[] {
  if (typeof entry === 'string') return [entry]
  if (typeof entry === 'function') {
    // The amounts' own are tested above.
    if (entry === en.amounts.refused || entry === en.amounts.understood) return []
    const inserted = Array.from({ length: entry.length }, (_, index) => (index % 2 === 0 ? 1 : 2))
    return [flatten((entry as (...inserted: unknown[]) => ReactNode)(...inserted))]
  }
  return Object.values(entry as object).flatMap(everyText)
}

function flatten(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(flatten).join('')
  if (isValidElement<{ children?: ReactNode }>(node)) return flatten(node.props.children)
  return node === null || node === undefined || typeof node === 'boolean' ? '' : String(node)
}

test('behavior: the answers of the makers are counted in words for one and for several', () => {
  const { progress } = en.auction.live
  expect([progress(0, 1), progress(1, 1), progress(1, 3), progress(3, 3)]).toEqual([
    '0 of 1 has answered.',
    'The one maker expected to answer has answered.',
    '1 of 3 have answered.',
    'All 3 have answered.',
  ])
})
