import { execFileSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import type { ThreadFigures } from '../ports/metrics.ts'

/**
 * Runs a program that uses a watch in its own process, and returns its output. In a separate process, because Jest
 * gives each test its own process object.
 */
function run(program: string): ThreadFigures[][] {
  const script = `
    import { once } from 'node:events'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { Worker } from 'node:worker_threads'
    import { watchThreads } from ${JSON.stringify(new URL('watchThreads.ts', import.meta.url))}
    const watch = watchThreads()
    const start = async (name, program) => {
      const worker = new Worker(program, { eval: true, name })
      await once(worker, 'online')
      return worker
    }
    const until = async (isSo) => {
      for (const end = Date.now() + 10_000; Date.now() < end && !watch.figures().some(isSo); await sleep(10));
    }
    const seen = []
    const look = () => seen.push(watch.figures())
    ${program}
    process.stdout.write(JSON.stringify(seen), () => process.exit())`
  const flags = ['--no-warnings', '--input-type=module', '--eval', script]
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' })) as ThreadFigures[][]
}

const number = expect.any(Number)
const complete = { heapBytes: number, heapLimitBytes: number, cpuSeconds: number }

describe('watchThreads', () => {
  test('default: watches this thread, and each later thread until it ends', () => {
    const [alone, both, after] = run(`
      look()
      const worker = await start('store', 'setInterval(() => {}, 10)')
      await until(({ thread, busySeconds, cpuSeconds }) => thread === 'store' && busySeconds > 0 && cpuSeconds !== null)
      look()
      await worker.terminate()
      look()`)
    const main = { thread: 'main', ...complete, busySeconds: number }
    expect([alone, both, after]).toEqual([[main], [main, { ...main, thread: 'store' }], [main]])
    expect(both?.[1]?.heapBytes).toBeLessThan(both?.[1]?.heapLimitBytes ?? 0)
  })

  test('behavior: a thread that sleeps outside its event loop is listed without its busy time', () => {
    const [figures] = run(`
      await start('signatures-1', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)')
      await until(({ thread, cpuSeconds }) => thread === 'signatures-1' && cpuSeconds !== null)
      look()`)
    expect(figures?.[1]).toEqual({ thread: 'signatures-1', ...complete, busySeconds: null })
  })

  test('behavior: watches nothing after it stops', () => {
    const [figures] = run(`
      watch.stop()
      await start('late', 'setInterval(() => {}, 10)')
      look()`)
    expect(figures?.map(({ thread }) => thread)).toEqual(['main'])
  })
})
