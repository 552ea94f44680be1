import { formatKey, keyTypes, type NoteKey } from '@firmquote/verify'
import { describe, expect, test } from '@jest/globals'
import { parsePolicy } from './parsePolicy.ts'

const keyOf = (name: string, type: NoteKey['type']): NoteKey => ({
  name,
  type,
  publicKey: new Uint8Array(32).fill(name.length),
})
const [log, witness, other] = [
  keyOf('rfq.example.com/log/1', keyTypes.log),
  keyOf('w.example.com', keyTypes.witness),
  keyOf('x.example.org', keyTypes.witness),
]

describe('parsePolicy', () => {
  test('default: keys of a log and of witnesses, in any order, with blank lines', () => {
    const text = `\n ${formatKey(witness)}\r\n${formatKey(log)}\n\n${formatKey(other)}\n`
    expect(parsePolicy(text, 1)).toEqual({ log, witnesses: [witness, other], quorum: 1 })
    expect(parsePolicy('', 0)).toEqual({ witnesses: [], quorum: 0 })
  })

  test('error: a line that is no key', () => {
    expect(parsePolicy(`${formatKey(log)}\n${formatKey(witness).slice(0, -1)}`, 0)).toEqual({
      problem: 'malformed',
      line: 2,
    })
  })

  test('error: a second log', () => {
    const second = formatKey(keyOf('b.example.com/log/1', keyTypes.log))
    expect(parsePolicy(`${formatKey(log)}\n\n${second}`, 0)).toEqual({ problem: 'secondLog', line: 3 })
  })
})
