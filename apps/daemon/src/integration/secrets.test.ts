import { inspect } from 'node:util'
import { toPublicRfqId } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { exampleOutstanding } from '../../test/exampleOutstanding.ts'
import { exampleRfq } from '../../test/exampleRfq.ts'
import { createSdkService } from '../adapters/createSdkService.ts'
import { createViemChain } from '../adapters/viemChain/createViemChain.ts'

const privateKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const rpcUrl = 'http://127.0.0.1:9/v2/node-secret'
const address = '0x1111111111111111111111111111111111111111'
const place = { chainId: 8453, quoteMarket: address, interestRatePool: address } as const
const secretParts = [/59c6995e998f97a5/i, /node-secret/]

function expectNoSecret(text: string): void {
  for (const part of secretParts) expect(text).not.toMatch(part)
}

const silent = { info() {}, warn() {} }
const createService = () =>
  createSdkService({ ...place, url: 'http://localhost:1', audience: undefined, privateKey, log: silent })
const createChain = () => createViemChain({ ...place, rpcUrl, account: privateKeyToAccount(privateKey) })
const whole = { depth: 20, showHidden: true, getters: true }

describe('the key and the address of the node', () => {
  test('behavior: neither is visible in the objects that hold them', () => {
    for (const holder of [createService(), createChain()]) {
      expectNoSecret(inspect(holder, whole))
      expectNoSecret(JSON.stringify(holder) ?? '')
    }
  })

  test('error: neither is in an error, its cause, or its stack', async () => {
    const failures = [
      await createChain()
        .readMaker(exampleRfq, [])
        .catch((error: unknown) => error),
      await createChain()
        .raiseNonce()
        .catch((error: unknown) => error),
      await createChain()
        .check()
        .catch((error: unknown) => error),
      await createService()
        .sign(exampleOutstanding().quote)
        .catch((error: unknown) => error),
      await createService()
        .submit(toPublicRfqId('0'.repeat(32)), {} as never)
        .catch((error: unknown) => error),
    ]
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(Error)
      expectNoSecret(inspect(failure, whole))
    }
    expect(failures).toMatchObject([
      { code: 'CHAIN_UNAVAILABLE' },
      { code: 'TRANSACTION_FAILED' },
      { code: 'CHAIN_UNAVAILABLE' },
      { code: 'MAKER_MISMATCH' },
      { code: 'CONNECTION_FAILED' },
    ])
  })
})
