import { expect, test } from '@jest/globals'
import * as adapters from './adapters.ts'
import { checksumAddress } from './checksumAddress.ts'
import * as constants from './index.ts'

// Examples from EIP-55.
const examples = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

test('default', () => {
  expect(examples.map((address) => checksumAddress(address.toLowerCase()))).toEqual(examples)
  expect(examples.map((address) => checksumAddress(`0x${address.slice(2).toUpperCase()}`))).toEqual(examples)
})

test('behavior: every exported address is checksummed', () => {
  const { contracts, adapters: namedAdapters } = constants.PRODUCTION_DEPLOYMENT
  const exported = [...Object.values({ ...constants }), ...Object.values({ ...adapters })].filter((value) => {
    return typeof value === 'string'
  })
  expect(exported).toHaveLength(4 + Object.keys(namedAdapters).length)
  for (const address of [...exported, ...Object.values(contracts), ...Object.values(namedAdapters)]) {
    expect(address).toBe(checksumAddress(address))
  }
})
