import { readFileSync } from 'node:fs'
import {
  BUNDLER3_ADDRESS,
  INTEREST_RATE_POOL_ADDRESS,
  KEEPER_BUNDLER_ADDRESS,
  QUOTE_MARKET_ADDRESS,
} from '@firmquote/addresses'
import {
  BUNDLER_ADAPTER_ADDRESS,
  MORPHO_BLUE_ADAPTER_ADDRESS,
  MORPHO_BLUE_ADDRESS,
} from '@firmquote/addresses/adapters'
import {
  rateAdapterAbi as coreAdapterAbi,
  bundler3Abi as coreBundlerAbi,
  bundlerAdapterAbi as coreBundlerAdapterAbi,
  keeperBundlerAbi as coreKeeperAbi,
  quoteMarketAbi as coreMarketAbi,
  interestRatePoolAbi as corePoolAbi,
} from '@firmquote/core'
import { describe, expect, it } from '@jest/globals'
import { getAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { backers, borrowers, deployer, newcomers } from './devnetAccounts.ts'
import { devnetAddresses } from './devnetAddresses.ts'
import { bundlerAdapterAbi } from './generated/bundlerAdapter.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { keeperBundlerAbi } from './generated/keeperBundler.ts'
import { morphoBlueAdapterAbi } from './generated/morphoBlueAdapter.ts'
import { quoteMarketAbi } from './generated/quoteMarket.ts'
import { rateAdapterAbi } from './generated/rateAdapter.ts'
import { referenceBundlerAbi } from './generated/referenceBundler.ts'

type AbiItem = { readonly type: string; readonly name?: string }

/** Strips compiler-specific parts from an ABI item: Solidity's internal types and the `anonymous` flag of events. */
function plain(item: AbiItem): unknown {
  const isNoise = (key: string, value: unknown) => key === 'internalType' || (key === 'anonymous' && value === false)
  return JSON.parse(JSON.stringify(item, (key, value: unknown) => (isNoise(key, value) ? undefined : value)))
}

/** Indexes ABI items by type and name, which are unique because these contracts have no overloads. */
function byName(abi: readonly AbiItem[]): Map<string, unknown> {
  return new Map(abi.map((item) => [`${item.type} ${item.name}`, plain(item)]))
}

describe('devnetAddresses', () => {
  it('default: the published devnetContract file names the addresses that follow from the bytecode', () => {
    // After changing a contract, put the new addresses into packages/addresses/deployments/8453.json and run
    // `generate`.
    expect({
      quoteMarket: QUOTE_MARKET_ADDRESS,
      interestRatePool: INTEREST_RATE_POOL_ADDRESS,
      keeperBundler: KEEPER_BUNDLER_ADDRESS,
      bundler3: BUNDLER3_ADDRESS,
      bundlerAdapter: BUNDLER_ADAPTER_ADDRESS,
      morpho: MORPHO_BLUE_ADDRESS,
      morphoAdapter: MORPHO_BLUE_ADAPTER_ADDRESS,
    }).toEqual({
      quoteMarket: devnetAddresses.quoteMarket,
      interestRatePool: devnetAddresses.interestRatePool,
      keeperBundler: devnetAddresses.keeperBundler,
      bundler3: devnetAddresses.bundler3,
      bundlerAdapter: devnetAddresses.bundlerAdapter,
      morpho: devnetAddresses.morpho,
      morphoAdapter: devnetAddresses.morphoAdapter,
    })
  })

  it('behavior: every address has its checksum, and every account its key', () => {
    for (const address of Object.values(devnetAddresses)) expect(getAddress(address)).toBe(address)
    for (const { address, privateKey } of [deployer, ...backers, ...borrowers, ...newcomers]) {
      expect(privateKeyToAddress(privateKey)).toBe(address)
    }
  })
})

describe('README.md', () => {
  it('behavior: the table lists the accounts in their order, and the first line says what this is not', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const listed = [...readme.matchAll(/^\| (\d+) +\| `(0x[0-9a-fA-F]{40})` \| (\w+)/gm)].map((row) => row.slice(1))
    const accounts = [deployer, ...backers, ...borrowers, ...newcomers]
    const roles = [
      'deployer',
      'backer',
      'backer',
      'backer',
      'borrower',
      'borrower',
      'borrower',
      ...newcomers.map(() => 'newcomer'),
    ]
    expect(listed).toEqual(
      accounts.map(({ address }, position) => [
        String(position < 7 ? position : position + 3),
        address,
        roles[position],
      ]),
    )
    expect(readme.split('\n')[0]).toMatch(/reference for development.*not audited/i)
  })
})

describe('the ABIs of the library', () => {
  it.each([
    ['quoteMarketAbi', coreMarketAbi, quoteMarketAbi],
    ['interestRatePoolAbi', corePoolAbi, interestRatePoolAbi],
    ['keeperBundlerAbi', coreKeeperAbi, keeperBundlerAbi],
    ['rateAdapterAbi', coreAdapterAbi, rateAdapterAbi],
    ['bundlerAdapterAbi', coreBundlerAdapterAbi, bundlerAdapterAbi],
    ['bundler3Abi, as the reference has it', coreBundlerAbi, referenceBundlerAbi],
    ['rateAdapterAbi, as Morpho has it', coreAdapterAbi, morphoBlueAdapterAbi],
  ] as const)('behavior: every item of %s is an item of the compiled contract', (_, written, compiled) => {
    const items = byName(compiled)
    expect(written.length).toBeGreaterThan(2)
    for (const [name, item] of byName(written)) expect({ name, item }).toEqual({ name, item: items.get(name) })
  })
})
