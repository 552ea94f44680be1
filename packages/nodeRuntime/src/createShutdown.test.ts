import { createDeferred } from '@firmquote/test-support/createDeferred'
import { describe, expect, test } from '@jest/globals'
import { createShutdown } from './createShutdown.ts'

function watched(timeoutMs = 5_000) {
  const codes: number[] = []
  const logs: string[] = []
  const { promise: exit, resolve: exited } = createDeferred<number>()
  const write = (_facts: object, message: string) => void logs.push(message)
  const shutdown = createShutdown({
    log: { info: write, error: write },
    timeoutMs,
    exit: (code) => {
      codes.push(code)
      exited(code)
    },
  })
  return { shutdown, codes, logs, exit }
}

describe('createShutdown', () => {
  test('default', async () => {
    const { shutdown, codes, exit, logs } = watched()
    const steps: string[] = []
    shutdown.register(async () => void steps.push('stopped'))
    shutdown.onSignal('SIGTERM')
    expect(codes).toEqual([])
    expect(await exit).toBe(0)
    expect(steps).toEqual(['stopped'])
    expect(logs).toEqual(['stopping', 'stopped'])
  })

  test('behavior: a second signal does not wait', () => {
    const { shutdown, codes } = watched(20)
    shutdown.register(() => new Promise(() => {}))
    shutdown.onSignal('SIGINT')
    expect(codes).toEqual([])
    shutdown.onSignal('SIGINT')
    expect(codes).toEqual([1])
  })

  test('behavior: exits when shutdown takes too long', async () => {
    const { shutdown, exit, logs } = watched(10)
    shutdown.register(() => new Promise(() => {}))
    shutdown.onSignal('SIGTERM')
    expect(await exit).toBe(1)
    expect(logs.at(-1)).toMatch(/shutdown timed out/)
  })

  test('error: an unexpected failure shuts down gracefully with code 1', async () => {
    const { shutdown, exit, logs } = watched()
    shutdown.register(async () => {})
    shutdown.onFailure(new TypeError('a mistake'))
    shutdown.onFailure(new TypeError('another, on the way out'))
    expect(await exit).toBe(1)
    expect(logs.filter((line) => line === 'stopped')).toHaveLength(1)
  })

  test('error: a failed shutdown, and a failure during shutdown', async () => {
    const failing = watched()
    failing.shutdown.register(async () => {
      throw new TypeError('a mistake')
    })
    failing.shutdown.onSignal('SIGTERM')
    expect(await failing.exit).toBe(1)

    const { shutdown, exit } = watched()
    shutdown.register(async () => shutdown.onFailure(new TypeError('a mistake')))
    shutdown.onSignal('SIGTERM')
    expect(await exit).toBe(1)
  })
})
