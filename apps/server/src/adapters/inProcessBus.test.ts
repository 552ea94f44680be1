import { expect, test } from '@jest/globals'
import { describeBusContract } from '../../test/adapters/busContract.ts'
import { createInProcessBus } from './inProcessBus.ts'

describeBusContract('in process', async (onError) => createInProcessBus({ onError }))

test('behavior: a message published by a handler is delivered after earlier ones', async () => {
  const bus = createInProcessBus({ onError: () => {} })
  const heard: string[] = []
  bus.subscribe('a', (payload) => {
    heard.push(payload)
    if (payload === '1') bus.publish('a', 'reply')
  })
  bus.publish('a', '1')
  bus.publish('a', '2')
  await bus.close()
  expect(heard).toEqual(['1', '2', 'reply'])
})
