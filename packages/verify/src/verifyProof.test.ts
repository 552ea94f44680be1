import { beforeAll, describe, expect, test } from '@jest/globals'
import { createProofFiles, type ProofFiles } from '../test/proofFiles.ts'
import { createLog, createNoteSigner, runAuction } from '../test/proofFixture.ts'
import { toBase64 } from './bytes.ts'
import { keyTypes } from './note.ts'
import { formatProof } from './proofFile.ts'
import { verifyProof } from './verifyProof.ts'

let files: ProofFiles
let log: ReturnType<typeof createLog>

beforeAll(async () => {
  log = createLog()
  files = (await createProofFiles(log)).files
})

const types = ['auction', 'quote', 'omission', 'unclosed', 'fork', 'refusal'] as const

describe('verifyProof', () => {
  test.each(types)('default: %s, with and without a policy', async (type) => {
    const text = formatProof(files[type])
    const policy = { log: log.log.key, witnesses: [log.witness.key], quorum: 1 }
    const verdict = await verifyProof(text, policy)
    expect(verdict).toMatchObject({ isValid: true })
    if (!verdict.isValid) return
    expect(verdict.statements.map(({ isProved, text: words }) => `${isProved ? '+' : '-'} ${words}`)).toMatchSnapshot()
    const unknown = await verifyProof(text)
    const own = expect.objectContaining({ isProved: false, text: expect.stringContaining("is the file's own") })
    expect(unknown).toMatchObject({ isValid: true, statements: expect.arrayContaining([own]) })
  })

  test.each(types)('error: %s with another log key, or without enough witnesses', async (type) => {
    const text = formatProof(files[type])
    const other = createNoteSigner(log.origin, keyTypes.log).key
    expect(await verifyProof(text, { log: other })).toMatchObject({
      isValid: false,
      cause: 'policy',
      reason: expect.stringContaining('trust'),
    })
    const stranger = createNoteSigner('other.example.com', keyTypes.witness).key
    // The log's own signatures show a fork.
    expect(await verifyProof(text, { witnesses: [stranger], quorum: 1 })).toMatchObject({ isValid: type === 'fork' })
  })

  test('error: a quorum for one checkpoint of a file, but not for another', async () => {
    const file = files.omission
    const policy = { witnesses: [log.witness.key], quorum: 1 }
    expect(await verifyProof(formatProof(file), policy)).toMatchObject({ isValid: true })
    const bare = { ...file.close, proof: file.close.proof.replace(/— witness\.example\.com.*\n/, '') }
    expect(await verifyProof(formatProof({ ...file, close: bare }))).toMatchObject({ isValid: true })
    expect(await verifyProof(formatProof({ ...file, close: bare }), policy)).toMatchObject({
      isValid: false,
      reason: expect.stringContaining('0 cosigned'),
      cause: 'policy',
    })
  })

  test('behavior: an unknown witness proves no missing close, because anyone can sign a time', async () => {
    const text = formatProof(files.unclosed)
    const words = async (policy = {}) => {
      const verdict = await verifyProof(text, policy)
      return verdict.isValid ? verdict.statements.filter((one) => one.isProved).length : null
    }
    expect(await words({ log: log.log.key })).toBe(0)
    expect(await words({ log: log.log.key, witnesses: [log.witness.key] })).toBe(2)
  })

  test.each(['', '{}', '{"type":"auction"}', 'null'])('error: %j is no proof', async (text) => {
    expect(await verifyProof(text)).toMatchObject({ isValid: false, cause: 'format' })
  })

  test('error: an auction with a quote of another series', async () => {
    const auction = await runAuction(log, [400n, 390n], { id: '34', foreign: 1 })
    const proof = auction.auctionProof(auction.close())
    const reason = 'Quote 2 is of another series.'
    expect(await verifyProof(formatProof(proof))).toEqual({ isValid: false, reason, cause: 'content' })
  })

  test('error: a promise that was kept is no omission', async () => {
    const kept = await runAuction(log, [400n, 390n], { id: '12' })
    const close = log.prove(kept.close())
    const receipt = kept.receipts[0]
    const { key } = files.omission
    if (!receipt) throw new TypeError('There is no receipt.')
    const file = {
      type: 'omission',
      keys: log.keys,
      key,
      receipt,
      close,
      hashes: kept.transcript.map(toBase64),
    } as const
    expect(await verifyProof(formatProof(file))).toEqual({
      isValid: false,
      reason: 'The auction has the quote, as the receipt promised.',
      cause: 'content',
    })
  })

  test('error: an auction that a witness saw only before its time is not unclosed', async () => {
    const file = files.unclosed
    const { mergeBy } = file.receipt
    const at = (time: number) =>
      verifyProof(formatProof({ ...file, checkpoint: log.checkpoint(time, file.from + file.entries.length) }))
    expect(await at(mergeBy)).toMatchObject({ isValid: true })
    expect(await at(mergeBy - 1)).toMatchObject({ isValid: false })
  })
})
