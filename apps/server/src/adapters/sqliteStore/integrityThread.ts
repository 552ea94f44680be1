// The integrity check runs in a separate thread because it reads the whole database.
import { parentPort, workerData } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import type { IntegrityResult } from './checkIntegrity.ts'
import { encodeFailure } from './writeFailure.ts'

const { file } = workerData as { file: string }
parentPort?.postMessage(checkDatabase())

function checkDatabase(): IntegrityResult {
  try {
    const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: 1_000 })
    try {
      const found = database.pragma('quick_check(1)', { simple: true })
      return found === 'ok' ? { damage: null } : { damage: String(found) }
    } finally {
      database.close()
    }
  } catch (error) {
    return { failure: encodeFailure(error) }
  }
}
