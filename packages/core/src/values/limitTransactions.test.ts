import { expect, test } from '@jest/globals'
import { parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { limitTransactions } from './limitTransactions.ts'

const own = privateKeyToAccount(generatePrivateKey())
const account = limitTransactions(own, { maxFee: 1_000n, chainId: 8453 })
const transaction = { chainId: 8453, to: own.address, gas: 100n } as const

test('default: signs like the account itself', async () => {
  expect(account).toMatchObject({ address: own.address, type: 'local', sign: own.sign })
  const signed = await account.signTransaction({ ...transaction, maxFeePerGas: 10n })
  expect(signed).toBe(await own.signTransaction({ ...transaction, maxFeePerGas: 10n }))
  expect(parseTransaction(signed)).toMatchObject({ chainId: 8453, maxFeePerGas: 10n })
})

test.each([
  ['the highest gas price', { maxFeePerGas: 11n, maxPriorityFeePerGas: 0n }, 'FEE_TOO_HIGH'],
  ['a legacy gas price', { type: 'legacy', gasPrice: 11n }, 'FEE_TOO_HIGH'],
  ['the gas limit', { maxFeePerGas: 10n, gas: 101n }, 'FEE_TOO_HIGH'],
  ['the chain', { maxFeePerGas: 10n, chainId: 1 }, 'WRONG_CHAIN'],
  ['no chain', { type: 'legacy', gasPrice: 10n, chainId: undefined }, 'WRONG_CHAIN'],
])('error: %s', async (_, change, code) => {
  await expect(account.signTransaction({ ...transaction, ...change } as never)).rejects.toMatchObject({ code })
})

test('behavior: without a chain id, any chain', async () => {
  const signed = await limitTransactions(own, { maxFee: 0n }).signTransaction({
    ...transaction,
    maxFeePerGas: 0n,
    chainId: 1,
  })
  expect(parseTransaction(signed)).toMatchObject({ chainId: 1 })
})
