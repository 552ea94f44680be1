import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@firmquote/cluster/freePort'
import { afterEach, describe, expect, test } from '@jest/globals'
import { root } from '../pack.ts'
import { killTerminals, openTerminal } from '../terminal.ts'

const run = promisify(execFile)

afterEach(killTerminals)

const startDemo = (environment: Record<string, string>) => openTerminal('npm start', root, environment)

/** Extracts a demo's folder from the socket paths in its output. */
function folderOf(output: string): string {
  return dirname(dirname(/ --socket (\S+)/.exec(output)?.[1] ?? ''))
}

/** Lists a demo's running daemons. */
async function daemonsOf(output: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'args'])
  return stdout.split('\n').filter((line) => line.includes(`--config ${folderOf(output)}/`))
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

describe('npm start', () => {
  test('default: works as its output says, and leaves nothing behind after Ctrl-C', async () => {
    const [port, rpcPort] = [await freePort(), await freePort()]
    const url = `http://localhost:${port}`
    const rpcUrl = `http://127.0.0.1:${rpcPort}`
    const demo = startDemo({ PORT: String(port), RPC_PORT: String(rpcPort) })
    await demo.shows(new RegExp(`ready ${url}`))
    await demo.shows(/Ctrl-C stops everything\./)
    const [first] = /curl -s \S+/.exec(demo.output()) ?? []
    expect(first).toBe(`curl -s ${url}/api/v1/pools/rates`)
    const { pools } = (await (await fetch(`${url}/api/v1/pools/rates`)).json()) as { pools: { series: unknown[] }[] }
    expect(pools.map(({ series }) => series.length)).toEqual([5, 5])
    expect(await (await fetch(`${url}/api/v1/rfq/quotes/recent`)).json()).toEqual({ quotes: [] })

    const published = (await (await fetch(`${url}/api/v1/quotes`)).json()) as { quotes: { quote: { maker: string } }[] }
    expect(new Set(published.quotes.map(({ quote }) => quote.maker)).size).toBe(3)

    // Runs the printed commands as a reader would. Two of the commands each wait fifteen seconds for an auction, in
    // parallel.
    const commands = demo.output().match(/(?<=^ {2})(?:FIRMQUOTE_PRIVATE_KEY=\S+ )?node .*$/gm) ?? []
    const stories = await Promise.all(
      commands.map(async (command) => (await run('bash', ['-c', command], { cwd: root })).stdout),
    )
    const [ladder, borrower, ...statuses] = stories.slice(1)
    expect(stories[0]).toMatch(/POOL +FLOATING/)
    // The sixth check fails because the borrower's approval is missing.
    expect(ladder?.match(/^ok /gm)).toHaveLength(5)
    expect(ladder).toMatch(/^Fixed 250,000 tUSD of 250,000 tUSD in 1 take, 1 transaction, /m)
    expect(borrower).toContain('asked 3 backers')
    expect(borrower?.match(/fixed at/g)).toHaveLength(3)
    expect(borrower).toMatch(/^allowed [\d,.]+ tUSD, exactly the cost\npermitted the quote market/m)
    expect(borrower).toMatch(/^success: /m)
    expect(statuses).toHaveLength(3)
    for (const status of statuses) expect(status).toMatch(/^service.authenticated +true$/m)
    expect(await daemonsOf(demo.output())).toHaveLength(3)

    await demo.interrupt()
    expect(demo.output()).toMatch(/Stopping …\n$/)
    expect(await answers(url)).toBe(false)
    expect(await answers(rpcUrl)).toBe(false)
    expect(await daemonsOf(demo.output())).toEqual([])
    expect(existsSync(folderOf(demo.output()))).toBe(false)
  }, 90_000)

  test.each(['PORT', 'RPC_PORT'])(
    'error: reports a %s in use in one clear sentence',
    async (name) => {
      const holder = createServer().listen(0, '127.0.0.1')
      await once(holder, 'listening')
      const address = holder.address()
      if (address === null || typeof address === 'string') throw new TypeError('no port')
      const ports = { PORT: String(await freePort()), RPC_PORT: String(await freePort()), [name]: String(address.port) }
      const demo = startDemo(ports)
      expect(await demo.ends()).toBe(1)
      expect(demo.output()).toContain(`Port ${address.port} is in use. Choose another port: ${name}=`)
      expect(demo.output()).not.toContain('    at ')
      await new Promise((resolve) => holder.close(resolve))
    },
    60_000,
  )

  test('behavior: leaves nothing behind when everything is killed', async () => {
    const [port, rpcPort] = [await freePort(), await freePort()]
    const demo = startDemo({ PORT: String(port), RPC_PORT: String(rpcPort) })
    await demo.shows(/Ctrl-C stops everything\./)
    expect(await daemonsOf(demo.output())).toHaveLength(3)
    demo.kill()
    for (const url of [`http://localhost:${port}`, `http://127.0.0.1:${rpcPort}`]) {
      // Polls, since no process remains that could report when the last one ends.
      while (await answers(url)) await new Promise((resolve) => setTimeout(resolve, 50))
    }
    while ((await daemonsOf(demo.output())).length > 0) await new Promise((resolve) => setTimeout(resolve, 50))
    rmSync(folderOf(demo.output()), { recursive: true })
  }, 60_000)
})
