import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { findNats } from '@firmquote/cluster/findPrograms'
import { type Nats, startNats } from '@firmquote/cluster/startNats'
import { systemClock } from '@firmquote/core/utils'
import { until } from '@firmquote/test-support/until'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { describeBusContract } from '../../../test/adapters/busContract.ts'
import type { HintDrop } from '../../ports/metrics.ts'
import { parseNatsAddress } from './natsAddress.ts'
import { createNatsBus, type NatsBusOptions } from './natsBus.ts'

const given = findNats() ? describe : describe.skip

given('createNatsBus', () => {
  const key = randomBytes(32)
  const domain = { chainId: 1, quoteMarket: `0x${'ab'.repeat(20)}` } as const
  /** A clock whose timers run ten times as fast. */
  const tenfold = {
    ...systemClock,
    after: (milliseconds: number, callback: () => void) => systemClock.after(milliseconds / 10, callback),
  }
  let folder: string
  let nats: Nats
  let started: { close(): Promise<void> }[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'firmquote-nats-'))
    nats = await startNats({ folder })
  })
  afterAll(async () => {
    await nats?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(async () => {
    for (const each of started) await each.close()
    started = []
  })

  /** Starts a bus and records the messages it receives, the messages it drops, and its logs. */
  async function start(change: Partial<NatsBusOptions> = {}) {
    const heard: string[] = []
    const logs: string[] = []
    const dropped: Partial<Record<HintDrop, number>> = {}
    const states: boolean[] = []
    const bus = await createNatsBus({
      url: nats.url,
      key,
      domain,
      clock: systemClock,
      random: randomBytes,
      onError: (error) => logs.push(`error ${String(error)}`),
      log: {
        info: (facts: object, text: string) => void logs.push(`info ${text} ${JSON.stringify(facts)}`),
        warn: (facts: object, text: string) => void logs.push(`warn ${text} ${JSON.stringify(facts)}`),
      } as NatsBusOptions['log'],
      observe: {
        hintsDropped: (reason, count) => {
          dropped[reason] = (dropped[reason] ?? 0) + count
        },
        busConnected: (connected) => states.push(connected),
      },
      ...change,
    })
    bus.subscribe('a', (payload) => heard.push(payload))
    started.push(bus)
    return { bus, heard, logs, dropped, states }
  }

  /** Starts a client that has the token, and so sees all traffic, but lacks the key. */
  async function startStranger() {
    const client: NatsConnection = await connect(parseNatsAddress(nats.url))
    started.push(client)
    const seen: { subject: string; data: Uint8Array }[] = []
    client.subscribe('>', {
      callback: (_, { subject, data }) => void seen.push({ subject, data: Uint8Array.from(data) }),
    })
    await client.flush()
    return { client, seen }
  }

  const numbers = (count: number, prefix = '') => Array.from({ length: count }, (_, index) => `${prefix}${index}`)

  describeBusContract('NATS', async (onError) => (await start({ onError })).bus)

  test('default: instances receive all messages in order, without duplicates', async () => {
    const [one, two, three] = [await start(), await start(), await start()]
    for (const number of numbers(200)) {
      one.bus.publish('a', `one ${number}`)
      two.bus.publish('a', `two ${number}`)
      if (Number(number) % 7 === 0) await sleep(0)
    }
    const all = [one, two, three]
    await until(() => all.every(({ heard }) => heard.length >= 400))
    await sleep(50)
    for (const { heard, dropped } of all) {
      expect(heard.filter((text) => text.startsWith('one'))).toEqual(numbers(200, 'one '))
      expect(heard.filter((text) => text.startsWith('two'))).toEqual(numbers(200, 'two '))
      expect(dropped).toEqual({})
    }
  })

  test('behavior: messages from one tick share one encrypted frame', async () => {
    const { seen } = await startStranger()
    const [one, two] = [await start(), await start()]
    for (const number of numbers(50)) one.bus.publish('a', `readable ${number}`)
    await until(() => two.heard.length === 50)
    expect(seen).toHaveLength(1)
    expect(Buffer.from(seen[0]?.data ?? []).includes('readable')).toBe(false)
    await sleep(0)
    one.bus.publish('a', 'later')
    await until(() => two.heard.length === 51)
    expect(seen).toHaveLength(2)
  })

  test('behavior: closing sends pending messages', async () => {
    const [one, two] = [await start(), await start()]
    one.bus.publish('a', 'last')
    await one.bus.close()
    expect(one.heard).toEqual(['last'])
    await until(() => two.heard.length > 0)
    expect(two.heard).toEqual(['last'])
  })

  test('behavior: two markets, or two databases of one market, are separate on one NATS', async () => {
    const [one, same] = [await start(), await start()]
    const others = [
      await start({ domain: { ...domain, chainId: 2 } }),
      await start({ domain: { ...domain, quoteMarket: `0x${'cd'.repeat(20)}` } }),
      await start({ key: randomBytes(32) }),
    ]
    one.bus.publish('a', '1')
    await until(() => same.heard.length === 1)
    await sleep(50)
    // Messages for other subjects are never received, so none are dropped.
    for (const { heard, dropped } of others) expect([heard, dropped]).toEqual([[], {}])
  })

  test('behavior: messages up to the maximum size are sent, and larger ones are delivered only locally and logged', async () => {
    const [one, two] = [await start(), await start()]
    const parts = numbers(5).map((number) => number.repeat(300_000))
    for (const part of parts) one.bus.publish('a', part)
    one.bus.publish('a', 'x'.repeat(1_100_000))
    one.bus.publish('a', 'after')
    await until(() => two.heard.length === 6)
    expect(two.heard).toEqual([...parts, 'after'])
    expect(one.heard).toHaveLength(7)
    expect(one.dropped).toEqual({ oversized: 1 })
    expect(one.logs.filter((line) => line.startsWith('warn'))).toEqual([
      'warn dropped messages between instances {"dropped":{"oversized":1}}',
    ])
  })

  test('behavior: an instance whose clock is off by more than 30 s is ignored, and ignores others', async () => {
    const [one, ahead] = [await start(), await start({ clock: { ...systemClock, now: () => Date.now() + 31_000 } })]
    one.bus.publish('a', '1')
    ahead.bus.publish('a', '2')
    await until(() => one.dropped.untimely === 1 && ahead.dropped.untimely === 1)
    expect([one.heard, ahead.heard]).toEqual([['1'], ['2']])
  })

  test('behavior: without NATS it starts, warns once, drops messages to others and connects later', async () => {
    await nats.stop()
    const one = await start({ clock: tenfold })
    expect(one.bus.connected()).toBe(false)
    for (const number of numbers(1_000)) one.bus.publish('a', number)
    await until(() => one.heard.length === 1_000)
    expect(one.dropped).toEqual({ disconnected: 1_000 })
    expect(one.logs).toEqual([
      'warn failed to connect to NATS; will retry, and instances poll the database until then {}',
    ])
    await nats.start()
    const two = await start()
    await until(() => one.bus.connected() && two.bus.connected())
    one.bus.publish('a', 'now')
    await until(() => two.heard.length > 0)
    expect(two.heard).toEqual(['now'])
    expect(one.states).toEqual([false, true])
  })

  test('behavior: while NATS is down, own messages are delivered, and within 5 s of its restart all messages', async () => {
    const [one, two] = [await start(), await start()]
    await nats.process().kill('SIGKILL')
    one.bus.publish('a', 'at once')
    await until(() => !one.bus.connected() && !two.bus.connected(), { withinMs: 1_000 })
    for (const number of numbers(10_000)) one.bus.publish('a', number)
    await until(() => one.heard.length === 10_001)
    await sleep(300)
    await nats.start()
    await until(() => one.bus.connected() && two.bus.connected(), { withinMs: 5_000 })
    one.bus.publish('a', 'after')
    two.bus.publish('a', 'answer')
    await until(() => one.heard.includes('answer') && two.heard.includes('after'))
    expect(two.heard).toEqual(['after', 'answer'].sort((a, b) => two.heard.indexOf(a) - two.heard.indexOf(b)))
    expect(one.heard).toHaveLength(10_003)
    expect(one.dropped.disconnected).toBeGreaterThanOrEqual(10_000)
    expect(one.states).toEqual([false, true, false, true])
    expect(one.logs.filter((line) => line.startsWith('warn'))).toHaveLength(1)
  })

  test('behavior: a stalled NATS is detected within 5 s, nothing is buffered, and nothing is delivered twice afterwards', async () => {
    const [one, two] = [await start(), await start()]
    const began = performance.now()
    let published = 0
    await nats.process().kill('SIGSTOP')
    try {
      const before = process.memoryUsage().arrayBuffers
      const payload = 'x'.repeat(65_536)
      while (one.bus.connected()) {
        // Publish much more than the socket buffers can hold.
        for (const number of numbers(8)) one.bus.publish('a', `${published} ${number} ${payload}`)
        published += 8
        await sleep(5)
        expect(performance.now() - began).toBeLessThan(5_000)
        one.heard.length = 0
      }
      await until(() => !two.bus.connected())
      expect(one.dropped.stalled).toBeGreaterThan(published / 2)
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 2 ** 20)
      expect(published * payload.length).toBeGreaterThan(64 * 2 ** 20)
      one.bus.publish('a', 'alone')
      await until(() => one.heard.at(-1) === 'alone')
    } finally {
      await nats.process().kill('SIGCONT')
    }
    await until(() => one.bus.connected() && two.bus.connected(), { withinMs: 5_000 })
    one.bus.publish('a', 'again')
    await until(() => two.heard.at(-1) === 'again')
    await sleep(100)
    expect(one.heard.filter((text) => text.length < 100)).toEqual(['alone', 'again'])
    expect(one.heard.filter((text) => text.length > 100)).toHaveLength(0)
    expect(new Set(two.heard).size).toBe(two.heard.length)
  }, 20_000)

  test('error: a wrong token is reported without the address and the token, and the bus works locally', async () => {
    const wrong = nats.url.replace(/\/\/[0-9a-f]+@/, '//ffffeeeeddddcccc@')
    const { bus, heard, logs } = await start({ url: wrong, clock: tenfold })
    await until(() => logs.some((line) => line.includes('refused an operation')))
    expect(bus.connected()).toBe(false)
    bus.publish('a', '1')
    await until(() => heard.length === 1)
    expect(logs.filter((line) => /refused an operation/.test(line))).toHaveLength(1)
    expect(logs.join()).toMatch(/Authorization/)
    expect(logs.join()).not.toMatch(/ffffeeee|127\.0\.0\.1/)
  })

  test('error: an invalid address', async () => {
    await expect(start({ url: 'http://hidden@bus' })).rejects.toMatchObject({ code: 'BAD_CONFIGURATION' })
  })

  describe('a stranger with the token', () => {
    let stranger: Awaited<ReturnType<typeof startStranger>>
    beforeEach(async () => {
      stranger = await startStranger()
    })

    test('behavior: replayed and modified frames are dropped, counted and logged once', async () => {
      const [one, two] = [await start(), await start()]
      one.bus.publish('a', 'true')
      await until(() => two.heard.length === 1)
      const [{ subject, data }] = stranger.seen as [{ subject: string; data: Uint8Array }]
      const changed = Uint8Array.from(data)
      changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
      const unknown = Uint8Array.from(data)
      unknown[0] = 9
      changed.fill(1, 17, 23)
      for (const frame of [data, changed, data.subarray(0, -1), new Uint8Array(0), unknown, data]) {
        stranger.client.publish(subject, frame)
      }
      await until(() => (two.dropped.replayed ?? 0) + (two.dropped.forged ?? 0) >= 5)
      expect(two.dropped).toEqual({ replayed: 3, forged: 2, unknown_version: 1 })
      // The dropped messages are replays of the publisher's own frames.
      await until(() => one.dropped.replayed === 4)
      one.bus.publish('a', 'still')
      await until(() => two.heard.length === 2)
      expect([one.heard, two.heard]).toEqual([
        ['true', 'still'],
        ['true', 'still'],
      ])
      expect(two.logs.filter((line) => line.startsWith('warn'))).toHaveLength(1)
    })

    test('behavior: a flood of forgeries does not delay valid messages', async () => {
      const [one, two] = [await start(), await start()]
      one.bus.publish('a', 'first')
      await until(() => two.heard.length === 1)
      const [{ subject, data }] = stranger.seen as [{ subject: string; data: Uint8Array }]
      await stranger.client.close()
      const flood = new Worker(floodProgram, {
        eval: true,
        workerData: { port: nats.port, token: new URL(nats.url).username, subject, data },
      })
      const sent = new Promise<number>((resolve, reject) => {
        flood.once('message', resolve)
        flood.once('error', reject)
      })
      let told = 0
      const tell = async () => {
        one.bus.publish('a', `${told}`)
        told += 1
        await sleep(10)
      }
      await tell()
      const frames = await sent
      const droppedAll = () => (two.dropped.forged ?? 0) + (two.dropped.replayed ?? 0) >= frames
      for (const end = performance.now() + 20_000; !droppedAll() && performance.now() < end; ) await tell()
      await flood.terminate()
      // The message published after the stranger's messages must still arrive, complete and in order.
      await until(() => two.heard.length > told)
      expect(two.heard.slice(1)).toEqual(numbers(told))
      expect(two.states).toEqual([false, true])
      const { forged = 0, replayed = 0 } = two.dropped
      expect(forged + replayed).toBe(frames)
      expect(forged).toBe(2 * replayed)
      expect(frames).toBeGreaterThan(1_000)
      expect(two.logs.filter((line) => line.includes('dropped'))).toHaveLength(1)
    }, 30_000)
  })
})

/**
 * Publishes replayed frames, and frames forged in the name of a known and an unknown process, as fast as the server
 * accepts them.
 */
const floodProgram = `
  const { connect } = require('node:net')
  const { randomBytes } = require('node:crypto')
  const { parentPort, workerData: { port, token, subject, data } } = require('node:worker_threads')
  const forged = Buffer.from(data)
  forged.fill(0x7f, 17, 23)
  const frames = []
  for (let index = 0; index < 64; index += 1) {
    const stranger = Buffer.from(forged)
    randomBytes(16).copy(stranger, 1)
    frames.push(stranger, forged, Buffer.from(data))
  }
  const batch = Buffer.concat(frames.flatMap((frame) => [Buffer.from('PUB ' + subject + ' ' + frame.length + '\\r\\n'), frame, Buffer.from('\\r\\n')]))
  const socket = connect(port, '127.0.0.1')
  socket.resume()
  socket.write('CONNECT ' + JSON.stringify({ auth_token: token, verbose: false, echo: false }) + '\\r\\n')
  const end = performance.now() + 100
  let sent = 0
  const write = () => {
    if ((performance.now() > end && sent > 1_000) || sent >= 15_000) return socket.end('PING\\r\\n', () => parentPort.postMessage(sent))
    sent += frames.length
    if (socket.write(batch)) setImmediate(write)
    else socket.once('drain', write)
  }
  write()
`
