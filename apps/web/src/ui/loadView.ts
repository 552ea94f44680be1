import type { BrowserStorage } from '@firmquote/react'
import { BaseError } from '@firmquote/sdk'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { tabStorage } from '../service/browserStorage.ts'

const key = 'firmquote.reloaded'
const askAgainMs = 3_000
const onceInMs = 60_000

/**
 * Returns a lazily loaded view. If the view's file is missing, waits for the server and reloads once, because a newer
 * version with different file names was probably deployed.
 */
export function loadView<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() }
    } catch (cause) {
      if (!mayReload(tabStorage, Date.now())) {
        throw new BaseError('PAGE_FILE_MISSING', 'A file of this page could not be loaded.', { cause })
      }
      while (!(await isServed())) await new Promise((resolve) => setTimeout(resolve, askAgainMs))
      location.reload()
      return new Promise<never>(() => {})
    }
  })
}

/**
 * Whether the app may reload itself. Records the reload and rejects another within `onceInMs`.
 *
 * @param now Unix milliseconds.
 */
export function mayReload(storage: BrowserStorage, now: number): boolean {
  const before = Number(storage.getItem(key) ?? Number.NaN)
  if (Math.abs(now - before) < onceInMs) return false
  storage.setItem(key, now.toString())
  return true
}

async function isServed(): Promise<boolean> {
  return fetch(location.pathname, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
