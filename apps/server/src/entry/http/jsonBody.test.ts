import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { type ListeningServer, listenForTest } from '../../../test/listenForTest.ts'
import { createScriptedService, testDomain, testRfq } from '../../../test/scriptedService.ts'
import { waitUntil } from '../../../test/waitUntil.ts'

const body = JSON.stringify({ poolId: testRfq.poolId, seriesKey: testRfq.seriesKey, notional: '1000000' })

let running: ListeningServer | undefined
afterEach(() => running?.close())

async function start() {
  const asked: unknown[] = []
  const { service } = createScriptedService({
    hub: {
      async open(request) {
        asked.push(request)
        return { ok: false, rejection: { code: 'OVERLOADED' } }
      },
    },
  })
  running = await listenForTest({ service, domain: testDomain })
  const line = connect(running.port, '127.0.0.1')
  let answers = ''
  line.on('data', (data) => {
    answers += String(data)
  })
  const head = (length: string) =>
    `POST /api/v1/rfq/quote HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`
  const answered = async (pattern: RegExp) => {
    while (!pattern.test(answers)) await once(line, 'data')
    answers = ''
  }
  return { asked, line, head, answered, server: running }
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

test('default: a body in many pieces is assembled, even on a connection that has already served one', async () => {
  const { asked, line, head, answered } = await start()
  for (let time = 0; time < 2; time += 1) {
    line.write(head('Transfer-Encoding: chunked'))
    for (const text of body.match(/.{1,7}/g) ?? []) {
      line.write(chunk(text))
      await new Promise((resolve) => setImmediate(resolve))
    }
    line.write('0\r\n\r\n')
    await answered(/^HTTP\/1.1 503 .*OVERLOADED/s)
  }
  expect(asked).toHaveLength(2)
  line.destroy()
})

test('error: a body declared too large is refused before it arrives', async () => {
  const { asked, line, head, answered } = await start()
  line.write(head('Content-Length: 1000000'))
  await answered(/^HTTP\/1.1 413 .*PAYLOAD_TOO_LARGE/s)
  expect(asked).toEqual([])
  line.destroy()
})

test('error: a chunked body is rejected as soon as it is too large, and the connection stays usable', async () => {
  const { asked, line, head, answered } = await start()
  line.write(head('Transfer-Encoding: chunked'))
  line.write(chunk('x'.repeat(20_000)))
  await answered(/^HTTP\/1.1 413 .*PAYLOAD_TOO_LARGE/s)
  line.write(`${chunk('x'.repeat(20_000))}0\r\n\r\n${head(`Content-Length: ${body.length}`)}${body}`)
  await answered(/^HTTP\/1.1 503 .*OVERLOADED/s)
  expect(asked).toHaveLength(1)
  line.destroy()
})

test('error: a connection that closes in the middle of a body ends only its own request', async () => {
  const { asked, line, head, server } = await start()
  // Data already written by the client reaches the server before the connection ends; data still queued would be lost.
  const begun = `${head(`Content-Length: ${body.length}`)}${body.slice(0, 10)}`
  await new Promise((resolve) => line.write(begun, resolve))
  line.destroy()
  const ended = () => server.logs.find(({ msg }) => msg === 'request')
  await waitUntil(() => ended() !== undefined)
  expect(ended()).toMatchObject({ status: 200, aborted: true })
  expect(asked).toEqual([])
  expect(server.logs.filter(({ level }) => Number(level) >= 40)).toEqual([])
})
