import { describe, expect, test } from '@jest/globals'
import { command } from './command.ts'
import { parseCommand } from './parseCommand.ts'
import { publicId, wholeNumber } from './values.ts'

const id = 'ab'.repeat(16)
const print = () => ''
const show = command({
  words: 'things show',
  about: 'show a thing',
  arguments: [{ key: 'id', value: publicId, about: 'id of the thing' }],
  print,
})
const set = command({
  words: 'things set',
  about: 'set the size of a thing',
  options: [
    { flag: 'size', key: 'sizeOf', value: wholeNumber(1, 9), about: 'size', isRequired: true },
    { flag: 'limit', key: 'limit', value: wholeNumber(1, 9), about: 'limit' },
  ],
  changes: true,
  print,
})
const state = command({ words: 'state', about: 'show the state', print })
const commands = [show, set, state]
const parse = (...args: string[]) => parseCommand(args, commands)

describe('a command line', () => {
  test('default: a command with its arguments and options', () => {
    expect(parse('state')).toEqual({ command: state, params: {}, json: false, socket: undefined, as: undefined })
    expect(parse('things', 'show', id, '--json')).toMatchObject({ command: show, params: { id }, json: true })
    expect(parse('things', 'set', '--size=3', '--as', 'ana', '--socket', 'a.sock')).toMatchObject({
      command: set,
      params: { sizeOf: 3 },
      socket: 'a.sock',
      as: 'ana',
    })
  })

  test.each([
    [['things'], 'Unknown command "things": use one of "things show", "things set".'],
    [['--json', 'state'], 'Unknown command "--json state": use one of "things show", "things set", "state".'],
    [['things', 'show'], 'Usage: firmquote-server admin things show ID'],
    [['things', 'show', id, id], 'Usage: firmquote-server admin things show ID'],
    [['things', 'show', 'x'], 'ID is "x"; it must be a public id of 32 lower-case hex digits.'],
    [['things', 'set'], '--size is missing. Usage: firmquote-server admin things set --size N [--limit N]'],
    [['things', 'set', '--size', '0'], '--size is "0"; it must be a whole number from 1 to 9.'],
    [['things', 'set', '--size', '10'], '--size is "10"; it must be a whole number from 1 to 9.'],
    [['things', 'set', '--size'], /^Option '--size <value>' argument missing\. Usage: .* things set /],
    [['state', '--size', '3'], /^Unknown option '--size'\. Usage: firmquote-server admin state$/],
    [['state', '--as', 'ana'], '"state" changes nothing, so --as has no meaning.'],
  ])('error: %j', (args, message) => {
    expect(() => parse(...args)).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        shortMessage: typeof message === 'string' ? message : expect.stringMatching(message),
      }),
    )
  })
})

describe('help', () => {
  test('default: of all commands, of a group and of one command', () => {
    const helpOf = (...args: string[]) => {
      const request = parse(...args)
      return 'help' in request ? request.help : ''
    }
    expect(helpOf()).toBe(helpOf('--help'))
    expect(helpOf()).toMatch(/Commands:\n\n {2}things show ID +show a thing\n/)
    expect(helpOf('things', '-h')).not.toContain('show the state')
    expect(helpOf('things', 'set', '--help')).toMatch(
      /^Usage: firmquote-server admin things set --size N \[--limit N\] \[OPTIONS\]\n\nSet the size of a thing\.\n\n {2}--size N +size \(a whole number from 1 to 9\)\n/,
    )
    expect(helpOf('things', 'set', '--help')).toContain('--as NAME')
    expect(helpOf('things', 'show', '--help')).not.toContain('--as NAME')
  })
})
