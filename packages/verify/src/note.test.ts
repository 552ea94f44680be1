import { describe, expect, test } from '@jest/globals'
import { createNoteSigner, signNote } from '../test/proofFixture.ts'
import { formatKey, formatNote, keyTypes, parseKey, parseNote, verifyNote } from './note.ts'
import { ProofError } from './proofError.ts'

const text = 'example.com/log\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n'
const log = createNoteSigner('example.com/log', keyTypes.log)
const witness = createNoteSigner('example.com/w1', keyTypes.witness)
const note = formatNote({ text, signatures: [signNote(log, text), signNote(witness, text, 1_700_000_000)] })

describe('parseKey and formatKey', () => {
  // The public key of sum.golang.org.
  test('default: the key of a public log', () => {
    const key = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'
    expect(formatKey(parseKey(key))).toBe(key)
    expect(parseKey(key)).toMatchObject({ name: 'sum.golang.org', type: keyTypes.log })
  })

  test.each([
    'sum.golang.org+033de0af+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8',
    'sum.golang.orh+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8',
    'sum.golang.org+033de0ae+As4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8',
    'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn9',
    'sum.golang.org+033de0ae',
    'sum golang+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8',
    '',
  ])('error: %j', (key) => {
    expect(() => parseKey(key)).toThrow('key')
  })
})

describe('verifyNote', () => {
  test('default: a log and a witness', async () => {
    expect(formatNote(parseNote(note))).toBe(note)
    expect(await verifyNote(parseNote(note), log.key)).toBeNull()
    expect(await verifyNote(parseNote(note), witness.key)).toBe(1_700_000_000)
    expect(await verifyNote(parseNote(note), createNoteSigner('example.com/log', keyTypes.log).key)).toBeUndefined()
  })

  test.each([
    ['another text', note.replace('\n3\n', '\n4\n')],
    ['another time', note.replace(/w1 (\S+)/, (_, line: string) => `w1 ${shiftTime(line)}`)],
    ['two signatures of one key', `${note}${note.split('\n').at(-2)}\n`],
  ])('error: %s', async (_what, changed) => {
    expect(changed).not.toBe(note)
    await expect(verifyNote(parseNote(changed), witness.key)).rejects.toThrow('example.com/w1')
  })

  test.each([
    ['no signatures', text],
    ['no final newline', note.slice(0, -1)],
    ['a control character', note.replace('3', '\t')],
    ['a line that is not a signature', `${note}hello\n`],
    ['a signature that is not base64', note.replace(/==?\n$/, '\n')],
    ['33 signatures', note + `${note.split('\n').at(-2)}\n`.repeat(31)],
  ])('error: %s', (_what, changed) => {
    expect(() => parseNote(changed)).toThrow(ProofError)
  })
})

function shiftTime(line: string): string {
  const bytes = Buffer.from(line, 'base64')
  bytes[11] = (bytes[11] ?? 0) + 1
  return bytes.toString('base64')
}
