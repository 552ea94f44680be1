import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Creates a folder once per Jest run. Test files in other processes wait until the first file has filled the folder.
 * The folder is removed after the run.
 *
 * @returns the folder.
 * @throws the error of `fill`. In other test files, throws an error that says the first file has failed.
 */
export async function onceInRun(name: string, fill: (folder: string) => Promise<void> | void): Promise<string> {
  const shared = process.env['FIRMQUOTE_SHARED_FOLDER']
  if (shared === undefined)
    throw new TypeError("FIRMQUOTE_SHARED_FOLDER is not set, because Jest's global setup did not run.")
  const folder = join(shared, name)
  const [filled, failed] = [`${folder}-filled`, `${folder}-failed`]
  if (!mkdirSync(folder, { recursive: true })) {
    while (!existsSync(filled)) {
      if (existsSync(failed)) throw new TypeError(`Another test file failed to create the shared folder ${name}.`)
      await sleep(100)
    }
    return folder
  }
  try {
    await fill(folder)
    writeFileSync(filled, '')
  } catch (error) {
    writeFileSync(failed, '')
    throw error
  }
  return folder
}
