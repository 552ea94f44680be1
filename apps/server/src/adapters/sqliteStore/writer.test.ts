import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { describe, expect, test } from '@jest/globals'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import { yieldToEventLoop } from '../../scheduling/eventLoop.ts'
import { createWriter, type WriterChannelEvents } from './writer.ts'
import type { WriteRequest } from './writes.ts'

/** Creates a writer on channels that the test controls. */
function setUp({ mayReopen = true } = {}) {
  const clock = createFakeClock()
  const channels: { events: WriterChannelEvents; sent: WriteRequest[]; closed: boolean }[] = []
  const causes: unknown[] = []
  const writer = createWriter(
    (events) => {
      const channel = { events, sent: [] as WriteRequest[], closed: false }
      channels.push(channel)
      return {
        send: (requests) => channel.sent.push(...requests),
        close: async () => {
          channel.closed = true
        },
      }
    },
    {
      clock,
      onLost(cause) {
        causes.push(cause)
        return mayReopen
      },
    },
  )
  const newest = () => {
    const channel = channels.at(-1)
    if (!channel) throw new TypeError('No channel was opened.')
    return channel
  }
  /** The outcome of a probe. */
  const probe = () => {
    const outcome: { is: unknown } = { is: 'waiting' }
    writer.write('probe', null).then(
      () => {
        outcome.is = 'done'
      },
      (error) => {
        outcome.is = error
      },
    )
    return outcome
  }
  return { clock, channels, causes, writer, newest, probe }
}

describe('createWriter', () => {
  test('behavior: after a loss, only writes that were sent have an unknown outcome', async () => {
    const { writer, newest, probe } = setUp()
    const outcomes = Array.from({ length: 300 }, probe)
    await yieldToEventLoop()
    newest().events.answered(Array.from({ length: 10 }, () => ({ value: undefined })))
    newest().events.lost(new TypeError('gone'))
    await yieldToEventLoop()
    expect(newest().sent).toHaveLength(256)
    const count = (of: (is: unknown) => boolean) => outcomes.filter(({ is }) => of(is)).length
    expect(count((is) => is === 'done')).toBe(10)
    expect(count((is) => is instanceof OutcomeUnknownError)).toBe(246)
    expect(count((is) => is instanceof StorageUnavailableError && !(is instanceof OutcomeUnknownError))).toBe(44)
    await writer.close()
  })

  test('behavior: a lost channel is reopened with a growing backoff, until a write succeeds', async () => {
    const { clock, channels, writer, newest, probe } = setUp()
    probe()
    await yieldToEventLoop()
    newest().events.opened()
    for (const delay of [100, 200, 400, 800, 1_600, 2_000, 2_000]) {
      const before = channels.length
      newest().events.lost(new TypeError('gone'))
      clock.advance(delay - 1)
      expect(channels).toHaveLength(before)
      clock.advance(1)
      expect(channels).toHaveLength(before + 1)
    }
    const refused = probe()
    await yieldToEventLoop()
    expect(refused.is).toBeInstanceOf(StorageUnavailableError)
    expect(() => writer.check()).toThrow(StorageUnavailableError)

    newest().events.opened()
    writer.check()
    const taken = probe()
    await yieldToEventLoop()
    newest().events.answered([{ value: undefined }])
    await yieldToEventLoop()
    expect(taken.is).toBe('done')
    const before = channels.length
    newest().events.lost(new TypeError('gone'))
    clock.advance(100)
    expect(channels).toHaveLength(before + 1)
    await writer.close()
  })

  test('behavior: events of a lost channel are ignored', async () => {
    const { clock, channels, causes, writer, newest, probe } = setUp()
    probe()
    await yieldToEventLoop()
    const old = newest()
    old.events.lost('first')
    old.events.lost('second')
    clock.advance(100)
    old.events.opened()
    expect(() => writer.check()).toThrow(StorageUnavailableError)
    newest().events.opened()
    const outcome = probe()
    await yieldToEventLoop()
    old.events.answered([{ value: undefined }])
    old.events.lost('third')
    await yieldToEventLoop()
    expect(outcome.is).toBe('waiting')
    newest().events.answered([{ value: undefined }])
    await yieldToEventLoop()
    expect(outcome.is).toBe('done')
    expect([causes, channels.length]).toEqual([['first'], 2])
    await writer.close()
  })

  test('behavior: the first cause is reported', async () => {
    const { clock, writer, newest, probe } = setUp()
    probe()
    await yieldToEventLoop()
    const first = new TypeError('first')
    newest().events.lost(first)
    clock.advance(100)
    newest().events.lost(new TypeError('second'))
    expect(() => writer.check()).toThrow(expect.objectContaining({ cause: first }))
    await writer.close()
  })

  test('behavior: a channel is not reopened if forbidden or closing', async () => {
    const damaged = setUp({ mayReopen: false })
    damaged.probe()
    await yieldToEventLoop()
    damaged.newest().events.lost('damage')
    expect(damaged.clock.pending()).toBe(0)
    await damaged.writer.close()

    const { clock, writer, newest, probe } = setUp()
    probe()
    await yieldToEventLoop()
    const closing = writer.close()
    newest().events.lost('gone')
    await closing
    expect(clock.pending()).toBe(0)

    const waiting = setUp()
    waiting.probe()
    await yieldToEventLoop()
    waiting.newest().events.lost('gone')
    expect(waiting.clock.pending()).toBe(1)
    await waiting.writer.close()
    expect(waiting.clock.pending()).toBe(0)
  })
})
