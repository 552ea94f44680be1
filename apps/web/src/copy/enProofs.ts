const plurals = new Intl.PluralRules('en')
const many = (count: number, one: string, other: string) => `${count} ${plurals.select(count) === 'one' ? one : other}`

/** The texts of proofs and their statements, in English. */
export const enProofs = {
  /** The page that checks a file. */
  check: {
    title: 'Check a proof',
    drop: 'Drop a proof file here, or choose one.',
    choose: 'Choose a file',
    paste: 'Or paste the proof',
    checkText: 'Check the text',
    nothing: 'The result appears here.',
    result: 'Result',
    resultOf: (name: string) => `Result for ${name}`,
    checking: 'Checking…',
    tooLarge: (limit: string) => `This file is too large for a proof. A proof has at most ${limit} MB.`,
    notRead: "The file couldn't be checked",
  },

  policy: {
    title: 'Keys you trust (optional)',
    why: 'A proof names the keys that signed it. Paste the ones that you know, from the service and from witnesses. A witness is another party, such as a market maker, that signs each state of the log.',
    keys: 'Public keys, one per line',
    keysHint: 'Each as name+id+base64.',
    quorum: 'How many of these witnesses must have signed',
    malformed: (line: number) => `Line ${line} isn't a key of the form name+id+base64.`,
    secondLog: (line: number) => `Line ${line} is the key of a second log. A proof is from one log.`,
  },

  verdict: {
    valid: 'The proof is valid',
    refused: 'The proof was refused',
    types: {
      auction: 'It is about an auction and all its quotes.',
      quote: 'It is about one quote of an auction.',
      omission: 'It is about a quote that was left out of an auction.',
      overdue: "It is about an auction that wasn't closed.",
      unclosed: "It is about an auction that wasn't closed.",
      backdated: 'It is about an auction that was recorded later than it says.',
      fork: 'It is about a log with two histories.',
      refusal: 'It is about a quote that was refused.',
    },
    proved: 'Proved',
    notProved: 'Not proved',
    causes: {
      format: "This isn't a proof, or it was changed: a proof has exactly one spelling.",
      policy: "It wasn't signed by the keys that you trust.",
      breach: "The service's own log committed to this, against the rules. Save the file: it is evidence.",
      content: "It was changed, or it doesn't show what it claims. It proves nothing.",
    },
    reason: 'Reason',
    unsupported: "This browser can't check proofs",
    unsupportedWhy:
      'It lacks Ed25519 signatures, or this page was opened without HTTPS. Update the browser, or run firmquote verify.',
    policy: "The keys can't be used",
    saidValid: (proved: number, open: number) => `The proof is valid. ${proved} proved, ${open} not proved.`,
  },

  statements: {
    ownKey: (log: string) => `The key of the log ${log} is the file's own. Compare it with one that you trust.`,
    opened: (time: string) =>
      `The auction's terms were recorded at its opening, ${time}, before any maker could answer.`,
    quotes: (count: number) =>
      `The auction had exactly ${many(count, 'quote', 'quotes')}, signed for this market and ranked by price and arrival.`,
    contracts: "Some makers are contracts, which sign without a key. Their quotes aren't checked here.",
    best: 'The best quotes are the ones that the published rules choose.',
    unknownRules: (version: number) =>
      `The best quotes were chosen by rules that this page doesn't know (version ${version}).`,
    late: (time: string) => `The auction closed ${time} after its end.`,
    lateOutage: (time: string) => `The auction closed ${time} after its end, because the service was down.`,
    unacknowledged:
      "A quote that the service didn't confirm to its maker wouldn't be listed. The maker would know, but couldn't prove it.",
    quote: (maker: string) => `The auction has this quote of the maker ${maker}.`,
    noRanking: "The ranking and the best quotes aren't shown.",
    omitted: (maker: string) => `The service accepted a quote of the maker ${maker}, but left it out of the auction.`,
    unclosed: (time: string) => `The auction was opened, but wasn't closed by ${time}.`,
    unclosedOnly: "The auction was opened, but wasn't closed. Only a witness that you trust shows that it was overdue.",
    backdated: (time: string) => `The auction is dated ${time}, but the log didn't have it more than a minute later.`,
    backdatedOnly: (time: string) =>
      `The auction is dated ${time}. Only a witness that you trust shows that the log added it later.`,
    fork: (size: string) => `The log signed two different histories of its first ${size} entries.`,
    refused: (maker: string, reason: string) => `The service refused a quote of the maker ${maker}. ${reason}`,
    notJudged: "Whether it was right to isn't shown.",
    notJudgedAt: (block: string) =>
      `Whether it was right to isn't shown. Check the quote again on an archive node, at block ${block}.`,
    witness: (name: string, time: string) => `${name}, a witness that you trust, saw this history at ${time}.`,
    otherWitnesses: (count: number) =>
      plurals.select(count) === 'one'
        ? `It was signed by ${count} witness whose key you didn't give.`
        : `It was signed by ${count} witnesses whose keys you didn't give.`,
    noWitness: 'No independent witness: the service could show others a different history.',
  },

  /** The proof of an auction, next to its result. */
  auction: {
    title: 'Proof of this auction',
    lead: 'Check that the service kept to its record: the same terms, every quote, and the ranking.',
    check: 'Check the proof',
    again: 'Check again',
    save: 'Save the proof',
    failed: "The proof couldn't be checked",
    notReady: (time: string) => `The service hasn't recorded the auction's close yet. Try again in ${time}.`,
    none: 'The service has no proof of this auction. It ran before the log began, or its record was deleted.',
    ownLog: "The log's key is the one that this service publishes.",
    same: 'It is the auction on this page, with the same terms and quotes.',
    otherTerms: 'The proof is of another auction',
    otherQuotes: 'The proof has other quotes than this page shows',
    otherWhy: 'Save the proof. The service showed you something else than it recorded.',
    elsewhere: 'Check a proof file',
  },
}

/** The texts of proofs. Each language has all of them. */
export type ProofsTexts = typeof enProofs
