import type { Fact, Statement } from '@firmquote/verify'
import { describe, expect, test } from '@jest/globals'
import { de } from './de.ts'
import { describeStatement } from './describeStatement.ts'
import { enProofs } from './enProofs.ts'
import { chooseWords, createWords } from './words.ts'

const english = chooseWords(['en-US'])
const german = createWords({ texts: 'de', dates: 'de-DE', numbers: 'de-DE' }, de)
const publicRfqId = `0x${'ab'.repeat(16)}` as const
const hash = `0x${'12'.repeat(32)}` as const
const maker = '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a'
const terms = { openedAt: 1_899_999_900_123n } as Extract<Fact, { code: 'opened' }>['terms']

const facts: [fact: Fact, isProved: boolean, english: string][] = [
  [
    { code: 'ownKey', log: 'rfq.example.com/log/1' },
    false,
    "The key of the log rfq.example.com/log/1 is the file's own. Compare it with one that you trust.",
  ],
  [
    { code: 'opened', publicRfqId, terms },
    true,
    "The auction's terms were recorded at its opening, Mar 17, 2030, 17:45:00 UTC, before any maker could answer.",
  ],
  [
    { code: 'quotes', hashes: [hash] },
    true,
    'The auction had exactly 1 quote, signed for this market and ranked by price and arrival.',
  ],
  [{ code: 'best' }, true, 'The best quotes are the ones that the published rules choose.'],
  [
    { code: 'unknownRules', version: 2 },
    false,
    "The best quotes were chosen by rules that this page doesn't know (version 2).",
  ],
  [{ code: 'late', ms: 999n, interrupted: false }, false, 'The auction closed 999 ms after its end.'],
  [
    { code: 'late', ms: 61_000n, interrupted: true },
    false,
    'The auction closed 1m 1s after its end, because the service was down.',
  ],
  [{ code: 'quote', publicRfqId, hash, maker }, true, 'The auction has this quote of the maker 0x19E7…ff2A.'],
  [
    { code: 'omitted', hash, maker },
    true,
    'The service accepted a quote of the maker 0x19E7…ff2A, but left it out of the auction.',
  ],
  [
    { code: 'unclosed', publicRfqId, mergeBy: 1_899_999_975 },
    true,
    "The auction was opened, but wasn't closed by Mar 17, 2030, 17:46:15 UTC.",
  ],
  [
    { code: 'unclosed', publicRfqId, mergeBy: 1_899_999_975 },
    false,
    "The auction was opened, but wasn't closed. Only a witness that you trust shows that it was overdue.",
  ],
  [
    { code: 'backdated', publicRfqId, openedAt: 1_899_999_900_123n },
    true,
    "The auction is dated Mar 17, 2030, 17:45:00 UTC, but the log didn't have it more than a minute later.",
  ],
  [
    { code: 'backdated', publicRfqId, openedAt: 1_899_999_900_123n },
    false,
    'The auction is dated Mar 17, 2030, 17:45:00 UTC. Only a witness that you trust shows that the log added it later.',
  ],
  [{ code: 'fork', log: 'a', size: 1_000 }, true, 'The log signed two different histories of its first 1,000 entries.'],
  [
    { code: 'refused', hash, maker, reason: 'NOTIONAL_TOO_SMALL' },
    true,
    'The service refused a quote of the maker 0x19E7…ff2A. Its amount is below the minimum.',
  ],
  [{ code: 'notJudged', block: null }, false, "Whether it was right to isn't shown."],
  [
    { code: 'notJudged', block: 40_000_000n },
    false,
    "Whether it was right to isn't shown. Check the quote again on an archive node, at block 40,000,000.",
  ],
  [
    { code: 'witness', name: 'witness.example.com/w1', time: 1_900_000_000 },
    true,
    'witness.example.com/w1, a witness that you trust, saw this history at Mar 17, 2030, 17:46:40 UTC.',
  ],
  [{ code: 'otherWitnesses', count: 1 }, false, "It was signed by 1 witness whose key you didn't give."],
  [{ code: 'noWitness' }, false, 'No independent witness: the service could show others a different history.'],
  [
    { code: 'contracts' },
    false,
    "Some makers are contracts, which sign without a key. Their quotes aren't checked here.",
  ],
  [{ code: 'noRanking' }, false, "The ranking and the best quotes aren't shown."],
]

describe('describeStatement', () => {
  test.each(facts)('default: %j, proved: %j', (fact, isProved, sentence) => {
    const statement: Statement = { ...fact, isProved, text: '' }
    expect(describeStatement(statement, enProofs, english)).toBe(sentence)
    const inGerman = describeStatement(statement, de.proofs, german)
    expect(inGerman).toMatch(/^[\p{L}\d].*\.$/u)
    expect(inGerman).not.toMatch(/undefined|NaN|\[object/)
  })

  test('behavior: a refusal with a code of a newer service has no explanation', () => {
    const statement: Statement = { code: 'refused', hash, maker, reason: 'NEW', isProved: true, text: '' }
    expect(describeStatement(statement, enProofs, english)).toBe(
      'The service refused a quote of the maker 0x19E7…ff2A.',
    )
  })
})
