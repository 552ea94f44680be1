import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { createListLog } from '@firmquote/test-support/listLog'
import {
  checkpointText,
  consistencyPath,
  formatNote,
  formatSignature,
  hashLeaf,
  keyTypes,
  rootOf,
  witnessNameOf,
} from '@firmquote/verify'
import { describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { createNoteSigner, type NoteSigner, signNote } from '../../../../../packages/verify/test/proofFixture.ts'
import type { Standing } from '../../domain/seats.ts'
import { createWitnesses, type LogHead, type Offer, parseWitnessKey, type WitnessPlace } from './witnesses.ts'

const origin = 'rfq.example.com/log/1'
const logKey = createNoteSigner(origin, keyTypes.log)
const leaves = Array.from({ length: 40 }, (_, at) => hashLeaf(new TextEncoder().encode(String(at))))
const start = 1_900_000_000_000
const makerOf = (at: number) => `0x${String(at).padStart(40, '0')}` as Address
const flush = () => new Promise(setImmediate)

function setUp({ size = 5, rich = new Set<string>() } = {}) {
  const clock = createFakeClock(start)
  const log = createListLog()
  const world = { size, pathReads: 0, failsToRead: false }
  const head = (): LogHead | null => {
    if (world.size === 0) return null
    const text = checkpointText({ origin, size: world.size, root: rootOf(leaves.slice(0, world.size)) })
    const note = formatNote({ text, signatures: [signNote(logKey, text)] })
    return { origin, size: world.size, root: new Uint8Array(32), at: start, text, note }
  }
  const witnesses = createWitnesses({
    log: {
      origin,
      head,
      async consistencyPath(from, to) {
        world.pathReads += 1
        if (world.failsToRead) throw new TypeError('the database is down')
        return consistencyPath(leaves.slice(0, to), from)
      },
    },
    clock,
    async readStanding(makers): Promise<Standing> {
      const funds = makers.filter((maker) => rich.has(maker)).map((maker): [string, bigint] => [maker, 1n])
      return { funds: new Map([['token', new Map(funds)]]), filled: new Set() }
    },
    logger: log,
  })
  /** Joins a witness, and collects what it is sent. */
  const join = async (name: string, options: { maker?: Address | null; size?: number; signer?: NoteSigner } = {}) => {
    const { maker = makerOf(1), size: known = 0, signer = createNoteSigner(name, keyTypes.witness) } = options
    const sent: Offer[] = []
    const joined = await witnesses.join({ key: signer.key, maker, send: (offer) => sent.push(offer) }, known)
    await flush()
    const place = 'code' in joined ? null : (joined as WitnessPlace)
    const sign = (text = sent.at(-1)?.text ?? '', time = Math.floor(clock.now() / 1_000)) =>
      formatSignature(signNote(signer, text, time))
    return { sent, sign, refusal: 'code' in joined ? joined : null, cosign: place?.cosign, place, signer }
  }
  return { witnesses, clock, world, join, logged: log.entries }
}

describe('createWitnesses', () => {
  test('default: sends one checkpoint at a time, with the proof from the size of the witness', async () => {
    const { witnesses, world, join, clock } = setUp()
    const witness = await join('w1', { size: 3 })
    expect(witness.sent).toMatchObject([{ size: 5, from: 3, path: consistencyPath(leaves.slice(0, 5), 3) }])
    world.size = 6
    witnesses.published()
    world.size = 8
    witnesses.published()
    await flush()
    expect(witness.sent).toHaveLength(1)
    expect(await witness.cosign?.(5, witness.sign())).toBeNull()
    await flush()
    // The newest one, from the size that it signed.
    expect(witness.sent.slice(1)).toMatchObject([{ size: 8, from: 5, path: consistencyPath(leaves.slice(0, 8), 5) }])
    expect(witnesses.cosigned()).toMatchObject({
      head: { size: 5 },
      cosignatures: [{ name: 'w1', time: start / 1_000 }],
    })
    expect(await witness.cosign?.(8, witness.sign())).toBeNull()
    expect(witnesses.cosigned()).toMatchObject({ head: { size: 8 }, cosignatures: [{ name: 'w1' }] })
    clock.advance(9_999)
    await flush()
    expect(witness.sent).toHaveLength(2)
  })

  test('behavior: asks for a later time of an unchanged log every 10 seconds, and keeps one line of each key', async () => {
    const { witnesses, join, clock } = setUp()
    const witness = await join('w1')
    await witness.cosign?.(5, witness.sign())
    clock.advance(10_000)
    await flush()
    expect(witness.sent).toMatchObject([{ from: 0 }, { from: 5, path: [] }])
    await witness.cosign?.(5, witness.sign())
    expect(witnesses.cosigned()?.cosignatures).toMatchObject([{ time: start / 1_000 + 10 }])
  })

  test('error: refuses a wrong signature and says why, and still takes the right one', async () => {
    const { witnesses, clock, join } = setUp()
    const witness = await join('w1')
    const other = createNoteSigner('w1', keyTypes.witness)
    const text = witness.sent[0]?.text ?? ''
    const refusals = [
      await witness.cosign?.(6, witness.sign()),
      await witness.cosign?.(5, witness.sign('other\n')),
      await witness.cosign?.(5, formatSignature(signNote(other, text, start / 1_000))),
      await witness.cosign?.(5, 'nonsense'),
      await witness.cosign?.(5, witness.sign(text, start / 1_000 + 21)),
    ]
    expect(refusals).toEqual([
      'No checkpoint of 6 entries awaits a signature of w1.',
      'The signature of w1 is wrong.',
      expect.stringContaining('not a cosignature of w1+'),
      'A line below the note is not a signature.',
      expect.stringContaining('21 seconds after the checkpoint was sent'),
    ])
    expect(witnesses.cosigned()).toBeNull()
    // An answer that came too late needs a new question.
    expect(await witness.cosign?.(5, witness.sign())).toContain('No checkpoint')
    clock.advance(5_000)
    await flush()
    expect(witness.sent).toHaveLength(2)
    expect(await witness.cosign?.(5, witness.sign())).toBeNull()
    expect(await witness.cosign?.(5, witness.sign())).toContain('No checkpoint')
  })

  test('behavior: two answers at once count once', async () => {
    const { join } = setUp()
    const witness = await join('w1')
    const line = witness.sign()
    const answers = await Promise.all([witness.cosign?.(5, line), witness.cosign?.(5, line)])
    expect(answers).toEqual([null, expect.stringContaining('No checkpoint')])
  })

  test('behavior: witnesses of the same size share one proof', async () => {
    const { join, world } = setUp()
    for (let at = 1; at <= 5; at += 1) await join(`w${at}`, { maker: makerOf(at), size: 3 })
    expect(world.pathReads).toBe(1)
  })

  test('behavior: a witness that knows a larger log is not asked, and the operator is told once', async () => {
    const { join, logged, witnesses, world } = setUp()
    const witness = await join('w1', { size: 6 })
    witnesses.published()
    await flush()
    expect(witness.sent).toEqual([])
    expect(logged.filter(({ message }) => message === 'a witness knows a larger log')).toMatchObject([
      { facts: { known: 6, size: 5 } },
    ])
    world.size = 7
    witnesses.published()
    await flush()
    expect(witness.sent).toMatchObject([{ size: 7, from: 6 }])
  })

  test('behavior: a witness can name another size, and one that failed is asked later', async () => {
    const { join, clock } = setUp()
    const witness = await join('w1', { size: 3 })
    witness.place?.resync(2)
    await flush()
    expect(witness.sent).toMatchObject([{ from: 3 }, { from: 2 }])
    witness.place?.pause(60_000)
    clock.advance(59_000)
    await flush()
    expect(witness.sent).toHaveLength(2)
    clock.advance(1_000)
    await flush()
    expect(witness.sent).toHaveLength(3)
  })

  test('error: a proof that cannot be read is read again after 5 seconds', async () => {
    const { join, clock, world } = setUp()
    world.failsToRead = true
    const witness = await join('w1', { size: 3 })
    world.failsToRead = false
    clock.advance(4_000)
    await flush()
    expect(witness.sent).toEqual([])
    clock.advance(1_000)
    await flush()
    expect(witness.sent).toMatchObject([{ from: 3 }])
  })

  test('behavior: a maker has one witness, the latest', async () => {
    const { witnesses, join } = setUp()
    const first = await join('w1')
    const second = await join('w2')
    expect(witnesses.count()).toBe(1)
    expect(await first.cosign?.(5, first.sign())).toContain('Another witness has the place')
    expect(await second.cosign?.(5, second.sign())).toBeNull()
  })

  test("error: refuses the name of the log, of another witness, and another key's default name", async () => {
    const { join } = setUp()
    const { signer } = await join('w1')
    const absent = witnessNameOf(signer.key.publicKey)
    for (const name of ['w1', origin, absent]) {
      expect((await join(name, { maker: makerOf(2) })).refusal).toMatchObject({
        code: 'INVALID_REQUEST',
        message: `The name ${name} belongs to another key. Choose another name.`,
      })
    }
    // The same key may have two connections.
    expect((await join('w1', { maker: makerOf(3), signer })).refusal).toBeNull()
    const own = { ...signer, key: { ...signer.key, name: absent } }
    expect((await join(absent, { maker: makerOf(4), signer: own })).refusal).toBeNull()
  })

  test('behavior: of more than 20 witnesses, silent ones and those of makers without funds leave', async () => {
    const rich = new Set([makerOf(30), makerOf(31)])
    const { witnesses, join, clock } = setUp({ rich })
    const all = []
    for (let at = 1; at <= 20; at += 1) all.push(await join(`w${at}`, { maker: at === 20 ? null : makerOf(at) }))
    expect((await join('late', { maker: makerOf(29) })).refusal).toMatchObject({ code: 'OVERLOADED' })
    // One decision in 10 seconds.
    expect((await join('rich', { maker: makerOf(30) })).refusal).toMatchObject({ code: 'OVERLOADED' })
    clock.advance(10_000)
    expect((await join('rich', { maker: makerOf(30) })).refusal).toBeNull()
    expect(witnesses.count()).toBe(20)
    // The last maker without funds has left.
    expect(await all[18]?.cosign?.(5, all[18].sign())).toContain('Another witness')
    expect(await all[0]?.cosign?.(5, all[0].sign())).toBeNull()
    clock.advance(20_000)
    expect((await join('new', { maker: makerOf(28) })).refusal).toBeNull()
    expect(await all[1]?.cosign?.(5, all[1].sign())).toContain('Another witness')
    // The operator's own witness keeps its place, and only answers too late.
    expect(await all[19]?.cosign?.(5, all[19].sign())).toContain('30 seconds after')
  })

  test('behavior: a late signature of an older checkpoint does not replace those of a newer one', async () => {
    const { witnesses, join, world } = setUp()
    const slow = await join('slow')
    world.size = 9
    const fast = await join('fast', { maker: makerOf(2) })
    await fast.cosign?.(9, fast.sign())
    expect(await slow.cosign?.(5, slow.sign())).toBeNull()
    expect(witnesses.cosigned()).toMatchObject({ head: { size: 9 }, cosignatures: [{ name: 'fast' }] })
  })

  test('behavior: nothing runs without witnesses, or after the stop', async () => {
    const { witnesses, join, clock } = setUp()
    const witness = await join('w1')
    await witness.cosign?.(5, witness.sign())
    witnesses.stop()
    clock.advance(60_000)
    await flush()
    expect(witness.sent).toHaveLength(1)
    expect(clock.pending()).toBe(0)
  })
})

test('error: a key that is not a witness key', () => {
  expect(parseWitnessKey('x')).toContain('not of the form')
  expect(parseWitnessKey(`${origin}+00000000+AA==`)).toContain('not an Ed25519 key')
})
