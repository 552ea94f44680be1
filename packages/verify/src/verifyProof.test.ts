import { beforeAll, describe, expect, test } from '@jest/globals'
import { createProofFiles, type ProofFiles, subtreesOf, withoutCosignature } from '../test/proofFiles.ts'
import { createLog, createNoteSigner, runAuction } from '../test/proofFixture.ts'
import { concat, toBase64 } from './bytes.ts'
import { parseLogProof } from './logProof.ts'
import { keyTypes } from './note.ts'
import { formatProof, type Opening } from './proofFile.ts'
import { verifyProof } from './verifyProof.ts'

let files: ProofFiles
let log: ReturnType<typeof createLog>

beforeAll(async () => {
  log = createLog()
  files = (await createProofFiles(log)).files
})

const types = ['auction', 'quote', 'omission', 'overdue', 'unclosed', 'backdated', 'fork', 'refusal'] as const

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
    const bare = withoutCosignature(file.close)
    expect(await verifyProof(formatProof({ ...file, close: bare }))).toMatchObject({ isValid: true })
    expect(await verifyProof(formatProof({ ...file, close: bare }), policy)).toMatchObject({
      isValid: false,
      reason: expect.stringContaining('0 cosigned'),
      cause: 'policy',
    })
  })

  test.each(['overdue', 'unclosed', 'backdated'] as const)(
    'behavior: %s needs a trusted witness, because anyone can sign a time',
    async (type) => {
      const text = formatProof(files[type])
      const words = async (policy = {}) => {
        const verdict = await verifyProof(text, policy)
        return verdict.isValid ? verdict.statements.filter((one) => one.isProved).length : null
      }
      expect(await words({ log: log.log.key })).toBe(0)
      expect(await words({ log: log.log.key, witnesses: [log.witness.key] })).toBe(2)
    },
  )

  test.each(['', '{}', '{"type":"auction"}', 'null'])('error: %j is no proof', async (text) => {
    expect(await verifyProof(text)).toMatchObject({ isValid: false, cause: 'format' })
  })

  test('error: an auction with a quote of another series', async () => {
    const auction = await runAuction(log, [400n, 390n], { id: '34', foreign: 1 })
    const proof = auction.auctionProof(auction.close())
    const reason = 'Quote 2 is of another series.'
    expect(await verifyProof(formatProof(proof))).toEqual({ isValid: false, reason, cause: 'content' })
  })

  test.each([
    ['The ranking does not follow from the quotes.', { ranking: [1, 2] }],
    ['The best quotes do not follow from the quotes.', { best: [1] }],
  ])('error: %s The log committed to it', async (reason, result) => {
    const auction = await runAuction(log, [400n, 390n], { id: '56', result })
    const proof = auction.auctionProof(auction.close())
    const refused = { isValid: false, reason, cause: 'breach' }
    expect(await verifyProof(formatProof(proof), { log: log.log.key })).toEqual(refused)
    // Another's change of the file is no breach.
    const leaves = proof.leaves.with(-1, files.auction.leaves[0] as Opening)
    expect(await verifyProof(formatProof({ ...proof, leaves }))).toMatchObject({ isValid: false, cause: 'content' })
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

  /** When the auction of these files is due, in Unix seconds. */
  const mergeBy = 1_899_999_975

  test.each(['overdue', 'unclosed'] as const)('error: %s, cosigned only before its time', async (type) => {
    const file = files[type]
    const at = (time: number) =>
      verifyProof(formatProof({ ...file, checkpoint: log.checkpoint(time, file.from + file.entries.length) }))
    expect(await at(mergeBy)).toMatchObject({ isValid: true, statements: expect.arrayContaining([doubtOf(mergeBy)]) })
    expect(await at(mergeBy - 1)).toMatchObject({ isValid: false, reason: expect.stringContaining(`at ${mergeBy}`) })
  })

  const doubtOf = (time: number) => expect.objectContaining({ code: 'unclosed', mergeBy: time, isProved: false })

  test('behavior: an auction that ends within a second is due a minute after that second', async () => {
    const { key, receipt, ...file } = files.unclosed
    const own = createLog()
    const { openIndex } = await runAuction(own, [400n], { at: 1_899_999_900_001n })
    const at = (time: number) =>
      verifyProof(
        formatProof({
          ...{ type: 'overdue', keys: file.keys, checkpoint: own.checkpoint(time), from: openIndex },
          ...{ subtrees: subtreesOf(own, openIndex), entries: own.entries.slice(openIndex).map(toBase64) },
        }),
      )
    expect(await at(mergeBy)).toMatchObject({ isValid: false })
    expect(await at(mergeBy + 1)).toMatchObject({ isValid: true })
  })

  test('behavior: a malformed close closes no auction', async () => {
    const own = createLog()
    const { openIndex, close } = await runAuction(own, [400n])
    const honest = own.entries[close()] as Uint8Array
    const text = (...entries: Uint8Array[]) => {
      own.entries.length = own.hashes.length = openIndex + 1
      for (const entry of entries) own.append(entry)
      return formatProof({
        ...{ type: 'overdue', keys: own.keys, checkpoint: own.checkpoint(mergeBy), from: openIndex },
        ...{ subtrees: subtreesOf(own, openIndex), entries: own.entries.slice(openIndex).map(toBase64) },
      })
    }
    expect(await verifyProof(text(honest.slice(0, -1), concat(honest, Uint8Array.of(0))))).toMatchObject({
      isValid: true,
    })
    expect(await verifyProof(text(honest.slice(0, -1), honest))).toMatchObject({ isValid: false })
  })

  test('behavior: a receipt binds before the end that the log states', async () => {
    const file = files.unclosed
    const own = createLog()
    const { openIndex } = await runAuction(own, [400n], { id: 'ef', at: 1_899_999_990_000n })
    const entries = {
      ...{ checkpoint: own.checkpoint(mergeBy), from: openIndex, subtrees: subtreesOf(own, openIndex) },
      entries: own.entries.slice(openIndex).map(toBase64),
    }
    const { keys, receipt } = file
    const unclosed = formatProof({ type: 'unclosed', keys, key: own.prove(0), receipt, ...entries })
    expect(await verifyProof(unclosed)).toMatchObject({ isValid: true })
    expect(await verifyProof(formatProof({ type: 'overdue', keys, ...entries }))).toMatchObject({ isValid: false })
  })

  test('error: backdated, when the log had the opening, or no witness saw it a minute later', async () => {
    const file = files.backdated
    const { index } = parseLogProof(file.open.proof)
    const at = (time: number, size = index) =>
      verifyProof(formatProof({ ...file, checkpoint: log.checkpoint(time, size) }))
    expect(await at(1_899_999_961)).toMatchObject({ isValid: true })
    expect(await at(1_899_999_960)).toMatchObject({ isValid: false, reason: expect.stringContaining('No witness') })
    expect(await at(1_899_999_961, index - 1)).toMatchObject({ isValid: true })
    const reason = 'The checkpoint has the opening.'
    expect(await at(1_899_999_961, index + 1)).toEqual({ isValid: false, reason, cause: 'content' })
  })

  test('behavior: backdated needs cosignatures of the earlier checkpoint alone', async () => {
    const file = files.backdated
    const policy = { log: log.log.key, witnesses: [log.witness.key], quorum: 1 }
    expect(await verifyProof(formatProof(file), policy)).toMatchObject({ isValid: true })
    const checkpoint = file.checkpoint.replace(/— witness.*\n/, '')
    const open = log.prove(parseLogProof(file.open.proof).index)
    expect(await verifyProof(formatProof({ ...file, checkpoint, open }), policy)).toMatchObject({
      ...{ isValid: false, cause: 'policy' },
    })
  })
})
