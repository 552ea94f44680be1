import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * A browser that tests use: the one that its variable names, else the first of its programs in PATH.
 *
 * @typedef {{ name: string, programs: string[], package: string, variable: string, failure: string }} BrowserKind
 */

/** What all browser tests use, but for a few. @type {BrowserKind} */
export const chromium = {
  name: 'Chromium',
  programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  package: 'chromium',
  variable: 'FIRMQUOTE_BROWSER',
  // What `npm test` has met when it tried to install one.
  failure: 'FIRMQUOTE_BROWSER_FAILURE',
}

/** What shows that the page works in another engine. @type {BrowserKind} */
export const firefox = {
  name: 'Firefox',
  programs: ['firefox-esr', 'firefox'],
  package: 'firefox-esr',
  variable: 'FIRMQUOTE_FIREFOX',
  failure: 'FIRMQUOTE_FIREFOX_FAILURE',
}

/**
 * The browser of a kind, or why there is none.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 * @param {BrowserKind} [kind]
 * @returns {{ path: string, missing?: undefined } | { path?: undefined, missing: string }}
 */
export function findBrowser(environment = process.env, kind = chromium) {
  const named = environment[kind.variable]
  const path = named ? [named].find(mayRun) : findProgram(kind.programs, environment)
  if (path) return { path }
  const failure = environment[kind.failure]
  return { missing: failure || (whyNotInstalled(environment, kind) ?? `there is no ${kind.name} in PATH`) }
}

/**
 * Why Debian's package of it may not be installed here; undefined where it may.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 * @param {BrowserKind} [kind]
 * @returns {string | undefined}
 */
export function whyNotInstalled(environment = process.env, kind = chromium) {
  const named = environment[kind.variable]
  if (named) return `${kind.variable} is "${named}", which is not a program`
  if (!findProgram(['apt-get'], environment)) return `there is no ${kind.name}, and no apt-get to install it with`
  if (process.getuid?.() !== 0) {
    return `there is no ${kind.name}, and only root may install it (apt-get install ${kind.package})`
  }
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
