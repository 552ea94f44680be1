import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Bus } from '../../src/ports/bus.ts'

/** Tests for every bus adapter. */
export function describeBusContract(name: string, create: (onError: (error: unknown) => void) => Promise<Bus>): void {
  describe(`bus contract: ${name}`, () => {
    const errors: unknown[] = []
    let bus: Bus
    let heard: string[]
    beforeEach(async () => {
      errors.length = 0
      heard = []
      bus = await create((error) => errors.push(error))
    })
    const hear = (payload: string) => void heard.push(payload)

    test('default', async () => {
      bus.subscribe('a', (payload) => hear(`one ${payload}`))
      bus.subscribe('a', (payload) => hear(`two ${payload}`))
      bus.subscribe('b', (payload) => hear(`other ${payload}`))
      bus.publish('a', '1')
      bus.publish('b', '2')
      bus.publish('a', '3')
      await bus.close()
      expect([...heard].sort()).toEqual(['one 1', 'one 3', 'other 2', 'two 1', 'two 3'])
      expect(heard.filter((line) => line.startsWith('one'))).toEqual(['one 1', 'one 3'])
    })

    test('behavior: handlers run after the publisher has continued; an ended subscription receives nothing', async () => {
      const end = bus.subscribe('a', hear)
      bus.subscribe('a', hear)
      end()
      bus.publish('a', '1')
      expect(heard).toEqual([])
      await bus.close()
      expect(heard).toEqual(['1'])
    })

    test('error: a handler that throws does not affect the others', async () => {
      const mistake = new TypeError('a mistake in a handler')
      bus.subscribe('a', () => {
        throw mistake
      })
      bus.subscribe('a', hear)
      bus.publish('a', '1')
      bus.publish('a', '2')
      await bus.close()
      expect(heard).toEqual(['1', '2'])
      expect(errors).toEqual([mistake, mistake])
    })

    test('behavior: nothing is delivered after the close', async () => {
      bus.subscribe('a', hear)
      await bus.close()
      bus.publish('a', '1')
      await bus.close()
      expect(heard).toEqual([])
    })
  })
}
