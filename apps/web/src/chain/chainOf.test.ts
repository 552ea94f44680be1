import { describe, expect, test } from '@jest/globals'
import { explorerOf } from './chainOf.ts'

const account = '0xBcd4042DE499D14e55001CcbB24a551F3b954096'
const devnet = { rpcUrl: 'http://localhost:3005/devnet/rpc', account, smartAccount: null } as const

describe('explorerOf', () => {
  test('default: that of the chain', () => {
    expect(explorerOf(8453, { explorer: null, devnet: null })).toBe('https://basescan.org')
  })

  test("behavior: the operator's own comes first", () => {
    const explorer = 'https://explorer.example/base'
    expect(explorerOf(8453, { explorer, devnet: null })).toBe(explorer)
    expect(explorerOf(8453, { explorer, devnet })).toBe(explorer)
  })

  test('behavior: none for a devnet with the id of a real chain, and for an unknown chain', () => {
    expect(explorerOf(8453, { explorer: null, devnet })).toBe(null)
    expect(explorerOf(31_337, { explorer: null, devnet: null })).toBe(null)
  })
})
