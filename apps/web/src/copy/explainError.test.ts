import { PositionNotReachedError } from '@firmquote/react'
import { BaseError, ConnectionError, ServiceError, SignerError } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import { UserRejectedRequestError, BaseError as ViemError } from 'viem'
import { explainError } from './explainError.ts'
import { chooseWords } from './words.ts'

const words = chooseWords(['en'])

test("default: a sentence of the page's own; the rest is for its details", () => {
  const error = new ServiceError('OVERLOADED', 'The service is at its limit.', { requestId: 'f3b1' })
  expect(explainError(error, words)).toEqual({
    message: 'The service is overloaded or restarting. Try again in a moment.',
    code: 'OVERLOADED',
    requestId: 'f3b1',
    cause: 'The service is at its limit.',
  })
})

test('behavior: mistakes in a request are named, each with its place', () => {
  const issues = [
    { path: 'notional', message: 'must be positive.' },
    { path: '', message: 'Too many fields.' },
  ]
  const { message, cause } = explainError(new ServiceError('INVALID_REQUEST', 'Not valid.', { issues }), words)
  expect(message).toBe("The service couldn't read the request.")
  expect(cause).toBe('Not valid. notional: must be positive. Too many fields.')
})

test("behavior: a halt is told with the operator's message", () => {
  const facts = { scope: 'pool', since: 1, message: 'The price feed is being replaced.' }
  expect(explainError(new ServiceError('MARKET_HALTED', 'Halted.', { facts }), words)).toMatchObject({
    message: 'Paused by the operator: The price feed is being replaced.',
    code: 'MARKET_HALTED',
  })
})

test('behavior: declined in the wallet is not a failure of it', () => {
  const declined = new ViemError('Outer.', { cause: new UserRejectedRequestError(new Error('No.')) })
  expect(explainError(declined, words)).toMatchObject({ code: 'WALLET_REJECTED' })
  expect(explainError(new ViemError('Broken.'), words)).toMatchObject({
    message: "Your wallet couldn't do this.",
    code: 'WALLET_ERROR',
    cause: 'Broken.',
  })
})

test('behavior: a signature that was declined is told as any other refusal', () => {
  const cause = new UserRejectedRequestError(new Error('no'))
  expect(explainError(new SignerError('SIGNING_FAILED', 'It did not sign.', { cause }), words).code).toBe(
    'WALLET_REJECTED',
  )
  expect(explainError(new SignerError('SIGNER_MISSING', 'There is none.'), words).code).toBe('SIGNER_MISSING')
})

test('behavior: whatever it is, there is a sentence', () => {
  const errors = [
    new ConnectionError('fetch failed', { sent: 'no' }),
    new BaseError('TRANSACTION_REPLACED', 'Another one.'),
    new PositionNotReachedError(20),
    new BaseError('FROM_A_NEWER_VERSION', 'New.'),
    new TypeError('x is not a function'),
  ]
  expect(errors.map((error) => explainError(error, words).code)).toEqual([
    'CONNECTION_FAILED',
    'TRANSACTION_REPLACED',
    'POSITION_NOT_REACHED',
    'FROM_A_NEWER_VERSION',
    'UNKNOWN',
  ])
  for (const error of errors) expect(explainError(error, words).message).toMatch(/^[A-Z][^_]*\.$/)
})
