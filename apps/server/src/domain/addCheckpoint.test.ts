import { formatSignature, keyTypes } from '@firmquote/verify'
import { describe, expect, test } from '@jest/globals'
import { createNoteSigner, signNote } from '../../../../packages/verify/test/proofFixture.ts'
import { addCheckpointBody, judgeWitnessAnswer } from './addCheckpoint.ts'

const witness = createNoteSigner('witness.example.com/w1', keyTypes.witness)
const other = createNoteSigner('witness.example.com/w1', keyTypes.witness)
const line = formatSignature(signNote(witness, 'text\n', 1_900_000_000))
const sizeType = 'text/x.tlog.size'

test('default: the body of a request', () => {
  const body = addCheckpointBody({
    from: 7,
    path: [new Uint8Array(32), new Uint8Array(32).fill(255)],
    note: 'a\n\nb\n',
  })
  expect(body).toBe(`old 7\n${'A'.repeat(43)}=\n${'/'.repeat(42)}8=\n\na\n\nb\n`)
  expect(addCheckpointBody({ from: 0, path: [], note: 'a\n' })).toBe('old 0\n\na\n')
})

describe('judgeWitnessAnswer', () => {
  test.each([
    ['its line among others', 200, '', `${formatSignature(signNote(other, 'x', 1))}\nx\n${line}\n`, { line }],
    ['lines of other keys', 200, '', `${formatSignature(signNote(other, 'x', 1))}\n`, { kind: 'failed' }],
    ['another size', 409, sizeType, '12\n', { kind: 'resync', size: 12 }],
    ['the same size', 409, sizeType, '7\n', { reason: expect.stringContaining('another tree') }],
    ['a conflict without a size', 409, 'text/plain', '12\n', { reason: expect.stringContaining('another tree') }],
    ['a malformed size', 409, sizeType, '012\n', { kind: 'failed' }],
    ['an unknown log', 404, '', '', { reason: 'The witness does not know the log.' }],
    ['an unknown key', 403, '', '', { reason: "The witness does not know the log's key." }],
    ['a wrong proof', 422, '', '', { reason: 'The witness knows another history of the log.' }],
    ['an error', 500, '', '', { reason: 'The witness answered with status 500.' }],
  ])('behavior: %s', (_what, status, type, body, expected) => {
    expect(judgeWitnessAnswer({ status, type, body }, { key: witness.key, from: 7 })).toMatchObject(expected)
  })
})
