import { keyTypes, type NoteKey, parseKey, type VerifyPolicy } from '@firmquote/verify'
import { UsageError } from '../errors.ts'
import { parseObject } from './loadInput.ts'

const fields = ['log', 'witnesses', 'quorum']

/**
 * Parses a policy file: JSON with the `log`'s key, the keys of `witnesses`, and the `quorum`, the number of witnesses that
 * must have cosigned. `quorum` is required if there are witnesses.
 *
 * @throws {UsageError} that names the wrong field.
 */
export function parsePolicy(text: string): VerifyPolicy {
  const given = parseObject(text, 'The policy')
  const fail = (message: string) => new UsageError(`The policy is invalid: ${message}`)
  const unknown = Object.keys(given).find((name) => !fields.includes(name))
  if (unknown !== undefined) throw fail(`${JSON.stringify(unknown)} is none of ${fields.join(', ')}.`)
  const { log, witnesses = [], quorum } = given
  const keyOf = (value: unknown, type: NoteKey['type'], path: string): NoteKey => {
    if (typeof value !== 'string') throw fail(`${path} must be a key, such as "rfq.example.com/log/1+033de0ae+Ac4z…".`)
    let key: NoteKey
    try {
      key = parseKey(value)
    } catch (cause) {
      throw fail(`${path}: ${(cause as Error).message}`)
    }
    if (key.type === type) return key
    throw fail(
      `${path} must be a ${type === keyTypes.log ? "log's key, not a witness's" : "witness's key, not a log's"}.`,
    )
  }
  if (!Array.isArray(witnesses)) throw fail('witnesses must be a list of keys.')
  const keys = witnesses.map((value, index) => keyOf(value, keyTypes.witness, `witnesses[${index}]`))
  const names = keys.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw fail(`witnesses names ${twice} twice.`)
  if (quorum === undefined && keys.length > 0)
    throw fail(`quorum is missing: of the witnesses, the number that must have cosigned (1 to ${keys.length}).`)
  const isCount = Number.isSafeInteger(quorum) && Number(quorum) >= 0 && Number(quorum) <= keys.length
  if (quorum !== undefined && !isCount) throw fail(`quorum must be a whole number from 0 to ${keys.length}.`)
  return {
    ...(log === undefined ? {} : { log: keyOf(log, keyTypes.log, 'log') }),
    ...(keys.length === 0 ? {} : { witnesses: keys, quorum: Number(quorum) }),
  }
}
