import { type BlockRef, ChainUnavailableError } from '@firmquote/core'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { numberToHex } from 'viem'
import type { Chain } from '../../ports/chain.ts'
import { createFreshChain } from './freshChain.ts'

const block = (number: bigint, branch = 0): BlockRef => ({
  number,
  hash: numberToHex(number * 10n + BigInt(branch), { size: 32 }),
  timestamp: number,
})

let synced: BlockRef | null
let answers: BlockRef[]
let reads: number
let chain: Pick<Chain, 'readQuoteStates' | 'readKnownQuotes' | 'readMarkets'>
beforeEach(() => {
  synced = block(5n)
  reads = 0
  const read = async () => {
    const answer = answers[reads]
    reads += 1
    if (!answer) throw new RangeError('there is no further answer')
    return { block: answer, states: [], markets: [], capacities: new Map() }
  }
  const source = { readQuoteStates: read, readKnownQuotes: read, readMarkets: read } as unknown as Chain
  const status = () => ({ head: synced, synced, lagSeconds: 0, failing: false, disagrees: false, state: 'ok' as const })
  chain = createFreshChain(source, { status })
})

const methods = [
  ['readQuoteStates', () => chain.readQuoteStates([])],
  ['readKnownQuotes', () => chain.readKnownQuotes([])],
  ['readMarkets', () => chain.readMarkets({ pools: [] })],
] as const

describe.each(methods)('%s', (_name, read) => {
  test.each([
    ['the synced block itself', block(5n)],
    ['a later block', block(6n)],
    ['a later block of another branch', block(6n, 1)],
  ])('default: accepts state of %s', async (_what, answer) => {
    answers = [answer]
    expect((await read()).block).toEqual(answer)
    expect(reads).toBe(1)
  })

  test.each([
    ['an earlier block', block(4n)],
    ['the same height under another hash', block(5n, 1)],
  ])('error: state of %s is read again, four times in all', async (_what, old) => {
    answers = [old, block(5n)]
    expect((await read()).block).toEqual(block(5n))
    expect(reads).toBe(2)

    reads = 0
    answers = [old, old, old, old, block(5n)]
    await expect(read()).rejects.toThrow(ChainUnavailableError)
    expect(reads).toBe(4)
  })
})

test('behavior: before the first sync any state is accepted', async () => {
  synced = null
  answers = [block(1n)]
  expect((await chain.readQuoteStates([])).block).toEqual(block(1n))
})

test('behavior: the synced block after the read decides', async () => {
  answers = [block(5n), block(6n)]
  const reading = chain.readQuoteStates([])
  synced = block(6n)
  expect((await reading).block).toEqual(block(6n))
})
