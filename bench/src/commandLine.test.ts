import { describe, expect, test } from '@jest/globals'
import { parseCommandLine } from './commandLine.ts'

const parse = (...args: string[]) => parseCommandLine(args, ['verify', 'sign'])

describe('parseCommandLine', () => {
  test('default: all rows, five rounds', () => {
    expect(parse()).toEqual({ only: [], rounds: 5, readme: false })
  })
  test('behavior: options', () => {
    expect(parse('--only', 'sign', '--rounds', '3', '--only', 'verify')).toEqual({
      only: ['sign', 'verify'],
      rounds: 3,
      readme: false,
    })
    expect(parse('--readme')).toMatchObject({ readme: true })
    expect(parse('--list')).toEqual({ print: 'list' })
    expect(parse('--help', '--nonsense')).toEqual({ print: 'help' })
  })
  test.each([
    [['--fast'], 'Unknown option "--fast": --help names them.'],
    [['verify'], 'Unknown option "verify": --help names them.'],
    [['--only', 'all'], 'There is no row "all": --list names them.'],
    [['--only'], 'There is no row "": --list names them.'],
    [['--rounds', '0'], '--rounds takes a whole number from 1 to 100.'],
    [['--rounds'], '--rounds takes a whole number from 1 to 100.'],
    [['--readme', '--only', 'sign'], 'The README shows all rows: --readme does not go with --only.'],
  ])('error: %j', (args, sentence) => {
    expect(parse(...args)).toBe(sentence)
  })
})
