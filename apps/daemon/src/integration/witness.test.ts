import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@firmquote/cluster/freePort'
import { type DaemonProcess, startDaemon } from '@firmquote/test-support/startDaemon'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { until } from '@firmquote/test-support/until'
import { parseKey, verifyCheckpoint } from '@firmquote/verify'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'

// Runs the published programs: a server with a log, and a daemon that is its witness.

let stack: Stack
const daemons: DaemonProcess[] = []
beforeAll(async () => {
  stack = await startStack({ AUCTION_DURATION_MS: '1000' }, { by: 'one' })
}, 60_000)
afterAll(async () => {
  for (const { child } of daemons) child.kill('SIGKILL')
  await stack?.stop()
})

const read = async (path: string) => (await fetch(`${stack.url}${path}`)).text()
const cosigners = async () => {
  const { logs } = JSON.parse(await read('/log')) as { logs: { size: number; cosigners: { key: string }[] }[] }
  return logs.flatMap((log) => log.cosigners.map(({ key }) => key))
}

describe('firmquote-daemon', () => {
  test('default: cosigns the log of the service, with the same key after kill -9', async () => {
    const folder = join(stack.folder, 'witness')
    const port = await freePort()
    const run = () => {
      const [account] = stack.devnet.backers
      const settings = { metrics: { port }, witness: { name: 'maker.example.com/w1' } }
      const daemon = startDaemon(stack, { account, folder, spreadBps: 20, settings })
      daemons.push(daemon)
      return daemon
    }
    const first = run()
    await first.says(/"msg":"witnessing the log of the service"/)
    await until(async () => (await cosigners()).length === 1)
    const [key = ''] = await cosigners()
    expect(key).toMatch(/^maker\.example\.com\/w1\+/)
    const { proofs } = JSON.parse(await read('/api/v1/config')) as { proofs: { key: string } }
    const policy = { log: parseKey(proofs.key), witnesses: [parseKey(key)], quorum: 1 }
    const before = await verifyCheckpoint(await read('/log/1/checkpoint'), policy)
    const metric = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    await until(async () => /\nfirmquote_daemon_log_cosignatures_total [1-9]/.test(await metric()))
    const files = join(folder, 'data', 'witness')
    const secret = readFileSync(join(files, 'witness.key'), 'utf8').trim()
    expect((statSync(join(files, 'witness.key')).mode & 0o777).toString(8)).toBe('600')

    first.child.kill('SIGKILL')
    await first.ended
    const second = run()
    await second.says(/^ready /m)
    await fetch(`${stack.url}/api/v1/rfq/quote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...stack.series, notional: '1000000000' }),
    })
    await until(async () => {
      const after = await verifyCheckpoint(await read('/log/1/checkpoint'), { ...policy, quorum: 0 })
      return after.size > before.size && after.witnesses.length === 1
    })
    expect(await cosigners()).toEqual([key])
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect([first.output(), second.output()].join()).not.toContain(secret)
  }, 60_000)
})
