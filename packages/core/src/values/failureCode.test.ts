import { expect, test } from '@jest/globals'
import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { BaseError, ChainUnavailableError } from '../errors.ts'
import { failureCode } from './failureCode.ts'

const url = 'https://user:hunter2@node.example/v2/d01fce2e8a4b43a7?key=hunter2'
const refused = new TypeError('fetch failed', { cause: Object.assign(new Error(url), { code: 'ECONNREFUSED' }) })

test.each<[string, unknown, string | undefined]>([
  ['a refused connection', refused, 'ECONNREFUSED'],
  ["viem's wrapper of one", new HttpRequestError({ url, cause: refused }), 'ECONNREFUSED'],
  ['an HTTP status', new HttpRequestError({ url, status: 401 }), 'HTTP 401'],
  [
    'a JSON-RPC error',
    new RpcRequestError({ url, body: {}, error: { code: -32_000, message: url } }),
    'JSON-RPC error -32000',
  ],
  ['a timeout', new TimeoutError({ url, body: {} }), 'TimeoutError'],
  ['the innermost cause', new BaseError('SOME_CODE', 'Failed.', { cause: refused }), 'ECONNREFUSED'],
  ["a browser's failure", new TypeError('Failed to fetch'), undefined],
  ['text instead of a code', { code: `${url} A` }, undefined],
  ['a numeric code of another kind', Object.assign(new Error('aborted'), { code: 20 }), undefined],
  ['no error', undefined, undefined],
])('default: %s', (_what, error, code) => {
  expect(failureCode(error)).toBe(code)
  const { details, message } = new ChainUnavailableError('Failed to read the chain.', { cause: error })
  expect(details).toBe(code && `The cause is ${code}.`)
  expect(message).not.toMatch(/hunter2|d01fce/)
})

test('behavior: terminates on a cyclic chain of causes', () => {
  const error: { code: string; cause?: unknown } = { code: 'ETIMEDOUT' }
  error.cause = error
  expect(failureCode(error)).toBe('ETIMEDOUT')
})
