import type { BrowserStorage } from '@firmquote/react'
import { BaseError } from '@firmquote/sdk'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { tabStorage } from '../service/browserStorage.ts'

const key = 'firmquote.reloaded'
const askAgainMs = 3_000
const onceInMs = 60_000
const answerMs = 8_000

const retried = 'firmquote:retry'
const listeners = new Set<() => void>()
let missing = false

/**
 * Whether a view's file is missing because the server does not answer, for `useSyncExternalStore`. Stays true until the
 * page is loaded again.
 */
export const missingFiles = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  current: (): boolean => missing,
  /** Asks the server again now. */
  retry: (): void => void dispatchEvent(new Event(retried)),
}

/**
 * Returns a lazily loaded view. If the view's file cannot be loaded, waits for the server and reloads: the device may
 * have been offline. If the server answered all the time, reloads once, because a newer version with different file names
 * was probably deployed.
 */
export function loadView<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() }
    } catch (cause) {
      let reconnected = false
      for (; !(await isServed()); reconnected = true) {
        missing = true
        for (const listener of listeners) listener()
        await nextTry()
      }
      if (!reconnected && !mayReload(tabStorage, Date.now())) {
        throw new BaseError('PAGE_FILE_MISSING', 'A file of this page could not be loaded.', { cause })
      }
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

/** Resolves after a pause, when the device gets a network, or when the visitor asks for it. */
function nextTry(): Promise<void> {
  return new Promise((resolve) => {
    const wakers = new AbortController()
    const wake = () => {
      wakers.abort()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(wake, askAgainMs)
    for (const event of ['online', retried]) addEventListener(event, wake, { signal: wakers.signal })
  })
}

async function isServed(): Promise<boolean> {
  return fetch(location.pathname, { cache: 'no-store', signal: AbortSignal.timeout(answerMs) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
