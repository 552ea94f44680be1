import { BaseError, ChainUnavailableError, InvalidInputError } from '@firmquote/core'
import {
  AbortedError,
  ConnectionError,
  InvalidResponseError,
  ServiceError,
  SignerError,
  StreamError,
  TimeoutError,
} from '@firmquote/sdk'
import { DaemonError, DaemonSocketError } from '@firmquote/sdk/node'
import { expect, test } from '@jest/globals'
import { MonitorAlarmError, NotExecutableError, ProofRefusedError, ServiceDownError, UsageError } from './errors.ts'
import { exitCodeOf } from './exitCodeOf.ts'

test.each([
  [1, new Error('unforeseen')],
  [1, new BaseError('NEW', 'A failure of a later version.')],
  [1, new InvalidResponseError('No JSON.')],
  [1, new ServiceDownError()],
  [1, new ProofRefusedError('No.')],
  [1, new MonitorAlarmError(1)],
  [2, new UsageError('No.')],
  [2, new InvalidInputError('No.')],
  [2, new SignerError('MAKER_MISMATCH', 'No.')],
  [3, new ServiceError('POOL_NOT_FOUND', 'No.')],
  [3, new StreamError('OVERLOADED', 'No.', { rfqId: null })],
  [3, new DaemonError(-32_001, 'No.')],
  [4, new NotExecutableError('CHECKS_FAILED', 'No.')],
  [5, new ConnectionError('Gone.', { sent: 'no' })],
  [5, new TimeoutError('Late.', { sent: 'maybe', timeoutMs: 1 })],
  [5, new StreamError('STREAM_INTERRUPTED', 'Broke.', { rfqId: null })],
  [5, new ChainUnavailableError('Gone.')],
  [5, new DaemonSocketError('missing', '/none', 'Gone.')],
  [130, new AbortedError({ sent: 'no' })],
])('default: %i for %s', (code, error) => {
  expect(exitCodeOf(error)).toBe(code)
})
