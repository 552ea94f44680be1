import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import { WebSocket, WebSocketServer } from 'ws'
import { encodeTextFrame } from './backerConnection.ts'

test('default: a WebSocket client decodes frames of every length class', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(server, 'listening')
  const connected = once(server, 'connection')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [, { socket }] = (await connected) as [WebSocket, { socket: Socket }]
  const received: string[] = []
  client.on('message', (data, isBinary) => received.push(isBinary ? 'binary' : String(data)))

  const texts = [0, 1, 125, 126, 65_535, 65_536, 100_000].map((length) => 'x'.repeat(length))
  texts.push('é'.repeat(63), '🦊 "quoted" \u2028')
  for (const text of texts) socket.write(encodeTextFrame(text))
  while (received.length < texts.length) await once(client, 'message')
  expect(received).toEqual(texts)

  client.terminate()
  server.close()
  await once(server, 'close')
})
