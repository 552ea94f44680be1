import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { freePort } from './freePort.ts'
import { root } from './pack.ts'

const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
})

/** `npm start`, in a process group of its own as in a terminal. */
function start(environment: Record<string, string>) {
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  started.push(child)
  let output = ''
  const waiting: (() => void)[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      for (const check of waiting) check()
    })
  }
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  return {
    child,
    exited,
    output: () => output,
    shows: (text: string | RegExp) =>
      new Promise<void>((resolve, reject) => {
        const check = () => {
          if (output.search(text) >= 0) resolve()
        }
        waiting.push(check)
        check()
        void exited.then(() => reject(new TypeError(`it ended without showing ${text}:\n${output}`)))
      }),
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

describe('npm start', () => {
  test('default: ready in time, usable as it says, and nothing is left after Ctrl-C', async () => {
    const [port, rpcPort] = [await freePort(), await freePort()]
    const url = `http://localhost:${port}`
    const rpcUrl = `http://127.0.0.1:${rpcPort}`
    const demo = start({ PORT: String(port), RPC_PORT: String(rpcPort) })
    const begun = performance.now()
    await demo.shows(`ready ${url}`)
    expect(performance.now() - begun).toBeLessThan(15_000)
    await demo.shows('Ctrl-C stops everything.')
    const [first] = /curl -s \S+/.exec(demo.output()) ?? []
    expect(first).toBe(`curl -s ${url}/api/v1/pools/rates`)
    const { pools } = (await (await fetch(`${url}/api/v1/pools/rates`)).json()) as { pools: { series: unknown[] }[] }
    expect(pools.map(({ series }) => series.length)).toEqual([5, 5])
    expect(await (await fetch(`${url}/api/v1/rfq/quotes/recent`)).json()).toEqual({ quotes: [] })

    const borrow = /^ {2}node (apps\/demo\/borrow\.mjs .*)$/m.exec(demo.output())?.[1]?.split(' ') ?? []
    const borrower = spawn(process.execPath, borrow, { cwd: root })
    let story = ''
    borrower.stdout.on('data', (chunk: Buffer) => {
      story += chunk.toString()
    })
    borrower.stderr.on('data', (chunk: Buffer) => {
      story += chunk.toString()
    })
    await once(borrower, 'exit')
    expect(story).toContain('asked 3 backers')
    expect(story.match(/fixed at/g)).toHaveLength(3)
    expect(story).toMatch(/^success: /m)

    // The pipe closes when the last process that holds it is gone.
    const gone = once(demo.child.stdout, 'close')
    process.kill(-(demo.child.pid ?? 0), 'SIGINT')
    await gone
    expect(demo.output()).toMatch(/Stopping …\n$/)
    expect(await answers(url)).toBe(false)
    expect(await answers(rpcUrl)).toBe(false)
  }, 90_000)

  test.each(['PORT', 'RPC_PORT'])(
    'error: a taken %s is one clear sentence',
    async (name) => {
      const holder = createServer().listen(0, '127.0.0.1')
      await once(holder, 'listening')
      const address = holder.address()
      if (address === null || typeof address === 'string') throw new TypeError('no port')
      const ports = { PORT: String(await freePort()), RPC_PORT: String(await freePort()), [name]: String(address.port) }
      const demo = start(ports)
      expect(await demo.exited).toBe(1)
      expect(demo.output()).toContain(`Port ${address.port} is taken. Choose another one: ${name}=`)
      expect(demo.output()).not.toContain('    at ')
      await new Promise((resolve) => holder.close(resolve))
    },
    60_000,
  )

  test('behavior: nothing is left either when all of it is killed', async () => {
    const [port, rpcPort] = [await freePort(), await freePort()]
    const demo = start({ PORT: String(port), RPC_PORT: String(rpcPort) })
    await demo.shows('ready http')
    process.kill(-(demo.child.pid ?? 0), 'SIGKILL')
    await demo.exited
    for (const url of [`http://localhost:${port}`, `http://127.0.0.1:${rpcPort}`]) {
      // Nobody is left to tell when the last one goes.
      while (await answers(url)) await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }, 60_000)
})
