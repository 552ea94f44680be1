import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The Chromium that the browser tests use: the one that FIRMQUOTE_BROWSER names, else the first in PATH; or why there is none.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {{ path: string, missing?: undefined } | { path?: undefined, missing: string }}
 */
export function findBrowser(environment = process.env) {
  const named = environment['FIRMQUOTE_BROWSER']
  const path = named ? [named].find(mayRun) : findProgram(names, environment)
  if (path) return { path }
  // What `npm test` has met when it tried to install one.
  const failure = environment['FIRMQUOTE_BROWSER_FAILURE']
  return { missing: failure || (whyNotInstalled(environment) ?? 'there is no Chromium in PATH') }
}

/**
 * Why Debian's Chromium may not be installed here; undefined where it may.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {string | undefined}
 */
export function whyNotInstalled(environment = process.env) {
  const named = environment['FIRMQUOTE_BROWSER']
  if (named) return `FIRMQUOTE_BROWSER is "${named}", which is not a program`
  if (!findProgram(['apt-get'], environment)) return 'there is no Chromium, and no apt-get to install it with'
  if (process.getuid?.() !== 0) return 'there is no Chromium, and only root may install it (apt-get install chromium)'
  return undefined
}

/**
 * The first program in PATH that has one of these names.
 *
 * @param {string[]} wanted
 * @param {NodeJS.ProcessEnv} environment
 */
export function findProgram(wanted, environment) {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return wanted.flatMap((name) => folders.map((folder) => join(folder, name))).find(mayRun)
}

/** @param {string} path */
function mayRun(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
