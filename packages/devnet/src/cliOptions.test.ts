import { describe, expect, it } from '@jest/globals'
import { parseCliOptions } from './cliOptions.ts'

describe('parseCliOptions', () => {
  it('default: port 8545, chain 8453, no block time', () => {
    expect(parseCliOptions([])).toEqual({ kind: 'start', options: { port: 8545, chainId: 8453 } })
  })

  it('behavior: every option', () => {
    expect(parseCliOptions(['--port', '0', '--chain-id=31337', '--block-time', '2'])).toEqual({
      kind: 'start',
      options: { port: 0, chainId: 31_337, blockTime: 2 },
    })
  })

  it.each([['--help'], ['-h'], ['--port', '1', '--help']])('behavior: help, %s', (...args) => {
    expect(parseCliOptions(args)).toEqual({ kind: 'help' })
  })

  it.each([
    [['--prot', '1'], "'--prot'"],
    [['start'], "'start'"],
    [['--port'], "'--port <value>' argument missing"],
    [['--port', 'abc'], "--port takes a whole number, not 'abc'."],
    [['--port', ''], "--port takes a whole number, not ''."],
    [['--chain-id', '0x2105'], "--chain-id takes a whole number, not '0x2105'."],
    [['--block-time', '1.5'], "--block-time takes a whole number, not '1.5'."],
  ])('error: %j', (args, text) => {
    const request = parseCliOptions(args)
    expect(request.kind).toBe('mistake')
    expect(request).toMatchObject({ message: expect.stringContaining(text) })
  })
})
