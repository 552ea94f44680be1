import { describe, expect, test } from '@jest/globals'
import { parseCommandLine } from './parseCommandLine.ts'

describe('parseCommandLine', () => {
  test.each<[string[], ReturnType<typeof parseCommandLine>]>([
    [[], { command: 'run', config: 'firmquote-daemon.yaml', pricer: undefined, dryRun: false }],
    [
      ['run', '-c', 'a.yaml', '--pricer', './mine.js'],
      { command: 'run', config: 'a.yaml', pricer: './mine.js', dryRun: false },
    ],
    [['--dry-run'], { command: 'run', config: 'firmquote-daemon.yaml', pricer: undefined, dryRun: true }],
    [['report'], { command: 'report', config: 'firmquote-daemon.yaml', format: 'table' }],
    [['report', '--json', '-c', 'a.yaml'], { command: 'report', config: 'a.yaml', format: 'json' }],
    [['report', '--csv'], { command: 'report', config: 'firmquote-daemon.yaml', format: 'csv' }],
    [['init'], { command: 'init', folder: '.' }],
    [['init', '--dir', 'maker'], { command: 'init', folder: 'maker' }],
    [['approve', '500000', '-c', 'a.yaml'], { command: 'approve', config: 'a.yaml', amount: '500000' }],
    [['--help'], { command: 'help' }],
    [['run', '--version'], { command: 'version' }],
  ])('default: %j', (args, expected) => {
    expect(parseCommandLine(args)).toEqual(expected)
  })

  test.each([
    [['quote'], /unknown command/],
    [['run', 'now'], /unknown command/],
    [['approve', '1', '2'], /unknown command/],
    [['approve'], /amount of tokens is required/],
    [['approve', '1', '--pricer', 'x'], /does not support/],
    [['--verbose'], /--verbose/],
    [['init', '--pricer', 'x'], /does not support/],
    [['--dir', 'x'], /does not support/],
    [['report', '--json', '--csv'], /does not support/],
    [['report', 'all'], /unknown command/],
    [['approve', '1', '--dry-run'], /does not support/],
    [['toString'], /unknown command/],
  ])('error: %j', (args, expected) => {
    expect(() => parseCommandLine(args)).toThrow(expected)
  })

  test('error: never shows an argument that looks like a key', () => {
    const digits = 'aB'.repeat(32)
    for (const args of [[digits], [`0x${digits}`], ['--pricer', `./${digits}.js`], [`--key=0x${digits}`]]) {
      const thrown = (() => {
        try {
          return parseCommandLine(args)
        } catch (error) {
          return error as Error
        }
      })()
      expect(thrown).toMatchObject({ message: expect.stringMatching(/looks like a private key/) })
      expect(String((thrown as Error).stack)).not.toContain(digits)
    }
  })
})
