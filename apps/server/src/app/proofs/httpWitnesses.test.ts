import type { ServerResponse } from 'node:http'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { createListLog } from '@firmquote/test-support/listLog'
import { until } from '@firmquote/test-support/until'
import {
  checkpointText,
  consistencyPath,
  formatNote,
  hashLeaf,
  keyTypes,
  parseCheckpoint,
  rootOf,
} from '@firmquote/verify'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createNoteSigner, signNote } from '../../../../../packages/verify/test/proofFixture.ts'
import { startHttpWitness } from '../../../test/httpWitness.ts'
import { postCheckpoint } from '../../adapters/postCheckpoint.ts'
import { startHttpWitnesses } from './httpWitnesses.ts'
import { createWitnesses } from './witnesses.ts'

const origin = 'rfq.example.com/log/1'
const logKey = createNoteSigner(origin, keyTypes.log)
const leaves = Array.from({ length: 40 }, (_, at) => hashLeaf(new TextEncoder().encode(String(at))))
const textOf = (size: number) => checkpointText({ origin, size, root: rootOf(leaves.slice(0, size)) })

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A log with one HTTP witness, which has signed a tree of `known` leaves. */
async function setUp({ size = 5, known = 0 } = {}) {
  const clock = createFakeClock(1_900_000_000_000)
  const log = createListLog()
  const witness = await startHttpWitness(async () => logKey.key, clock)
  if (known > 0) witness.world.last = parseCheckpoint(textOf(known))
  const world = { size }
  const witnesses = createWitnesses({
    log: {
      origin,
      head() {
        const text = textOf(world.size)
        const note = formatNote({ text, signatures: [signNote(logKey, text)] })
        return { origin, size: world.size, root: new Uint8Array(32), at: 0, text, note }
      },
      consistencyPath: async (from, to) => consistencyPath(leaves.slice(0, to), from),
    },
    clock,
    readStanding: async () => ({ funds: new Map(), filled: new Set() }),
    logger: log,
  })
  const start = async () => {
    const started = await startHttpWitnesses([witness], { witnesses, post: postCheckpoint, logger: log })
    stops.push(started.stop, witnesses.stop, witness.stop)
  }
  const cosignedSize = () => witnesses.cosigned()?.head.size ?? 0
  const failures = () => log.entries.filter(({ message }) => message.startsWith('a witness did not sign'))
  return { witness, witnesses, world, clock, start, cosignedSize, failures, logged: log.entries }
}

describe('startHttpWitnesses', () => {
  test('default: a new witness signs each checkpoint, with a proof from the last one', async () => {
    const { witness, witnesses, world, start, cosignedSize } = await setUp()
    await start()
    await until(() => cosignedSize() === 5)
    world.size = 9
    witnesses.published()
    await until(() => cosignedSize() === 9)
    expect(witness.world.requests).toEqual(['POST /w1/add-checkpoint old 0', 'POST /w1/add-checkpoint old 5'])
    expect(witnesses.cosigned()?.cosignatures).toMatchObject([{ name: 'witness.example.com/w1', time: 1_900_000_000 }])
  })

  test('behavior: a witness that knows the log names its size (409)', async () => {
    const { witness, start, cosignedSize, failures } = await setUp({ size: 9, known: 4 })
    await start()
    await until(() => cosignedSize() === 9)
    expect(witness.world.requests.map((line) => line.split(' old ')[1])).toEqual(['0', '4'])
    expect(failures()).toEqual([])
  })

  test('behavior: a witness that knows a larger log is not asked, and the operator is told', async () => {
    const { witness, start, logged } = await setUp({ size: 5, known: 8 })
    await start()
    await until(() => logged.some(({ message }) => message === 'a witness knows a larger log'))
    expect(witness.world.requests).toHaveLength(1)
  })

  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['an error', (response) => response.writeHead(500).end(), /status 500/],
    ['a broken connection', (response) => response.destroy(), /fetch failed/],
    ['a redirect', (response) => response.writeHead(307, { location: '/w2' }).end(), /fetch failed/],
    ['a long answer', (response) => response.end('x'.repeat(20_000)), /more than 16384 bytes/],
    ['no signature', (response) => response.end('— other AAAAAAA=\n'), /no signature of the configured key/],
    ['another history', (response) => response.writeHead(422).end(), /another history/],
  ])('error: %s is retried after a growing pause', async (_what, fault, reason) => {
    const { witness, clock, start, cosignedSize, failures } = await setUp()
    witness.world.intercept = (response) => {
      fault(response)
      return true
    }
    await start()
    for (const [round, pauseMs] of [1_000, 2_000, 4_000].entries()) {
      await until(() => failures().length === round + 1)
      clock.advance(pauseMs - 1_000)
      await new Promise(setImmediate)
      expect(witness.world.requests).toHaveLength(round + 1)
      if (round === 2) witness.world.intercept = () => false
      clock.advance(1_000)
    }
    await until(() => cosignedSize() === 5)
    const { facts } = failures()[0] as { facts: { reason?: string; err?: Error } }
    expect(facts.reason ?? facts.err?.message).toMatch(reason)
  })

  test('behavior: a witness that names a new size each time is not asked without a pause', async () => {
    const { witness, clock, start } = await setUp({ size: 9 })
    let size = 1
    witness.world.intercept = (response) => {
      size = size === 1 ? 2 : 1
      response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${size}\n`)
      return true
    }
    await start()
    await until(() => witness.world.requests.length === 2)
    const askedAt = clock.now()
    await until(() => {
      clock.advance(500)
      return witness.world.requests.length === 3
    })
    expect(clock.now() - askedAt).toBeGreaterThanOrEqual(2_000)
  })

  test('behavior: a silent witness gets one request, and the stop ends it', async () => {
    const { witness, witnesses, world, clock, start, failures } = await setUp()
    witness.world.intercept = () => true
    await start()
    await until(() => witness.world.requests.length === 1)
    world.size = 9
    witnesses.published()
    clock.advance(60_000)
    await new Promise(setImmediate)
    expect(witness.world.requests).toHaveLength(1)
    stops[0]?.()
    expect(failures()).toEqual([])
  })
})
