import type { afterEach } from '@jest/globals'

/** Registers things that a test starts, and stops them in a hook, last started first. */
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
