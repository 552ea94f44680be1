import { describe, expect, test } from '@jest/globals'
import { decodeDeployment } from './decodeDeployment.ts'
import { DeploymentFileError } from './deploymentFileError.ts'
import { PRODUCTION_DEPLOYMENT } from './generated/deployment.ts'

const file = 'deployments/8453.json'
const quoteMarket = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const valid = {
  chainId: 8453,
  name: 'Base',
  note: 'For a test.',
  deployBlock: 0,
  contracts: {
    interestRatePool: '0x52908400098527886E0F7030069857D2E4169EE7',
    bundler3: '0x6BFd8137e702540E7A42B74178A4a49Ba43920C4',
    quoteMarket,
    keeperBundler: '0xde709f2102306220921060314715629080e2fb77',
  },
  adapters: { generalAdapter1: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb' },
}

/** Returns the valid file with the field at `path` replaced, or removed if `value` is undefined. */
function changed(path: string, value: unknown): string {
  const root = structuredClone(valid) as Record<string, unknown>
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  const parent = keys.reduce((record, key) => record[key] as Record<string, unknown>, root)
  if (value === undefined) delete parent[last]
  else Object.defineProperty(parent, last, { value, enumerable: true, configurable: true })
  return JSON.stringify(root)
}

function refusalOf(text: string, name = file): DeploymentFileError {
  try {
    decodeDeployment(text, name)
  } catch (error) {
    if (error instanceof DeploymentFileError) return error
    throw error
  }
  throw new DeploymentFileError(name, [{ path: '', message: 'was not refused' }])
}

describe('decodeDeployment', () => {
  test("error: a copy of Base's file for another chain keeps neither its note nor Morpho's adapters", () => {
    const copied = JSON.stringify({ ...PRODUCTION_DEPLOYMENT, chainId: 10 })
    expect(refusalOf(copied, 'my.json').message.split('\n')).toEqual([
      'my.json: note: is that of chain 8453; change or remove it',
      ...[
        'generalAdapter1',
        'erc20WrapperAdapter',
        'paraswapAdapter',
        'aaveV3MigrationAdapter',
        'compoundV3MigrationAdapter',
      ].map((name) => `my.json: adapters.${name}: is the address on chain 8453; change or remove it`),
    ])
    const { bundlerAdapter, morphoBlue, morphoBlueAdapter } = PRODUCTION_DEPLOYMENT.adapters
    const own = {
      ...PRODUCTION_DEPLOYMENT,
      chainId: 10,
      note: 'Ours.',
      adapters: { bundlerAdapter, morphoBlue, morphoBlueAdapter },
    }
    expect(decodeDeployment(JSON.stringify(own), 'my.json')).toEqual(own)
  })

  test('default', () => {
    expect(decodeDeployment(JSON.stringify(valid), file)).toEqual(valid)
  })

  test('behavior: a note is optional, adapters may be empty, a file may have any name', () => {
    const { note: _, ...withoutNote } = valid
    expect(decodeDeployment(changed('note', undefined), file)).toEqual(withoutNote)
    expect(decodeDeployment(changed('adapters', {}), file)).toEqual({ ...valid, adapters: {} })
    expect(decodeDeployment(JSON.stringify(valid), 'my-deployment.json')).toEqual(valid)
  })

  test.each([
    ['chainId', undefined, 'is missing'],
    ['chainId', '8453', 'must be a positive integer'],
    ['chainId', 0, 'must be a positive integer'],
    ['chainId', 1.5, 'must be a positive integer'],
    ['chainId', 1, 'is 1, but the file is named for chain 8453'],
    ['name', undefined, 'is missing'],
    ['name', ' ', 'must be a non-empty string'],
    ['name', null, 'must be a non-empty string'],
    ['note', 7, 'must be a non-empty string'],
    ['deployBlock', undefined, 'is missing'],
    ['deployBlock', -1, 'must be a non-negative integer'],
    ['deployBlock', '0', 'must be a non-negative integer'],
    ['deployBlock', 2 ** 53, 'must be a non-negative integer'],
    ['contracts', undefined, 'is missing'],
    ['contracts', [], 'must be an object'],
    ['contracts.quoteMarket', undefined, 'is missing'],
    ['contracts.quoteMarket', 7, 'must be an address: 0x and 40 hex digits, in quotes'],
    ['contracts.quoteMarket', null, 'must be an address: 0x and 40 hex digits, in quotes'],
    ['contracts.quoteMarket', quoteMarket.slice(2), 'must be an address: 0x and 40 hex digits, in quotes'],
    ['contracts.quoteMarket', `${quoteMarket}\n`, 'must be an address: 0x and 40 hex digits, in quotes'],
    ['contracts.quoteMarket', quoteMarket.toLowerCase(), `wrong EIP-55 checksum, expected ${quoteMarket}`],
    ['contracts.quoteMarket', quoteMarket.replace('aA', 'AA'), `wrong EIP-55 checksum, expected ${quoteMarket}`],
    ['contracts.quoteMarket', `0x${'0'.repeat(40)}`, 'must not be the zero address'],
    ['contracts.quoteMarket', valid.contracts.bundler3, 'is the same address as contracts.bundler3'],
    [
      'contracts.oracle',
      quoteMarket,
      'is not a known field; the known fields are interestRatePool, bundler3, quoteMarket, keeperBundler',
    ],
    [
      'contracts.__proto__',
      quoteMarket,
      'is not a known field; the known fields are interestRatePool, bundler3, quoteMarket, keeperBundler',
    ],
    ['adapters', undefined, 'is missing'],
    ['adapters', 'none', 'must be an object'],
    ['adapters.generalAdapter1', '0x1', 'must be an address: 0x and 40 hex digits, in quotes'],
    ['adapters.other', quoteMarket, 'is the same address as contracts.quoteMarket'],
    ['adapters.Other', '0x1111111111111111111111111111111111111111', 'is not a camelCase name'],
    ['adapters.a-b', '0x1111111111111111111111111111111111111111', 'is not a camelCase name'],
    [
      'adapters.generalADAPTER1',
      '0x1111111111111111111111111111111111111111',
      'has the same constant name as adapters.generalAdapter1: GENERAL_ADAPTER1_ADDRESS',
    ],
    ['extra', 1, 'is not a known field; the known fields are chainId, name, deployBlock, contracts, adapters, note'],
  ])('error: %s = %j', (path, value, message) => {
    const error = refusalOf(changed(path, value))
    expect(error.message).toBe(`${file}: ${path}: ${message}`)
    expect(error).toMatchObject({ code: 'INVALID_DEPLOYMENT_FILE', file, mistakes: [{ path, message }] })
  })

  test('error: reports all errors at once, one per line', () => {
    const text = JSON.stringify({
      chainId: 1,
      name: 'Base',
      deployBlock: '7',
      contracts: { ...valid.contracts, quoteMarket: quoteMarket.toLowerCase(), bundler3: undefined, oracle: 'x' },
      adapters: {},
      extra: true,
    })
    expect(refusalOf(text).message.split('\n')).toEqual([
      `${file}: extra: is not a known field; the known fields are chainId, name, deployBlock, contracts, adapters, note`,
      `${file}: chainId: is 1, but the file is named for chain 8453`,
      `${file}: deployBlock: must be a non-negative integer`,
      `${file}: contracts.bundler3: is missing`,
      `${file}: contracts.oracle: is not a known field; the known fields are interestRatePool, bundler3, quoteMarket, keeperBundler`,
      `${file}: contracts.quoteMarket: wrong EIP-55 checksum, expected ${quoteMarket}`,
    ])
  })

  test('error: not JSON, or not an object', () => {
    expect(refusalOf('{ "chainId": 8453, }').message).toMatch(/^deployments\/8453\.json: is not JSON: ./)
    expect(refusalOf('').message).toMatch(/^deployments\/8453\.json: is not JSON: ./)
    for (const text of ['[]', 'null', '8453']) {
      expect(refusalOf(text).message).toBe(`${file}: must be a JSON object`)
    }
  })
})
