import type { afterEach } from '@jest/globals'

/** Returns a function that registers what a test starts. A hook stops all of it in reverse order. */
export function stopAfter(hook: typeof afterEach): <T extends { stop(): unknown }>(started: T) => T {
  let running = new AsyncDisposableStack()
  hook(async () => {
    const ending = running
    running = new AsyncDisposableStack()
    await ending.disposeAsync()
  }, 60_000)
  return (started) => {
    running.defer(async () => void (await started.stop()))
    return started
  }
}
