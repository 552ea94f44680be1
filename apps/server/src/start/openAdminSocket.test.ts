import { join } from 'node:path'
import { InvalidInputError } from '@firmquote/core'
import { callSocket } from '@firmquote/node-runtime/socket/callSocket'
import { createListLog } from '@firmquote/test-support/listLog'
import { createSocketFolder } from '@firmquote/test-support/socketFolder'
import { afterEach, expect, test } from '@jest/globals'
import { AdminRefusedError } from '../app/control/adminError.ts'
import { StorageUnavailableError } from '../ports/errors.ts'
import { openAdminSocket } from './openAdminSocket.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const secret = 'postgres://name:password@host'

async function open(error: Error) {
  const { folder, remove } = createSocketFolder()
  closers.push(remove)
  const log = createListLog()
  const configuration = { ADMIN_SOCKET: null, DATABASE_URL: null, DATA_DIR: folder }
  const methods = { fail: () => Promise.reject(error) }
  const { path, close } = await openAdminSocket(configuration, { methods, log })
  closers.push(close)
  return {
    log,
    path,
    folder,
    call: () => callSocket({ socketPath: path ?? '', program: 'server', method: 'fail', params: {} }),
  }
}

test.each<[Error, object]>([
  [
    new AdminRefusedError('The maker is not banned.'),
    { rpcCode: -32_001, shortMessage: 'The maker is not banned.', data: { code: 'REFUSED' } },
  ],
  [
    new StorageUnavailableError(secret),
    {
      rpcCode: -32_001,
      shortMessage: expect.not.stringContaining(secret),
      data: { code: 'STORAGE_UNAVAILABLE' },
    },
  ],
  [
    new InvalidInputError('must be an address.', { path: 'maker', given: secret }),
    {
      rpcCode: -32_602,
      shortMessage: 'maker: must be an address.',
      data: { code: 'INVALID_INPUT', path: 'maker' },
    },
  ],
])('error: %s is an answer', async (error, answer) => {
  const { call, log } = await open(error)
  await expect(call()).rejects.toMatchObject(answer)
  expect(log.entries.filter(({ level }) => level === 'error')).toEqual([])
})

test('error: an unexpected error is logged, and the answer contains no detail', async () => {
  const { call, log } = await open(new TypeError(secret))
  await expect(call()).rejects.toMatchObject({ shortMessage: "Unexpected error in the server; see the server's log." })
  expect(log.entries.filter(({ level }) => level === 'error')).toHaveLength(1)
})

test('behavior: with DATABASE_URL and without ADMIN_SOCKET there is no socket, and the log says so', async () => {
  const { folder, remove } = createSocketFolder()
  closers.push(remove)
  const log = createListLog()
  const configuration = { ADMIN_SOCKET: null, DATABASE_URL: 'postgres://host/database', DATA_DIR: folder }
  expect((await openAdminSocket(configuration, { methods: {}, log })).path).toBeNull()
  expect(log.entries).toEqual([
    { level: 'info', facts: {}, message: 'no admin socket: set ADMIN_SOCKET to control this instance' },
  ])
  const given = { ...configuration, ADMIN_SOCKET: join(folder, 'given.sock') }
  const { path, close } = await openAdminSocket(given, { methods: {}, log })
  closers.push(close)
  expect(path).toBe(given.ADMIN_SOCKET)
})
