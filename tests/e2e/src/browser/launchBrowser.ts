import { type Browser, chromium } from 'playwright-core'
import { findBrowser } from '../../../../scripts/findBrowser.mjs'

/**
 * Starts this machine's Chromium without a window.
 *
 * @throws {TypeError} when there is none.
 */
export async function launchBrowser(): Promise<Browser> {
  const { path, missing } = findBrowser()
  if (path === undefined) throw new TypeError(`No browser: ${missing}.`)
  return chromium.launch({ executablePath: path })
}
