import { ChainUnavailableError, ServiceError } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import {
  ChainDisconnectedError,
  HttpRequestError,
  InternalRpcError,
  LimitExceededRpcError,
  ProviderDisconnectedError,
  TimeoutError,
  UnauthorizedProviderError,
} from 'viem'
import { explainRead, explainWallet } from './explainWallet.ts'
import { chooseWords } from './words.ts'

const words = chooseWords(['en-GB'])
const { walletErrors, codes } = words.texts
const own = new Error('upstream gone')
const url = 'https://node.example/key'

test.each([
  ['limits requests', new LimitExceededRpcError(own), walletErrors.limited],
  ['is locked', new UnauthorizedProviderError(own), walletErrors.locked],
  ['is disconnected', new ProviderDisconnectedError(own), walletErrors.offline],
  ['is disconnected from the chain', new ChainDisconnectedError(own), walletErrors.offline],
  ['cannot reach its node', new HttpRequestError({ url }), walletErrors.unreachable],
  ['gets no answer', new TimeoutError({ url, body: {} }), walletErrors.unreachable],
  ['fails otherwise', new InternalRpcError(own), walletErrors.failed],
])('behavior: says why the chain cannot be read through a wallet that %s', (_, error, message) => {
  expect(explainRead(error, words).message).toBe(message)
  const wrapped = explainRead(new ChainUnavailableError('No.', { cause: error }), words)
  expect(wrapped).toMatchObject({ message, code: 'CHAIN_UNAVAILABLE' })
  expect(wrapped.cause).not.toContain(url)
})

test("behavior: shows the wallet's own message as the cause", () => {
  expect(explainRead(new InternalRpcError(own), words).cause).toBe('upstream gone')
})

test("error: an error that is not the wallet's keeps its own explanation", () => {
  expect(explainRead(new ServiceError('OVERLOADED', 'No.', { status: 503 }), words).message).toBe(codes.OVERLOADED)
  expect(explainRead(new ChainUnavailableError('No.'), words).message).toBe(codes.CHAIN_UNAVAILABLE)
  expect(explainWallet(new InternalRpcError(own), words).message).toBe(codes.WALLET_ERROR)
})
