import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { describe, expect, test } from '@jest/globals'
import { createGate } from '../../test/daemonHarness.ts'
import { createPeriodicTasks } from './periodicTasks.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

function create() {
  const clock = createFakeClock()
  const world = { fails: false, done: [] as string[], logged: [] as string[], gate: createGate() }
  world.gate.open()
  const log = {
    info: (_: object, message: string) => void world.logged.push(message),
    warn: (_: object, message: string) => void world.logged.push(message),
  }
  const steps = [
    {
      what: 'one',
      async work() {
        world.done.push('one')
        await world.gate.wait
        if (world.fails) throw new TypeError('no')
      },
    },
    { what: 'two', work: async () => void world.done.push('two') },
  ]
  return { clock, world, rounds: createPeriodicTasks({ clock, everyMs: 1_000, steps, log }) }
}

describe('createPeriodicTasks', () => {
  test('default: each round starts everyMs after the end of the previous one', async () => {
    const { clock, world, rounds } = create()
    world.gate = createGate()
    rounds.start()
    await turn()
    clock.advance(5_000)
    await turn()
    expect(world.done).toEqual(['one'])
    world.gate.open()
    await turn()
    clock.advance(999)
    await turn()
    expect(world.done).toEqual(['one', 'two'])
    clock.advance(1)
    await turn()
    expect(world.done).toEqual(['one', 'two', 'one', 'two'])
  })

  test('behavior: a failure delays nothing and is logged once until it ends', async () => {
    const { clock, world, rounds } = create()
    world.fails = true
    rounds.start()
    await turn()
    clock.advance(1_000)
    await turn()
    expect(world.done).toEqual(['one', 'two', 'one', 'two'])
    world.fails = false
    clock.advance(1_000)
    await turn()
    expect(world.logged).toEqual(['one failed; will retry each round', 'one succeeded again'])
  })

  test('behavior: stop waits for the running step and starts no other', async () => {
    const { clock, world, rounds } = create()
    world.gate = createGate()
    rounds.start()
    let isStopped = false
    const stopped = rounds.stop().then(() => {
      isStopped = true
    })
    await turn()
    expect(isStopped).toBe(false)
    world.gate.open()
    await stopped
    expect(world.done).toEqual(['one'])
    expect(clock.pending()).toBe(0)
  })
})
