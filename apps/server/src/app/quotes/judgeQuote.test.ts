import { ChainUnavailableError } from '@firmquote/core'
import { expect, test } from '@jest/globals'
import { type Address, zeroAddress } from 'viem'
import { acceptedQuotes, newAuctionQuote, openedAt, rfqId } from '../../../test/storedQuotes.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import { createSubmissionJudge } from './judgeQuote.ts'
import type { JudgingDeps } from './makerChecks.ts'

const quotes = acceptedQuotes([1, 2, 3].map((number) => newAuctionQuote(number)))

/** Creates a judge that processes two quotes at a time. The test supplies the chain's responses. */
function createJudge() {
  const errors: unknown[] = []
  const answers: ((error: Error) => void)[] = []
  const banned = new Set<string>()
  const deps = {
    limits: { runningJudgements: 2 },
    bans: { rejection: (maker: Address) => (banned.has(maker) ? { code: 'MAKER_BANNED', maker, until: null } : null) },
    clock: { now: () => openedAt },
    signatures: { recoverSigner: async () => ({ signer: zeroAddress }) },
    chain: { readQuoteStates: () => new Promise((_, reject) => answers.push(reject)) },
    log: { error: (facts: object, message: string) => errors.push({ ...facts, message }) },
  } as unknown as JudgingDeps
  const judge = createSubmissionJudge(deps)
  return {
    errors,
    answers,
    ban: () => void banned.add(quotes[0]?.quote.maker ?? ''),
    judge: (index: number) => judge(quotes[index] as (typeof quotes)[number], publicRfqId(rfqId)),
  }
}

test('error: a failure is a rejection and a log entry, and never thrown', async () => {
  const { judge, answers, errors } = createJudge()
  const verdict = judge(0)
  answers[0]?.(new TypeError('a bug'))
  expect(await verdict).toEqual({ rejection: { code: 'CHAIN_UNAVAILABLE' } })
  expect(errors).toEqual([
    { err: new TypeError('a bug'), rfqId: publicRfqId(rfqId), message: 'failed to judge a quote' },
  ])
})

test('behavior: concurrent judgements are limited; a verdict frees a slot', async () => {
  const { judge, answers } = createJudge()
  const verdicts = [judge(0), judge(1)]
  expect(await judge(2)).toEqual({ rejection: { code: 'OVERLOADED' } })
  expect(answers).toHaveLength(2)
  answers[0]?.(new TypeError('a bug'))
  await verdicts[0]
  void judge(2)
  expect(answers).toHaveLength(3)
  expect(await judge(0)).toEqual({ rejection: { code: 'OVERLOADED' } })
})

test('behavior: a ban refuses a quote at once, and also one that is being judged', async () => {
  const { judge, answers, ban } = createJudge()
  const judging = judge(0)
  ban()
  answers[0]?.(new ChainUnavailableError('The node did not answer.'))
  expect((await judging).rejection?.code).toBe('MAKER_BANNED')
  expect((await judge(0)).rejection?.code).toBe('MAKER_BANNED')
  expect(answers).toHaveLength(1)
})
