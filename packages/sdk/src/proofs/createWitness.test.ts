import { sign } from 'node:crypto'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import {
  checkpointText,
  consistencyPath,
  formatKey,
  formatNote,
  hashLeaf,
  keyTypes,
  rootOf,
  toBase64,
  verifyCosignature,
  verifyProof,
} from '@firmquote/verify'
import { describe, expect, test } from '@jest/globals'
import { createNoteSigner, signNote } from '../../../verify/test/proofFixture.ts'
import { createWitness, type WitnessAlarm, type WitnessState } from './createWitness.ts'

const origin = 'rfq.example.com/log/1'
const log = createNoteSigner(origin, keyTypes.log)
const own = createNoteSigner('maker.example.com/w1', keyTypes.witness)
const start = 1_900_000_000_000
const leavesOf = (size: number, name = '') =>
  Array.from({ length: size }, (_, at) => hashLeaf(new TextEncoder().encode(`${name}${at}`)))
const trunk = leavesOf(20)
const branch = [...trunk.slice(0, 3), ...leavesOf(17, 'other')]
const textOf = (leaves: readonly Uint8Array[]) => checkpointText({ origin, size: leaves.length, root: rootOf(leaves) })
const offer = (leaves: readonly Uint8Array[], from: number) => ({
  note: formatNote({ text: textOf(leaves), signatures: [signNote(log, textOf(leaves))] }),
  from,
  path: consistencyPath(leaves, from).map(toBase64),
})

/** A witness with a store in memory. `shown` are the leaves that the log's tiles show. */
async function setUp(shown: readonly Uint8Array[] = trunk) {
  const clock = createFakeClock(start)
  const states = new Map<string, WitnessState>()
  const alarms: WitnessAlarm[] = []
  const world = { full: false, writes: 0, reads: 0 }
  const store = {
    read: async (name: string) => states.get(name) ?? null,
    async write(name: string, state: WitnessState) {
      if (world.full) throw new TypeError('no space left on device')
      await new Promise(setImmediate)
      world.writes += 1
      states.set(name, state)
    },
  }
  const create = () =>
    createWitness({
      key: own.key,
      sign: (message) => sign(null, message, own.privateKey),
      store,
      onAlarm: (alarm) => alarms.push(alarm),
      clock,
    })
  const reader = {
    async root(size: number) {
      world.reads += 1
      return rootOf(shown.slice(0, size))
    },
    consistencyPath: async (from: number) => consistencyPath(shown, from),
  }
  const witness = create()
  const open = async (from = witness, key = formatKey(log.key)) => {
    const session = await from.open({ key, reader })
    if (!session) throw new TypeError('the key is not trusted')
    return session
  }
  return { witness, create, open, reader, alarms, states, world, clock, session: await open() }
}

describe('createWitness', () => {
  test('default: signs one history, from its first checkpoint on, and remembers it after a restart', async () => {
    const { session, create, open, world, clock } = await setUp()
    expect(await session.hello()).toEqual({ type: 'witness', key: formatKey(own.key), size: 0 })
    for (const [from, size] of [
      [0, 5],
      [5, 6],
      [6, 20],
    ] as const) {
      const answer = await session.answer(offer(trunk.slice(0, size), from))
      if (answer?.type !== 'cosignature') throw new TypeError('it was not signed')
      expect(answer.size).toBe(size)
      expect(await verifyCosignature(textOf(trunk.slice(0, size)), answer.signature, own.key)).toBe(start / 1_000)
    }
    expect(world.writes).toBe(3)
    const restarted = await open(create())
    expect(await restarted.hello()).toMatchObject({ size: 20 })
    clock.advance(10_000)
    const again = await restarted.answer(offer(trunk, 20))
    expect(again?.type === 'cosignature' && (await verifyCosignature(textOf(trunk), again.signature, own.key))).toBe(
      start / 1_000 + 10,
    )
    // The same tree is stored already.
    expect(world.writes).toBe(3)
  })

  test('error: signs nothing if the checkpoint cannot be stored', async () => {
    const { session, world, alarms } = await setUp()
    world.full = true
    await expect(session.answer(offer(trunk, 0))).rejects.toThrow('no space left')
    world.full = false
    // Nothing was promised about the tree that could not be stored.
    expect(await session.answer(offer(branch, 0))).toMatchObject({ type: 'cosignature', size: 20 })
    expect(alarms).toEqual([])
  })

  test('error: proves a fork once, and signs neither it nor a smaller size', async () => {
    const { session, alarms, clock } = await setUp(branch)
    await session.answer(offer(trunk.slice(0, 6), 0))
    for (const leaves of [branch, branch.slice(0, 7), branch.slice(0, 6), trunk.slice(0, 5)]) {
      expect(await session.answer(offer(leaves, Math.min(6, leaves.length)))).toBeNull()
      clock.advance(60_000)
    }
    expect(alarms).toMatchObject([
      { code: 'LOG_FORKED', origin, message: `The log ${origin} has signed two histories.` },
    ])
    expect(await verifyProof(alarms[0]?.proof ?? '', { log: log.key })).toMatchObject({
      statements: [{ isProved: true, text: expect.stringContaining('differ in their first 6 entries') }],
    })
    // It still follows the history that it knows.
    expect(await session.answer(offer(trunk, 6))).toMatchObject({ type: 'cosignature', size: 20 })
  })

  test('error: reports a log that shows no consistent tiles, and searches once a minute', async () => {
    const { session, alarms, world, clock } = await setUp(trunk.slice(0, 2))
    await session.answer(offer(trunk.slice(0, 6), 0))
    for (let round = 0; round < 5; round += 1) await session.answer(offer(branch, 6))
    expect(alarms).toMatchObject([{ code: 'LOG_INCONSISTENT', proof: null }])
    expect(world.reads).toBe(1)
    clock.advance(60_000)
    await session.answer(offer(branch, 6))
    expect([world.reads, alarms.length]).toEqual([2, 1])
  })

  test('behavior: an older checkpoint of the same history is no alarm', async () => {
    const { session, alarms } = await setUp()
    await session.answer(offer(trunk, 0))
    expect(await session.answer(offer(trunk.slice(0, 6), 0))).toBeNull()
    expect(alarms).toEqual([])
  })

  test('behavior: asks for a proof from its own size, but not forever', async () => {
    const { session } = await setUp()
    await session.answer(offer(trunk.slice(0, 6), 0))
    const asked = { type: 'witness', size: 6 }
    for (const expected of [asked, asked, asked, null]) {
      const answer = await session.answer(offer(trunk, 4))
      if (expected === null) expect(answer).toBeNull()
      else expect(answer).toMatchObject(expected)
    }
  })

  test('error: keeps the first key of a log', async () => {
    const { witness, session, reader, alarms } = await setUp()
    await session.answer(offer(trunk, 0))
    const other = createNoteSigner(origin, keyTypes.log)
    expect(await witness.open({ key: formatKey(other.key), reader })).toBeNull()
    expect(alarms).toMatchObject([{ code: 'LOG_KEY_CHANGED', origin, proof: null }])
    await expect(session.answer({ ...offer(trunk, 0), note: 'x' })).rejects.toThrow('not a signed note')
  })

  test('behavior: two sessions at once sign one history', async () => {
    const { session, open } = await setUp()
    const other = await open()
    const answers = await Promise.all([session.answer(offer(trunk, 0)), other.answer(offer(branch, 0))])
    expect(answers.map((answer) => answer?.type)).toEqual(['cosignature', undefined])
  })
})
