import { describe, expect, test } from '@jest/globals'
import type { Bus } from '../../src/ports/bus.ts'

/** What every bus must do, whatever it runs on. */
export function describeBusContract(name: string, create: (onError: (error: unknown) => void) => Promise<Bus>): void {
  const open = (onError: (error: unknown) => void = () => {}) => create(onError)

  describe(`bus contract: ${name}`, () => {
    test('default', async () => {
      const bus = await open()
      const heard: string[] = []
      bus.subscribe('a', (payload) => heard.push(`one ${payload}`))
      bus.subscribe('a', (payload) => heard.push(`two ${payload}`))
      bus.subscribe('b', (payload) => heard.push(`other ${payload}`))
      bus.publish('a', '1')
      bus.publish('b', '2')
      bus.publish('a', '3')
      await bus.close()
      expect([...heard].sort()).toEqual(['one 1', 'one 3', 'other 2', 'two 1', 'two 3'])
      expect(heard.filter((line) => line.startsWith('one'))).toEqual(['one 1', 'one 3'])
    })

    test('behavior: the publisher goes on before a handler runs', async () => {
      const bus = await open()
      const heard: string[] = []
      bus.subscribe('a', (payload) => heard.push(payload))
      bus.publish('a', '1')
      expect(heard).toEqual([])
      await bus.close()
      expect(heard).toEqual(['1'])
    })

    test('behavior: an ended subscription is given nothing more, the others go on', async () => {
      const bus = await open()
      const heard: string[] = []
      const handler = (payload: string) => {
        heard.push(payload)
      }
      const end = bus.subscribe('a', handler)
      bus.subscribe('a', handler)
      end()
      bus.publish('a', '1')
      await bus.close()
      expect(heard).toEqual(['1'])
    })

    test('error: a handler that throws disturbs no other', async () => {
      const errors: unknown[] = []
      const bus = await open((error) => errors.push(error))
      const heard: string[] = []
      const mistake = new TypeError('a mistake in a handler')
      bus.subscribe('a', () => {
        throw mistake
      })
      bus.subscribe('a', (payload) => heard.push(payload))
      bus.publish('a', '1')
      bus.publish('a', '2')
      await bus.close()
      expect(heard).toEqual(['1', '2'])
      expect(errors).toEqual([mistake, mistake])
    })

    test('behavior: after the close nothing is delivered', async () => {
      const bus = await open()
      const heard: string[] = []
      bus.subscribe('a', (payload) => heard.push(payload))
      await bus.close()
      bus.publish('a', '1')
      await bus.close()
      expect(heard).toEqual([])
    })
  })
}
