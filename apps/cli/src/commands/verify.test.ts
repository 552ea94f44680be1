import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashQuote, type SignedQuote, serializeSignedQuote } from '@firmquote/core'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { encodeRecord, formatKey, formatProof, keyTypes, type ProofFile, refusedLeaf } from '@firmquote/verify'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { devnet, useTestDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import { quoteOf, tokens } from '../../../../packages/sdk/test/testDevnet.ts'
import { createLog, createNoteSigner, runAuction } from '../../../../packages/verify/test/proofFixture.ts'
import { runCli } from '../../test/runCli.ts'

useFolder(beforeAll, afterAll)

const log = createLog()
const save = (name: string, content: unknown) => {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}
const policyOf = (given: object) => save('policy.json', { log: log.keys[0], ...given })
let auction: string

beforeAll(async () => {
  const { close, auctionProof } = await runAuction(log, [400n, 390n])
  auction = formatProof(auctionProof(close()))
})

describe('firmquote verify', () => {
  test('default: explains what is proved and what is not, one sentence each', async () => {
    const policy = policyOf({ witnesses: [log.keys[1]], quorum: 1 })
    const { code, out, err } = await runCli(['verify', save('auction.json', auction), '--policy', policy])
    expect([code, err]).toEqual([0, ''])
    const lines = out.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) expect(line).toMatch(/^(?:proved {4}|not proved) {2}[A-Z].*\.$/i)
    expect(lines.filter((line) => line.startsWith('not proved'))).toHaveLength(1)
  })

  test('behavior: --json, and standard input', async () => {
    const { code, out, err } = await runCli(['verify', '-', '--json'], { input: auction })
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toMatchObject({
      ...{ isValid: true, isProved: true, type: 'auction' },
      statements: expect.arrayContaining([expect.objectContaining({ isProved: false })]),
    })
  })

  test('error: a changed file, another log key, and too few witnesses', async () => {
    const changed = auction.replace('"notional":"1000"', '"notional":"1001"')
    const { code, out, err } = await runCli(['verify', '-'], { input: changed })
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^firmquote: .*\. \(PROOF_REFUSED\)\n$/)
    const json = await runCli(['verify', '-', '--json'], { input: changed })
    expect(JSON.parse(json.out)).toMatchObject({ isValid: false, reason: expect.any(String) })
    expect(JSON.parse(json.err)).toMatchObject({ error: { code: 'PROOF_REFUSED' } })
    const other = policyOf({ log: formatKey(createNoteSigner(log.origin, keyTypes.log).key) })
    expect(await runCli(['verify', '-', '--policy', other], { input: auction })).toMatchObject({ code: 1 })
    const stranger = formatKey(createNoteSigner('w.example.com', keyTypes.witness).key)
    const demanding = policyOf({ witnesses: [stranger], quorum: 1 })
    expect(await runCli(['verify', '-', '--policy', demanding], { input: auction })).toMatchObject({ code: 1 })
  })

  const [logKey, witness] = log.keys as [string, string]
  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'The policy is not a JSON object.'],
    ['a list', [], 'The policy is not a JSON object.'],
    ['another field', { witness: [] }, '"witness" is none of log, witnesses, quorum.'],
    ['a number as key', { log: 1 }, 'log must be a key, such as'],
    ['a malformed key', { log: `${logKey}A` }, 'log: The key rfq.example.com/log/1'],
    ["a witness's key as the log's", { log: witness }, "log must be a log's key, not a witness's."],
    ["a log's key as a witness's", { witnesses: [logKey], quorum: 1 }, "witnesses[0] must be a witness's key"],
    ['one witness twice', { witnesses: [witness, witness], quorum: 1 }, 'twice.'],
    ['no quorum', { witnesses: [witness] }, 'quorum is missing'],
    ['a quorum above the number', { witnesses: [witness], quorum: 2 }, 'quorum must be a whole number from 0 to 1.'],
    ['a text as quorum', { witnesses: [witness], quorum: '1' }, 'quorum must be a whole number from 0 to 1.'],
    ['an object as witnesses', { witnesses: {} }, 'witnesses must be a list'],
  ])('error: a policy with %s', async (_what, policy, message) => {
    const { code, err } = await runCli(['verify', '-', '--policy', save('wrong.json', policy)], { input: auction })
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  test('error: missing files', async () => {
    const absent = join(folder, 'absent.json')
    expect(await runCli(['verify', absent])).toMatchObject({ code: 2, err: expect.stringContaining('ENOENT') })
    expect(await runCli(['verify', '-', '--policy', absent], { input: auction })).toMatchObject({ code: 2 })
  })
})

describe('firmquote verify --rpc', () => {
  useTestDevnet()

  /** A refusal of a quote at the newest block, judged at its time. */
  async function refuse(quote: SignedQuote, code: string, changes: { blockHash?: Hex } = {}): Promise<string[]> {
    const { publicClient, contracts } = devnet
    const block = await publicClient.getBlock()
    const domain = { chainId: await publicClient.getChainId(), quoteMarket: contracts.quoteMarket }
    const leaf = encodeRecord(refusedLeaf.kind, refusedLeaf.layout, {
      ...{ publicRfqId: `0x${'ab'.repeat(16)}`, hash: hashQuote(quote, domain), at: block.timestamp * 1_000n, code },
      maker: quote.maker.toLowerCase() as Hex,
      ...{ blockNumber: block.number, blockHash: block.hash, ...changes },
    })
    const [receipt] = await log.receipts([leaf], 1_899_999_975)
    if (!receipt) throw new TypeError('There is no receipt.')
    const file: ProofFile = { type: 'refusal', keys: log.keys, key: log.prove(0), receipt }
    return [
      ...['verify', save('refusal.json', formatProof(file)), '--rpc', devnet.rpcUrl],
      ...['--chain-id', String(domain.chainId), '--quote-market', contracts.quoteMarket],
      ...['--interest-rate-pool', contracts.interestRatePool],
    ]
  }
  const quoteArgs = (quote: SignedQuote) => ['--quote', save('quote.json', serializeSignedQuote(quote))]
  const makeQuote = (changes: Partial<SignedQuote> = {}) =>
    quoteOf(devnet.backers[0], tokens(1_000), tokens(10), changes)

  test('default: the rules refuse the quote at its block with the same code, also after later blocks', async () => {
    const quote = await makeQuote({ nonce: 7n })
    const args = await refuse(quote, 'NONCE_MISMATCH')
    await devnet.testClient.mine({ blocks: 3 })
    const { code, out, err } = await runCli([...args, ...quoteArgs(quote)])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^proved {6}At block \d+, .* refuse the quote with the same code/m)
  })

  test('behavior: finds a wrong refusal and a wrong code', async () => {
    const quote = await makeQuote()
    const wrong = await runCli([...(await refuse(quote, 'NONCE_MISMATCH')), ...quoteArgs(quote)])
    expect(wrong.out).toContain('accept the quote, so the service was wrong to refuse it.')
    const other = await makeQuote({ nonce: 7n })
    const misnamed = await runCli([...(await refuse(other, 'QUOTE_FILLED')), ...quoteArgs(other)])
    expect(misnamed.out).toContain('refuse the quote with NONCE_MISMATCH, not with QUOTE_FILLED.')
  })

  test('behavior: says what it could not check', async () => {
    const quote = await makeQuote()
    const said = async (args: string[]) => {
      const { code, out } = await runCli(args)
      expect(code).toBe(0)
      return /^not proved {2}The refusal was not judged again: (.*)$/m.exec(out)?.[1]
    }
    expect(await said(await refuse(quote, 'NONCE_MISMATCH'))).toContain('--quote')
    const elsewhere = await refuse(quote, 'NONCE_MISMATCH', { blockHash: `0x${'66'.repeat(32)}` })
    expect(await said([...elsewhere, ...quoteArgs(quote)])).toContain('has another hash')
    const other = await makeQuote({ nonce: 9n })
    expect(await said([...(await refuse(quote, 'NONCE_MISMATCH')), ...quoteArgs(other)])).toContain('another hash')
    expect(await said([...(await refuse(quote, 'NOTIONAL_TOO_SMALL')), ...quoteArgs(quote)])).toContain(
      'NOTIONAL_TOO_SMALL does not follow',
    )
    const { out } = await runCli(['verify', save('auction.json', auction), '--rpc', devnet.rpcUrl])
    expect(out).toContain('Nothing was checked with the node')
  })

  test('error: a node of another chain, and one that does not answer', async () => {
    const quote = await makeQuote()
    const args = await refuse(quote, 'NONCE_MISMATCH')
    expect(await runCli([...args.slice(0, 4), '--chain-id', '1'])).toMatchObject({ code: 2 })
    expect(await runCli([...args.slice(0, 3), 'http://127.0.0.1:9'])).toMatchObject({ code: 5 })
  })
})
