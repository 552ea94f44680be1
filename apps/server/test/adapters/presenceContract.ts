import { describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import type { Presence } from '../../src/ports/presence.ts'

/** Instances that share presence. `refresh` exchanges their states. */
export type PresenceFixture = { instances: readonly [Presence, ...Presence[]]; refresh(): Promise<void> }

const one: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other: Address = '0x2222222222222222222222222222222222222222'

/** Tests for every presence adapter. */
export function describePresenceContract(
  name: string,
  create: (socketsPerBacker: number) => Promise<PresenceFixture>,
): void {
  const start = async () => {
    const bench = await create(2)
    let turn = 0
    /** Calls the instances in turn. */
    const next = () => {
      turn += 1
      return bench.instances[turn % bench.instances.length] ?? bench.instances[0]
    }
    return { ...bench, next }
  }

  describe(`presence: ${name}`, () => {
    test('default: counts sockets by backer, and each is released once', async () => {
      const { next } = await start()
      const first = await next().enter(one)
      expect([first, await next().enter(one)]).toEqual([expect.any(Function), expect.any(Function)])
      expect(await next().enter(one)).toBeNull()
      expect(await next().enter(one.toLowerCase() as Address)).toBeNull()
      expect(await next().enter(other)).not.toBeNull()
      first?.()
      first?.()
      let entered: unknown = null
      while (entered === null) entered = await next().enter(one)
      expect(await next().enter(one)).toBeNull()
    })

    test('behavior: the sockets of all instances are listed', async () => {
      const { next } = await start()
      const [first] = [await next().enter(one), await next().enter(one), await next().enter(other)]
      const listed = async () =>
        (await next().listSockets())
          .map(({ backer, sockets }) => [backer.toLowerCase(), sockets])
          .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
      expect(await listed()).toEqual([
        [other, 1],
        [one.toLowerCase(), 2],
      ])
      first?.()
      while ((await listed())[1]?.[1] === 2) await new Promise((resolve) => setImmediate(resolve))
      expect(await listed()).toEqual([
        [other, 1],
        [one.toLowerCase(), 1],
      ])
    })

    test('behavior: simultaneous sockets are admitted up to the limit', async () => {
      const { next } = await start()
      const entered = await Promise.all(Array.from({ length: 60 }, (_, n) => next().enter(n % 2 === 0 ? one : other)))
      expect(entered.filter((leave) => leave !== null)).toHaveLength(4)
    })

    test('behavior: distinct backers are counted, immediately on their instance and soon on others', async () => {
      const { instances, refresh } = await start()
      const [first] = instances
      const last = instances.at(-1) ?? first
      const leave = first.join(one)
      first.join(one.toLowerCase() as Address)
      first.join(other)
      expect(first.countBackers()).toBe(2)
      last.join(other)
      leave()
      leave()
      await refresh()
      expect(instances.map((instance) => instance.countBackers())).toEqual(instances.map(() => 2))
    })
  })
}
