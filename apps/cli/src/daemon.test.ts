import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { runCli } from '../test/runCli.ts'
import { exitCodes } from './exitCodes.ts'

// A fake daemon whose responses the tests control.

let folder: string
let socketPath: string
let daemon: Server
let asked: { method: string; params?: unknown }[]
let answer: (method: string) => object

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-daemon-'))
  socketPath = join(folder, 'socket')
  asked = []
  answer = () => ({ result: {} })
  daemon = createServer((socket) => {
    createInterface(socket).on('line', (line) => {
      const { id, jsonrpc, ...call } = JSON.parse(line)
      asked.push(call)
      socket.write(`${JSON.stringify({ jsonrpc, id, ...answer(call.method) })}\n`)
    })
  })
  await new Promise<void>((resolve) => daemon.listen(socketPath, resolve))
  chmodSync(socketPath, 0o600)
})
afterEach(async () => {
  await new Promise((resolve) => daemon.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

const run = (...args: string[]) => runCli(['daemon', ...args], { environment: { FIRMQUOTE_SOCKET: socketPath } })
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const status = {
  version: '1.2.3',
  address,
  paused: false,
  service: { url: 'http://localhost:3005', connected: true, authenticated: true },
  openRfqs: 0,
  startedAt: 1_800_000_000_000,
}

describe('firmquote daemon', () => {
  test('default', async () => {
    answer = () => ({ result: status })
    const { code, out, err } = await run('status')
    expect([code, err]).toEqual([exitCodes.ok, ''])
    expect(out).toMatch(/^version +1\.2\.3\naddress +0x70.*\npaused +false\nservice\.url +http:.*\n(?:.*\n)+$/)
    expect((await run('status', '--json')).out).toBe(`${JSON.stringify(status)}\n`)
  })

  test('default: a method without a result prints that it is done, parameters are passed on', async () => {
    answer = (method) => ({ result: method === 'setPolicy' ? { spreadBps: '20' } : { paused: true } })
    expect((await run('pause', '--json')).out).toBe('{"ok":true}\n')
    expect((await run('setPolicy', '{"spreadBps":"20"}', '--json')).out).toBe('{"spreadBps":"20"}\n')
    expect(asked).toEqual([{ method: 'pause' }, { method: 'setPolicy', params: { spreadBps: '20' } }])
  })

  test('behavior: a list, and one with nothing in it', async () => {
    answer = () => ({ result: { rfqs: [] } })
    expect((await run('listRfqs')).out).toBe('rfqs  none\n')
  })

  test("error: the daemon's refusal, with its code", async () => {
    answer = () => ({ error: { code: -32_001, message: 'The daemon is draining.', data: { why: 'shutdown' } } })
    const plain = await run('pause')
    expect([plain.code, plain.err]).toEqual([
      exitCodes.refused,
      'firmquote: The daemon is draining. (DAEMON_ERROR)\n  JSON-RPC code -32001\n',
    ])
    const json = await run('pause', '--json')
    expect(JSON.parse(json.err).error).toMatchObject({
      code: 'DAEMON_ERROR',
      rpcCode: -32_001,
      data: { why: 'shutdown' },
    })
  })

  test.each([
    ['no such method', ['restart'], /Available methods: status, getAddress/],
    ['a name that every object has', ['constructor'], /no such method/],
    ['parameters for a method without', ['status', '{}'], /status takes no parameters/],
    ['parameters that are not JSON', ['setPolicy', '{'], /needs a JSON object/],
    ['no parameters where they are needed', ['signQuote'], /needs a JSON object/],
    [
      'a quote that is none',
      ['signQuote', '{"quote":{"notional":1}}'],
      /^firmquote: The quote is invalid: maker is missing; .*notional must be a string/,
    ],
  ])('error: %s', async (_what, args, sentence) => {
    const { code, err } = await run(...args)
    expect(err).toMatch(sentence)
    expect(code).toBe(exitCodes.usage)
    expect(asked).toEqual([])
  })

  test('error: an insecure socket and a missing one', async () => {
    chmodSync(socketPath, 0o666)
    const open = await run('status')
    expect([open.code, open.err]).toEqual([
      exitCodes.unreachable,
      expect.stringMatching(/mode 666.*\(SOCKET_REFUSED\)/),
    ])
    const none = await run('status', '--socket', join(folder, 'none'))
    expect([none.code, none.err]).toEqual([exitCodes.unreachable, expect.stringMatching(/Is the daemon running\?/)])
  })
})
