import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Program, programOf, startProgram } from '@firmquote/test-support/startProgram'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { runCli } from '../test/runCli.ts'
import { exitCodes } from './exitCodes.ts'

// The daemon as it is published, on a real service; daemon.test.ts has what it never answers.

let stack: Stack
let daemon: Program
let socketPath: string
beforeAll(async () => {
  stack = await startStack()
  socketPath = join(stack.folder, 'daemon.sock')
  const config = join(stack.folder, 'daemon.json')
  // YAML reads JSON too.
  const policy = {
    pools: 'all',
    minNotional: 1,
    maxNotional: 1_000,
    tickBps: 1,
    floorBps: 50,
    minBps: 0,
    maxBps: 3_000,
  }
  writeFileSync(
    config,
    JSON.stringify({
      service: { url: stack.url },
      chain: { rpcUrl: stack.devnet.rpcUrl, maxBlockAgeSeconds: 36_000 },
      dataDir: './daemon',
      socket: socketPath,
      policy: { ...policy, termSpread: [{ days: 7, bps: 15 }], sizeSpread: [], lifetimeSeconds: 60 },
    }),
  )
  const [maker] = stack.devnet.backers
  daemon = startProgram(programOf('daemon'), ['--config', config], { FIRMQUOTE_PRIVATE_KEY: maker.privateKey })
  await daemon.says(/^ready /m)
}, 60_000)
afterAll(async () => {
  daemon?.child.kill('SIGKILL')
  await stack?.stop()
})

const run = (...args: string[]) => runCli(['daemon', ...args], { environment: { FIRMQUOTE_SOCKET: socketPath } })
async function json(...args: string[]) {
  const { code, out, err } = await run(...args, '--json')
  expect([code, err]).toEqual([exitCodes.ok, ''])
  return JSON.parse(out)
}

describe('firmquote daemon, with a real one', () => {
  test('default: every method, to the end', async () => {
    const { devnet, url } = stack
    const [{ address: maker }] = devnet.backers
    const [pool] = devnet.pools
    const plain = await run('status')
    expect([plain.code, plain.out]).toEqual([exitCodes.ok, expect.stringMatching(/^paused +false$/m)])
    expect(await json('status')).toMatchObject({ address: maker, service: { url, authenticated: true } })
    expect(await json('getAddress')).toEqual({ address: maker })
    expect(await json('listRfqs')).toEqual({ rfqs: [] })

    expect(await json('getPolicy')).toMatchObject({ maxNotional: '1000' })
    expect(await json('setPolicy', '{"maxNotional":"2000"}')).toMatchObject({ maxNotional: '2000' })
    const refused = await run('setPolicy', '{"maxNotional":"-1"}')
    expect([refused.code, refused.err]).toEqual([
      exitCodes.refused,
      expect.stringMatching(/maxNotional must be .*\(DAEMON_ERROR\)\n {2}JSON-RPC code -32602\n$/),
    ])

    const quote = {
      maker,
      taker: devnet.borrowers[0].address,
      poolId: pool.poolId,
      seriesKey: pool.series[2]?.seriesKey,
      notional: '1000000',
      vrtAmount: '100000',
      nonce: '0',
      deadline: String(Math.floor(Date.now() / 1000) + 60),
      salt: `0x${'5'.repeat(64)}`,
    }
    const cheap = await run('signQuote', JSON.stringify({ quote: { ...quote, vrtAmount: '1' } }))
    expect([cheap.code, cheap.err]).toEqual([
      exitCodes.refused,
      expect.stringMatching(/cheaper\. \(DAEMON_ERROR\)\n {2}JSON-RPC code -32004\n$/),
    ])
    const signed = await json('signQuote', JSON.stringify({ quote }))
    expect(signed).toEqual({ ...quote, signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) })
    const unknown = { rfqId: '0'.repeat(32), quote: signed }
    expect((await run('submitQuote', JSON.stringify(unknown))).code).toBe(exitCodes.refused)
    const { quotes } = await json('listQuotes')
    expect(quotes).toHaveLength(1)

    expect(await json('pause')).toEqual({ ok: true })
    expect(await json('status')).toMatchObject({ paused: true })
    expect(await json('resume')).toEqual({ ok: true })
    const { transactionHash, endedQuotes } = await json('raiseNonce')
    expect(await devnet.publicClient.getTransactionReceipt({ hash: transactionHash })).toMatchObject({
      status: 'success',
    })
    expect(endedQuotes).toEqual([quotes[0].hash])

    expect(await json('shutdown')).toEqual({ ok: true })
    expect(await daemon.ended).toBe(0)
    const gone = await run('status')
    expect([gone.code, gone.err]).toEqual([exitCodes.unreachable, expect.stringMatching(/is the daemon running\?/)])
  }, 60_000)
})
