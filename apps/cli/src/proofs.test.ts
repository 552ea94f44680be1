import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceClient } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { type Backer, startPlannedBacker } from '../../../tests/e2e/src/plannedBacker.ts'
import { runCli } from '../test/runCli.ts'

// The commands about proofs with a real service.

let stack: Stack
let backer: Backer
let rfqId: string
const run = (args: string[]) => runCli(args, { environment: { FIRMQUOTE_URL: stack.url } })

beforeAll(async () => {
  stack = await startStack({ AUCTION_DURATION_MS: '1000', LOG_LEVEL: 'warn' })
  backer = await startPlannedBacker(stack.url, stack.devnet.backers[0], { aprBps: 700n, delayMs: 50 })
  const { out } = await run(['rfq', ...rfqOf(), '--json'])
  const started = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .find(({ type }) => type === 'started')
  rfqId = started.data.rfqId
}, 60_000)
afterAll(async () => {
  backer?.stop()
  await stack?.stop()
})

function rfqOf(): string[] {
  const [pool] = stack.devnet.pools
  return ['--pool', pool.poolId, '--expiry', String(pool.series[2]?.expiry), '--notional', '250k']
}

describe('firmquote proof', () => {
  test("default: saves the auction's proof, which firmquote verify explains", async () => {
    const output = join(stack.folder, 'auction.json')
    const { code, out, err } = await run(['proof', rfqId, '--output', output])
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe(`Saved ${output}. To see what it proves: firmquote verify ${output}\n`)
    expect(statSync(output).mode & 0o777).toBe(0o600)
    const { logs } = (await (await fetch(`${stack.url}/log`)).json()) as { logs: { key: string }[] }
    const policy = join(stack.folder, 'policy.json')
    writeFileSync(policy, JSON.stringify({ log: logs[0]?.key }))
    const verified = await run(['verify', output, '--policy', policy])
    expect(verified.code).toBe(0)
    expect(verified.out).toMatch(/^proved {6}.*exactly/m)
    expect(verified.out).toMatch(/^not proved {2}No independent witness/m)
    // It is not overwritten.
    expect(await run(['proof', rfqId, '--output', output])).toMatchObject({ code: 2 })
    const changed = readFileSync(output, 'utf8').replace('"chainId":8453', '"chainId":8454')
    expect(await runCli(['verify', '-'], { input: changed })).toMatchObject({ code: 1 })
  })

  test('error: an unknown auction, a malformed id, and a proof that is not ready', async () => {
    const output = join(stack.folder, 'none.json')
    const unknown = await run(['proof', '0'.repeat(32), '--output', output, '--json'])
    expect([unknown.code, JSON.parse(unknown.err).error.code]).toEqual([4, 'PROOF_NOT_FOUND'])
    expect(await run(['proof', 'abc'])).toMatchObject({ code: 2 })
    const [pool] = stack.devnet.pools
    const request = { poolId: pool.poolId, seriesKey: pool.series[2]?.seriesKey as Hex, notional: 250_000_000_000n }
    let open = ''
    for await (const event of new ServiceClient({ orderbookUrl: stack.url }).streamQuotes(request)) {
      if (event.type !== 'started') continue
      open = event.data.rfqId
      break
    }
    const early = await run(['proof', open, '--output', output, '--timeout', '0.2', '--json'])
    expect([early.code, JSON.parse(early.err).error.code]).toEqual([4, 'PROOF_NOT_READY'])
    expect(early.err).not.toContain(open)
    // With more time, it waits until the log has the close.
    expect(await run(['proof', open, '--output', output])).toMatchObject({ code: 0 })
    expect(existsSync(output)).toBe(true)
  })
})

describe('firmquote monitor', () => {
  test('default: follows the log of a service', async () => {
    const state = join(stack.folder, 'monitor.json')
    const monitor = async () => {
      const { code, out, err } = await run(['monitor', stack.url, '--once', '--json', '--state', state])
      expect([code, err.includes('alarm')]).toEqual([0, false])
      return JSON.parse(out.trim().split('\n').at(-1) ?? '').data
    }
    const { size } = await monitor()
    const output = join(stack.folder, 'second.json')
    const { out } = await run(['rfq', ...rfqOf(), '--json'])
    const [, second = ''] = /"rfqId":"([0-9a-f]{32})"/.exec(out) ?? []
    // The proof shows that the log has the auction.
    expect(await run(['proof', second, '--output', output])).toMatchObject({ code: 0 })
    const later = await monitor()
    expect([later.open, later.size]).toEqual([0, expect.any(Number)])
    expect(later.size).toBeGreaterThan(size)
  })
})
