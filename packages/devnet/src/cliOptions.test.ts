import { describe, expect, it } from '@jest/globals'
import { parseCliOptions } from './cliOptions.ts'

describe('parseCliOptions', () => {
  it('default: port 8545, chain 8453, a block every two seconds', () => {
    expect(parseCliOptions([])).toEqual({ kind: 'start', options: { port: 8545, chainId: 8453, blockTime: 2 } })
  })

  it('behavior: every option', () => {
    expect(parseCliOptions(['--port', '0', '--chain-id=31337', '--block-time', '3'])).toEqual({
      kind: 'start',
      options: { port: 0, chainId: 31_337, blockTime: 3 },
    })
    expect(parseCliOptions(['--block-time', '0'])).toEqual({ kind: 'start', options: { port: 8545, chainId: 8453 } })
  })

  it('behavior: fund, beside an address', () => {
    const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    expect(parseCliOptions(['fund', address])).toEqual({ kind: 'fund', rpcUrl: 'http://127.0.0.1:8545', address })
    expect(parseCliOptions(['fund', address, '--port', '1'])).toMatchObject({ rpcUrl: 'http://127.0.0.1:1' })
  })

  it.each([['--help'], ['-h'], ['--port', '1', '--help']])('behavior: help, %s', (...args) => {
    expect(parseCliOptions(args)).toEqual({ kind: 'help' })
  })

  it.each([
    [['--prot', '1'], "'--prot'"],
    [['start'], "'start'"],
    [['fund'], "fund needs an address, not ''."],
    [['fund', '0x1234'], "fund needs an address, not '0x1234'."],
    [['fund', '0x1234', 'more'], "'fund 0x1234 more'"],
    [['--port'], "'--port <value>' argument missing"],
    [['--port', 'abc'], "--port must be an integer, not 'abc'."],
    [['--port', ''], "--port must be an integer, not ''."],
    [['--chain-id', '0x2105'], "--chain-id must be an integer, not '0x2105'."],
    [['--block-time', '1.5'], "--block-time must be an integer, not '1.5'."],
  ])('error: %j', (args, text) => {
    const request = parseCliOptions(args)
    expect(request.kind).toBe('mistake')
    expect(request).toMatchObject({ message: expect.stringContaining(text) })
  })
})
