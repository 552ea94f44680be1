import { rounds, seed } from '@firmquote/test-support/trial'
import { expect, test } from '@jest/globals'
import { playUnknownCommits } from '../../test/unknownCommits.ts'

// The writer of a store is killed between statement and answer, and commits have an outcome that nobody knows, also while
// auctions close over verdicts that are under way. Proven in every history: the row of a quote and what its maker was told
// never disagree, at the time of a refusal and at the end; every submission is answered; OUTCOME_UNKNOWN is resolved by
// sending the same quote; an auction has one close, one result and one stream; a key opens one auction.

const histories = 1_000 * rounds

test(
  `behavior: in ${histories} histories with lost answers, rows and acknowledgements agree`,
  async () => {
    process.stderr.write(`histories of unknown commits with SEED=${seed}\n`)
    expect(await playUnknownCommits(histories, seed)).toBe(histories)
  },
  60_000 + 30_000 * rounds,
)
