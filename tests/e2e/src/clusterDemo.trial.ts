import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findCaddy, findNats, findNginx, findPostgres } from '@firmquote/cluster/findPrograms'
import { freePort } from '@firmquote/cluster/freePort'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { root } from './pack.ts'
import { playRound } from './rounds.ts'
import { killTerminals, openTerminal } from './terminal.ts'

// Runs `npm start -- --cluster` as a reader would, behind nginx, Caddy or neither. The printed borrower command runs an
// auction during which one of the three servers is killed. The borrower still receives quotes and takes one. After
// Ctrl-C, no processes or files are left behind.

const starts = Math.ceil(rounds / 2)
const auctionMs = 4_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-demos-'))
  // If this process runs as root, PostgreSQL and the proxy run as another user.
  chmodSync(folder, 0o711)
})
afterEach(() => {
  killTerminals()
  rmSync(folder, { recursive: true, force: true })
})

const proxies = [
  ...(findNginx() ? [{ name: 'nginx', environment: { FIRMQUOTE_CADDY: 'none' } }] : []),
  ...(findCaddy() ? [{ name: 'caddy', environment: { FIRMQUOTE_NGINX: 'none' } }] : []),
  { name: 'none', environment: { FIRMQUOTE_NGINX: 'none', FIRMQUOTE_CADDY: 'none' } },
]

const given = findPostgres() && findNats() ? test : test.skip

given(
  `behavior: an auction survives a server killed during it, ${starts} times`,
  async () => {
    const plan = fc.record({
      proxy: fc.constantFrom(...proxies),
      victim: fc.integer({ min: 1, max: 3 }),
      killAfter: fc.integer({ min: 0, max: auctionMs - 1_000 }),
    })
    for (const drawn of fc.sample(plan, { numRuns: starts, seed })) {
      // Without a proxy, the borrower remains connected to its server, so that server must not be killed.
      const victim = drawn.proxy.name === 'none' ? 2 + (drawn.victim % 2) : drawn.victim
      const told = `${drawn.proxy.name}, server ${victim} killed after ${drawn.killAfter} ms, --seed ${seed}`
      process.stdout.write(`${told}\n`)
      await playRound(
        () => play(drawn.proxy.environment, victim, drawn.killAfter),
        () => told,
      )
    }
  },
  starts * 90_000 + 30_000,
)

async function play(environment: Record<string, string>, victim: number, killAfter: number): Promise<void> {
  const settings = {
    ...environment,
    PORT: String(await freePort()),
    RPC_PORT: String(await freePort()),
    AUCTION_DURATION_MS: String(auctionMs),
    TMPDIR: folder,
  }
  const demo = openTerminal('npm start -- --cluster', root, settings)
  await demo.shows(/Ctrl-C stops everything\./)
  const parts = [...demo.output().matchAll(/^ {2}(\S+(?: \d)?) +(\S+) +pid (\d+)$/gm)].map(
    ([, name = '', address = '', pid]) => ({ name, address, pid: Number(pid) }),
  )
  const servers = parts.filter(({ name }) => name.startsWith('server '))
  expect(servers).toHaveLength(3)
  // Each market maker is connected to a different server.
  for (const { address } of servers) {
    const metrics = await (await fetch(`${address}/metrics`)).text()
    expect(metrics).toMatch(/^firmquote_backer_sockets\{state="seated"\} 1$/m)
  }

  const [command] = /(?<=^ {2})node scripts\/run\.mjs examples\/borrower\/borrow\.mjs .*$/m.exec(demo.output()) ?? []
  const borrower = openTerminal(command, root, {})
  await borrower.shows(/ fixed at /)
  await sleep(killAfter)
  process.kill(servers[victim - 1]?.pid ?? 0, 'SIGKILL')
  const story = await borrower.succeeds()
  expect(story).toMatch(/^asked 3 backers/)
  expect(story.match(/ fixed at /g)?.length).toBeGreaterThan(0)
  expect(story).toMatch(/^success: /m)
  expect(demo.output()).toContain(`Server ${victim} stopped unexpectedly (SIGKILL). The other servers continue.`)

  const results = await Promise.all(
    servers
      .filter((_, index) => index !== victim - 1)
      .map(async ({ address }) => (await fetch(`${address}/api/v1/rfq/quotes/recent`)).json()),
  )
  expect(results).toHaveLength(2)
  expect(results[0]).toEqual(results[1])
  expect((results[0] as { quotes: unknown[] }).quotes.length).toBeGreaterThan(0)

  await demo.interrupt()
  expect(demo.output()).toMatch(/Stopping …\n/)
  for (const { pid } of parts) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  expect(readdirSync(folder).filter((name) => name.startsWith('firmquote-'))).toEqual([])
}
