import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { type ListeningServer, listenForTest } from '../../../test/listenForTest.ts'
import { openRawSocket } from '../../../test/rawSocket.ts'
import { createScriptedService, testDomain } from '../../../test/scriptedService.ts'
import { connectBacker } from '../../../test/socketClient.ts'

const account = privateKeyToAccount(`0x${'07'.repeat(32)}`)
let server: ListeningServer
beforeAll(async () => {
  server = await listenForTest({
    ...createScriptedService(),
    domain: testDomain,
    limits: { unreadableMessages: 1_000_000, messages: 1_000_000 },
  })
})
afterAll(() => server.close())

test('behavior: arbitrary bytes end their own connection only', async () => {
  const bystander = await connectBacker(server.wsUrl, account)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
      const raw = await openRawSocket(server.port)
      raw.write(Buffer.from(bytes))
      raw.destroy()
      bystander.send({ type: 'ping', id: 'still here' })
      expect(await bystander.next('pong')).toMatchObject({ id: 'still here' })
    }),
    { numRuns: 100 },
  )
  await bystander.end()
})

test('behavior: arbitrary JSON is answered, and the session continues', async () => {
  const backer = await connectBacker(server.wsUrl, account)
  const types = fc.constantFrom('quote', 'auth', 'authenticated', 'quote_ack', '__proto__')
  const keys = fc.constantFrom('id', 'rfqId', 'quote', 'reason', '__proto__', 'constructor')
  const messages = fc.oneof(
    fc.jsonValue(),
    fc.tuple(types, fc.dictionary(keys, fc.jsonValue())).map(([type, rest]) => ({ ...rest, type })),
  )
  await fc.assert(
    fc.asyncProperty(messages, async (message) => {
      backer.send(JSON.stringify(message))
      const error = await backer.next('error')
      expect(error).toMatchObject({ code: 'INVALID_REQUEST', message: expect.any(String) })
    }),
    { numRuns: 300 },
  )
  await backer.end()
})
