import type { CheckpointMessage } from '@firmquote/core'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { until } from '@firmquote/test-support/until'
import { describe, expect, test } from '@jest/globals'
import type { WitnessMessage } from '../backer/rfqWebSocketClient.ts'
import { createWitnessLink } from './createWitnessLink.ts'

const checkpoint = (from: number): CheckpointMessage => ({ type: 'checkpoint', note: 'note', from, path: [] })

/** A link to a session that signs when a test resolves `gates`. */
function setUp() {
  const sent: WitnessMessage[] = []
  const errors: unknown[] = []
  const cosigned: number[] = []
  const judged: number[] = []
  const world = { hasLog: true, gate: createDeferred() }
  const link = createWitnessLink({
    async open() {
      if (!world.hasLog) return null
      return {
        hello: async () => ({ type: 'witness', key: 'key', size: 0 }),
        async answer({ from }) {
          judged.push(from)
          await world.gate.promise
          if (from === 13) throw new TypeError('no space left')
          return { type: 'cosignature', size: from + 1, signature: '— w x' }
        },
      }
    },
    send: (message) => sent.push(message),
    onError: (error) => errors.push(error),
    onCosigned: (size) => cosigned.push(size),
  })
  return { link, sent, errors, cosigned, judged, world }
}

describe('createWitnessLink', () => {
  test('default: registers, and signs the newest of the checkpoints that wait', async () => {
    const { link, sent, cosigned, judged, world } = setUp()
    link.connected()
    await until(() => sent.length === 1)
    for (const from of [1, 2, 3, 4]) link.receive(checkpoint(from))
    world.gate.resolve()
    await until(() => sent.length === 3)
    expect(sent.map(({ type }) => type)).toEqual(['witness', 'cosignature', 'cosignature'])
    expect([judged, cosigned]).toEqual([
      [1, 4],
      [2, 5],
    ])
  })

  test('error: a failure is reported, and the next checkpoint is signed', async () => {
    const { link, sent, errors, world } = setUp()
    world.gate.resolve()
    link.connected()
    await until(() => sent.length === 1)
    link.receive(checkpoint(13))
    await until(() => errors.length === 1)
    link.receive(checkpoint(14))
    await until(() => sent.length === 2)
    expect(errors).toEqual([new TypeError('no space left')])
  })

  test('behavior: an answer is not sent on a later connection, nor after the stop', async () => {
    const { link, sent, world } = setUp()
    link.connected()
    await until(() => sent.length === 1)
    link.receive(checkpoint(1))
    link.disconnected()
    link.connected()
    await until(() => sent.length === 2)
    const stopped = link.stop()
    world.gate.resolve()
    await stopped
    link.receive(checkpoint(2))
    expect(sent.map(({ type }) => type)).toEqual(['witness', 'witness'])
  })

  test('behavior: a service without a log is left alone', async () => {
    const { link, sent, judged, world } = setUp()
    world.hasLog = false
    link.connected()
    await new Promise(setImmediate)
    link.receive(checkpoint(1))
    expect([sent, judged]).toEqual([[], []])
  })
})
