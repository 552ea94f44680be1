import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * A browser for tests: the program named by `variable`, else the first of `programs` in PATH. `package` is the Debian
 * package.
 *
 * @typedef {{ name: string, programs: string[], package: string, variable: string }} BrowserKind
 */

/** The default browser of browser tests. @type {BrowserKind} */
export const chromium = {
  name: 'Chromium',
  programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  package: 'chromium',
  variable: 'FIRMQUOTE_BROWSER',
}

/** A second engine. @type {BrowserKind} */
export const firefox = {
  name: 'Firefox',
  programs: ['firefox-esr', 'firefox'],
  package: 'firefox-esr',
  variable: 'FIRMQUOTE_FIREFOX',
}

/**
 * Finds a browser, or the reason why it is missing. `FIRMQUOTE_INSTALL_FAILURE` says why `npm test` failed to install
 * it.
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
 * Why Debian packages cannot be installed here; undefined if they can.
 *
 * @param {string[]} packages
 * @param {NodeJS.ProcessEnv} env
 */
export function whyNotInstallable(packages, env) {
  if (!findProgram(['apt-get'], env)) return `there is no apt-get to install ${packages.join(', ')} with`
  if (process.getuid?.() !== 0) return `only root may install packages (apt-get install ${packages.join(' ')})`
  return undefined
}

/**
 * The first of these programs in PATH.
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
