import { describe, expect, test } from '@jest/globals'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import { isDamage, isRefusedCommit, isStoreError, sqliteCode } from './sqliteFailure.ts'
import { decodeFailure, encodeFailure } from './writeFailure.ts'

const failureOf = (code: string) => Object.assign(new Error('of SQLite'), { code })

describe('sqliteCode', () => {
  test('default: the code of an error or of its cause', () => {
    const cause = failureOf('SQLITE_FULL')
    expect(sqliteCode(cause)).toBe('SQLITE_FULL')
    expect(sqliteCode(new StorageUnavailableError('It failed.', { cause }))).toBe('SQLITE_FULL')
    expect(sqliteCode(Object.assign(new Error('of the system'), { code: 'ENOSPC' }))).toBeNull()
    expect(sqliteCode('SQLITE_FULL')).toBeNull()
  })

  test('behavior: a failure keeps its class and code between threads', () => {
    const sent = structuredClone(
      encodeFailure(new OutcomeUnknownError('Not known.', { cause: failureOf('SQLITE_IOERR_FSYNC') })),
    )
    const received = decodeFailure(sent)
    expect(received).toBeInstanceOf(OutcomeUnknownError)
    expect(sqliteCode(received)).toBe('SQLITE_IOERR_FSYNC')
    expect(sqliteCode(decodeFailure(structuredClone(encodeFailure(failureOf('SQLITE_CORRUPT')))))).toBe(
      'SQLITE_CORRUPT',
    )
  })
})

test.each([
  // Columns: code, is damage, affects the whole database, failed commit stored nothing
  ['SQLITE_FULL', false, false, true],
  ['SQLITE_BUSY', false, true, true],
  ['SQLITE_BUSY_SNAPSHOT', false, true, true],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', false, false, true],
  ['SQLITE_IOERR_FSYNC', false, true, false],
  ['SQLITE_IOERR_WRITE', false, true, false],
  ['SQLITE_NOMEM', false, false, false],
  ['SQLITE_CORRUPT_INDEX', true, true, false],
  ['SQLITE_NOTADB', true, true, false],
  ['none', false, false, false],
] as const)('behavior: the meaning of %s', (code, damage, ofAll, refusedCommit) => {
  const error = failureOf(code)
  expect([isDamage(error), isStoreError(error), isRefusedCommit(error)]).toEqual([damage, ofAll, refusedCommit])
})
