import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { type Relay, startRelay } from './startRelay.ts'

// A trial of faults is worth what its faults are.

const open: Socket[] = []
const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** A relay to a server that notes what arrives and sends it back. */
async function startEcho() {
  const server = createServer((socket) => {
    open.push(socket)
    socket.on('error', () => {}).on('data', (chunk) => socket.write(chunk))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(() => server.close())
  const relay: Relay = await startRelay((server.address() as AddressInfo).port)
  stops.push(relay.stop)
  const dial = () => {
    const socket = connect({ port: relay.port, host: '127.0.0.1' })
    open.push(socket)
    let text = ''
    let isOpen = true
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('close', () => {
      isOpen = false
    })
    return { socket, text: () => text, isOpen: () => isOpen }
  }
  return { relay, dial }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
}
const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

test('default: what is held arrives late, in its order', async () => {
  const { relay, dial } = await startEcho()
  const line = dial()
  line.socket.write('a')
  await until(() => line.text() === 'a')
  relay.set('hold')
  line.socket.write('b')
  const late = dial()
  late.socket.write('x')
  await pause()
  expect([line.text(), late.text()]).toEqual(['a', ''])
  line.socket.write('c')
  relay.set('pass')
  await until(() => line.text() === 'abc' && late.text() === 'x')
})

test('behavior: what is dropped never arrives, and its connection ends with the fault', async () => {
  const { relay, dial } = await startEcho()
  const [spoke, silent] = [dial(), dial()]
  for (const { socket } of [spoke, silent]) socket.write('a')
  await until(() => spoke.text() + silent.text() === 'aa')
  relay.set('drop')
  spoke.socket.write('b')
  await pause()
  expect([spoke.isOpen(), spoke.text()]).toEqual([true, 'a'])
  relay.set('pass')
  await until(() => !spoke.isOpen())
  silent.socket.write('b')
  await until(() => silent.text() === 'ab')
  expect(spoke.text()).toBe('a')
})

test('behavior: cut ends every connection, and there is none until it passes', async () => {
  const { relay, dial } = await startEcho()
  const line = dial()
  line.socket.write('a')
  await until(() => line.text() === 'a')
  relay.set('cut')
  await until(() => !line.isOpen())
  const refused = dial()
  await until(() => !refused.isOpen())
  relay.set('pass')
  const again = dial()
  again.socket.write('b')
  await until(() => again.text() === 'b')
})
