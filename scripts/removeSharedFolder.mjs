import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Jest's global teardown: ends what the tests have shared, and removes the folder that the setup has made. */
// biome-ignore lint/style/noDefaultExport: jest takes a teardown from a module's default export.
export default async function removeSharedFolder() {
  const { FIRMQUOTE_SHARED_FOLDER: folder } = process.env
  const pid = postgresOf(folder)
  for (let signal = 'SIGQUIT'; pid !== null && reaches(pid, signal); signal = 0) await sleep(20)
  rmSync(folder, { recursive: true, force: true })
}

/** The process of the PostgreSQL that was started in the folder; null for none. */
function postgresOf(folder) {
  try {
    return Number(readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return null
  }
}

function reaches(pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
