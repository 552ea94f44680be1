import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { createSealedFrames, frameOverheadBytes, maxFrameBytes } from './sealedFrames.ts'

const key = randomBytes(32)
const domain = { chainId: 1, quoteMarket: '0x00000000000000000000000000000000000000Ab' } as const
const now = 1_700_000_000_000
const create = (change: Partial<Parameters<typeof createSealedFrames>[0]> = {}) =>
  createSealedFrames({ key, domain, random: randomBytes, ...change })

describe('createSealedFrames', () => {
  test('default: another process opens a sealed frame, which is unreadable without the key', () => {
    const [one, two] = [create(), create()]
    const frame = one.seal('{"é":1}', now)
    expect(two.open(frame, now)).toEqual({ ok: true, text: '{"é":1}' })
    expect(frame.length).toBe(Buffer.byteLength('{"é":1}') + frameOverheadBytes)
    expect(frame.includes('{"')).toBe(false)
    expect(one.seal('', now).length).toBe(frameOverheadBytes)
    expect(create().open(one.seal('', now), now)).toEqual({ ok: true, text: '' })
  })

  test('behavior: other markets and databases use other subjects and keys', () => {
    const one = create()
    const others = [
      create({ domain: { ...domain, chainId: 2 } }),
      create({ domain: { ...domain, quoteMarket: `0x${'11'.repeat(20)}` } }),
      create({ key: randomBytes(32) }),
    ]
    expect(new Set([one, ...others].map(({ subject }) => subject)).size).toBe(4)
    expect(create().subject).toBe(one.subject)
    expect(one.subject).toMatch(/^firmquote\.1\.0x00000000000000000000000000000000000000ab\.[0-9a-f]{16}$/)
    for (const other of others) expect(other.open(one.seal('1', now), now)).toEqual({ ok: false, reason: 'forged' })
  })

  test('error: a flipped bit anywhere, and missing or added bytes', () => {
    const frame = create().seal('text', now)
    for (let bit = 8; bit < frame.length * 8; bit += 1) {
      const changed = Buffer.from(frame)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(create().open(changed, now)).toEqual({ ok: false, reason: 'forged' })
    }
    for (let length = 0; length < frame.length; length += 1) {
      const reason = create().open(frame.subarray(0, length), now)
      expect(reason).toEqual({ ok: false, reason: 'forged' })
    }
    expect(create().open(Buffer.concat([frame, Buffer.alloc(1)]), now)).toEqual({ ok: false, reason: 'forged' })
    expect(create().open(frame, now).ok).toBe(true)
  })

  test('error: another version', () => {
    const frame = create().seal('text', now)
    frame.writeUInt8(2)
    expect(create().open(frame, now)).toEqual({ ok: false, reason: 'unknown_version' })
  })

  test('error: an oversized frame is rejected first', () => {
    const large = create().seal('x'.repeat(maxFrameBytes - frameOverheadBytes), now)
    expect(large.length).toBe(maxFrameBytes)
    expect(create().open(large, now).ok).toBe(true)
    expect(create().open(Buffer.alloc(maxFrameBytes + 1), now)).toEqual({ ok: false, reason: 'oversized' })
  })

  test('error: duplicate frames, late frames, and its own', () => {
    const [one, two] = [create(), create()]
    const frames = ['1', '2', '3'].map((text) => one.seal(text, now)) as [Buffer, Buffer, Buffer]
    const replayed = { ok: false, reason: 'replayed' }
    expect(two.open(frames[1], now).ok).toBe(true)
    expect(two.open(frames[1], now)).toEqual(replayed)
    expect(two.open(frames[0], now)).toEqual(replayed)
    expect(two.open(frames[2], now).ok).toBe(true)
    expect(one.open(one.seal('4', now), now)).toEqual(replayed)
    // Each process has a separate counter.
    expect(two.open(create().seal('1', now), now).ok).toBe(true)
  })

  test('error: a forgery with a high counter does not block later frames', () => {
    const [one, two] = [create(), create()]
    expect(two.open(one.seal('1', now), now).ok).toBe(true)
    const forged = one.seal('2', now)
    forged.fill(0xff, 17, 23)
    expect(two.open(forged, now)).toEqual({ ok: false, reason: 'forged' })
    expect(two.open(one.seal('3', now), now).ok).toBe(true)
  })

  test.each([
    [30_000, true],
    [30_001, false],
    [-30_000, true],
    [-30_001, false],
  ])('behavior: %d ms after sending, a frame is accepted: %j', (age, isBelieved) => {
    const opened = create().open(create().seal('1', now), now + age)
    expect(opened).toEqual(isBelieved ? { ok: true, text: '1' } : { ok: false, reason: 'untimely' })
  })

  test('behavior: a sender is removed once its frames have expired', () => {
    const [old, two] = [create(), create()]
    // The sender's clock ran fast and has since been corrected.
    const [early, late] = [old.seal('1', now + 20_000), old.seal('2', now)]
    expect(two.open(early, now).ok).toBe(true)
    expect(two.open(late, now).ok).toBe(true)
    expect(two.open(create().seal('1', now + 50_000), now + 50_000).ok).toBe(true)
    expect(two.open(early, now + 50_000)).toEqual({ ok: false, reason: 'replayed' })
    expect(two.open(create().seal('1', now + 50_001), now + 50_001).ok).toBe(true)
    // The frame has expired, but this shows only after decryption.
    expect(two.open(early, now + 50_001)).toEqual({ ok: false, reason: 'untimely' })
  })

  test('behavior: no nonce is used twice: equal texts from one or two processes have nothing in common', () => {
    const [one, two] = [create(), create()]
    const sealed = [one, one, two].map((frames) => frames.seal('the same', now).toString('hex').slice(46))
    expect(new Set(sealed).size).toBe(3)
    expect(new Set(sealed.map((text) => text.slice(0, 8))).size).toBe(3)
  })

  test('error: a key of the wrong length', () => {
    expect(() => create({ key: randomBytes(16) })).toThrow('32 bytes')
  })
})
