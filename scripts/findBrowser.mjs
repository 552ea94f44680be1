import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * A browser for tests: the program named by the environment variable `variable`, otherwise the first of `programs` in
 * PATH. `package` is its Debian package.
 *
 * @typedef {{ name: string, programs: string[], package: string, variable: string }} BrowserKind
 */

/** The default browser for tests. @type {BrowserKind} */
export const chromium = {
  name: 'Chromium',
  programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  package: 'chromium',
  variable: 'FIRMQUOTE_BROWSER',
}

/** A browser with another engine. @type {BrowserKind} */
export const firefox = {
  name: 'Firefox',
  programs: ['firefox-esr', 'firefox'],
  package: 'firefox-esr',
  variable: 'FIRMQUOTE_FIREFOX',
}

/**
 * Finds a browser, or explains why it is missing. `FIRMQUOTE_INSTALL_FAILURE` contains the reason why `npm test` failed
 * to install it.
 *
 * @returns {{ path: string, missing?: undefined } | { path?: undefined, missing: string }}
 */
export function findBrowser(env = process.env, kind = chromium) {
  const named = env[kind.variable]
  const path = named ? [named].find(mayRun) : findProgram(kind.programs, env)
  if (path) return { path }
  if (named) return { missing: `${kind.variable} is "${named}", which is not a program` }
  const failure = env['FIRMQUOTE_INSTALL_FAILURE'] || whyNotInstallable([kind.package], env)
  return { missing: failure || `there is no ${kind.name} in PATH` }
}

/**
 * Explains why Debian packages cannot be installed here. Returns undefined if they can.
 *
 * @param {string[]} packages
 * @param {NodeJS.ProcessEnv} env
 */
export function whyNotInstallable(packages, env) {
  if (!findProgram(['apt-get'], env)) return `apt-get is not available to install ${packages.join(', ')}`
  if (process.getuid?.() !== 0) return `only root may install packages (apt-get install ${packages.join(' ')})`
  return undefined
}

/**
 * Finds the first of these programs in PATH.
 *
 * @param {string[]} wanted
 * @param {NodeJS.ProcessEnv} env
 */
export function findProgram(wanted, env) {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
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
