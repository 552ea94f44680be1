import { BaseError, ChainUnavailableError } from '@firmquote/core'
import { AbortedError, ConnectionError, SignerError, TimeoutError } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { StorageUnavailableError, TransactionError } from '../errors.ts'
import { type ControlCode, ControlError, InvalidPolicyError } from './daemonControl.ts'
import { withControlErrors } from './withControlErrors.ts'

const failWith = (error: unknown) => withControlErrors(() => Promise.reject(error)).catch((caught: unknown) => caught)

describe('withControlErrors', () => {
  test('default', async () => {
    expect(await withControlErrors(async () => 5)).toBe(5)
  })

  test.each<[ControlCode, BaseError]>([
    ['CHAIN_UNAVAILABLE', new ChainUnavailableError('No answer.')],
    ['STORAGE_UNAVAILABLE', new StorageUnavailableError()],
    ['TRANSACTION_FAILED', new TransactionError('It was reverted.')],
    ['SIGNER_FAILED', new SignerError('SIGNING_FAILED', 'It was not signed.')],
    ['NOT_CONNECTED', new ConnectionError('There is no connection.', { sent: 'no' })],
    ['VERDICT_UNKNOWN', new ConnectionError('The connection broke.', { sent: 'maybe' })],
    ['NOT_CONNECTED', new TimeoutError('No answer.', { sent: 'no', timeoutMs: 5 })],
    ['VERDICT_UNKNOWN', new TimeoutError('No answer.', { sent: 'maybe', timeoutMs: 5 })],
    ['NOT_CONNECTED', new AbortedError({ sent: 'no' })],
    ['VERDICT_UNKNOWN', new AbortedError({ sent: 'maybe' })],
  ])('error: %s for %s', async (code, error) => {
    const caught = await failWith(error)
    expect(caught).toBeInstanceOf(ControlError)
    expect(caught).toMatchObject({ code, shortMessage: error.shortMessage, cause: error })
  })

  test('error: details follow the short message', async () => {
    const error = new ChainUnavailableError('Failed to read the chain.', { details: 'It took too long.' })
    expect(await failWith(error)).toMatchObject({ shortMessage: 'Failed to read the chain. It took too long.' })
  })

  test.each([
    new ControlError('PAUSED', 'It is paused.'),
    new InvalidPolicyError([]),
    new BaseError('OTHER', 'Something else.'),
    new TypeError('a mistake'),
  ])('error: %s stays what it is', async (error) => {
    expect(await failWith(error)).toBe(error)
  })
})
