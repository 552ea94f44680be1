import { readFileSync } from 'node:fs'
import { interestRatePoolAbi, quoteMarketAbi } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import {
  type Abi,
  type AbiParameter,
  encodeErrorResult,
  type Hex,
  InsufficientFundsError,
  ProviderDisconnectedError,
  ResourceUnavailableRpcError,
  RpcRequestError,
  stringToHex,
  TransactionExecutionError,
  UnauthorizedProviderError,
  UserRejectedRequestError,
  BaseError as ViemError,
} from 'viem'
import { readContractError } from '../../copy/contractErrors.ts'
import { chooseWords } from '../../copy/words.ts'
import { codeOf, explainFailure, explainRefusal } from './explainFailure.ts'

const words = chooseWords(['en-GB'])
const root = new URL('../../../../../', import.meta.url)
const documented = ['quoteMarket', 'interestRatePool'].map(
  (name) => JSON.parse(readFileSync(new URL(`docs/abi/${name}.json`, root), 'utf8')) as Abi,
)
const errors = [quoteMarketAbi, interestRatePoolAbi, ...documented].flatMap((abi) =>
  (abi as Abi)
    .filter((item) => item.type === 'error')
    .map((item) => ({ abi: [item], name: item.name, inputs: item.inputs })),
)
const sentence = /^[A-Z][^_]*\.$/

/** Returns a sample value for each ABI type in these errors. */
const sampleOf = ({ type }: AbiParameter) =>
  type === 'address' ? `0x${'11'.repeat(20)}` : type === 'bytes32' ? `0x${'22'.repeat(32)}` : 7n

function answer(abi: Abi, name: string, inputs: readonly AbiParameter[]): Hex {
  return encodeErrorResult({ abi, errorName: name, args: inputs.map(sampleOf) } as never)
}

function sent(cause: Error): ViemError {
  return new TransactionExecutionError(cause as ViemError, { account: null } as never)
}

test('default: the list has every error of both contracts', () => {
  expect(new Set(errors.map(({ name }) => name))).toEqual(
    new Set([
      'QuoteNotExecutable',
      'QuoteNotOpen',
      'CostTooHigh',
      'OperatorNotApproved',
      'TransferIncomplete',
      'NotMaker',
      'SeriesNotFound',
      'SeriesNotExpired',
      'PositionNotFound',
      'PositionAlreadySettled',
    ]),
  )
})

test.each(errors)(
  'behavior: $name has a sentence, and its name stands in the details alone',
  ({ abi, name, inputs }) => {
    const data = answer(abi, name, inputs)
    const refusal = readContractError(data)
    expect(refusal?.name).toBe(name)
    const request = { body: {}, url: 'http://localhost' }
    const cause = new RpcRequestError({ ...request, error: { code: 3, message: 'execution reverted', data } })
    const { message, code } = explainFailure(sent(cause), words)
    expect(message).toMatch(sentence)
    expect(message).not.toContain(name)
    expect(code).toContain(name)
    // Some nodes nest the data one level deeper.
    const deeper = new RpcRequestError({ ...request, error: { code: 3, message: 'reverted', data: { data } } })
    expect(explainFailure(sent(deeper), words).message).toBe(message)
  },
)

describe('the market’s own reasons', () => {
  const source = readFileSync(new URL('packages/devnet/contracts/QuoteMarket.sol', root), 'utf8')
  const reasons = [...source.matchAll(/return "([A-Z_]+)";/g)].map(([, reason = '']) => reason)

  test('default: there are twelve', () => expect(reasons).toHaveLength(12))

  test.each(reasons)('behavior: %s has a sentence of its own', (reason) => {
    const data = encodeErrorResult({
      abi: quoteMarketAbi,
      errorName: 'QuoteNotExecutable',
      args: [stringToHex(reason, { size: 32 })],
    })
    const refusal = readContractError(data)
    if (!refusal) throw new TypeError('not read')
    expect(codeOf(refusal)).toBe(`QuoteNotExecutable: ${reason}`)
    const message = explainRefusal(refusal, words)
    expect(message).toMatch(sentence)
    expect(message).not.toBe(explainRefusal({ name: 'QuoteNotExecutable', reason: 'FROM_A_NEWER_VERSION' }, words))
  })
})

test('behavior: an answer that nobody knows is the wallet’s failure', () => {
  expect(readContractError('0x')).toBeNull()
  expect(readContractError('0x12345678')).toBeNull()
  const text = encodeErrorResult({
    abi: [{ type: 'error', name: 'Error', inputs: [{ name: 'reason', type: 'string' }] }],
    args: ['transfer amount exceeds balance'],
  })
  expect(readContractError(text)).toEqual({ name: 'Error', reason: 'transfer amount exceeds balance' })
  expect(explainFailure(new ViemError('Broken.'), words)).toMatchObject({ code: 'WALLET_ERROR', cause: 'Broken.' })
})

test.each([
  ['no coin for the fee', new InsufficientFundsError(), 'fee'],
  ['another request is open', new ResourceUnavailableRpcError(new Error('pending')), 'another open request'],
  ['locked', new UnauthorizedProviderError(new Error('locked')), 'locked'],
  ['without a network', new ProviderDisconnectedError(new Error('gone')), 'network connection'],
  ['declined', new UserRejectedRequestError(new Error('no')), 'declined'],
])('behavior: a wallet, %s', (_what, cause, said) => {
  const { message } = explainFailure(sent(cause), words)
  expect(message).toMatch(sentence)
  expect(message).toContain(said)
})

test('behavior: every other error keeps its own sentence', () => {
  expect(explainFailure(new TypeError('x is not a function'), words)).toMatchObject({ code: 'UNKNOWN' })
})
