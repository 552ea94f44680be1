// Three complete servers on the same rows, each with its own doors: whichever is asked, the answer is the same.

import { hashQuote, type SignedQuote, serializeSignedQuote } from '@firmquote/core'
import { type Devnet, startDevnet } from '@firmquote/devnet'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { privateKeyToAccount } from 'viem/accounts'
import { type InstanceServer, type Instances, startInstances } from '../../test/instances.ts'
import { signedQuote } from '../../test/realService.ts'
import { domainOf } from '../../test/signedQuotes.ts'
import { connectBacker } from '../../test/socketClient.ts'
import { createChainDriver } from '../../test/syncBench.ts'
import { waitUntil } from '../../test/waitUntil.ts'

// Several looks long (one a second, which tests with a clock of their own hold to), also where a process gets no turn for a second or two.
const durationMs = 5_000
const intervalMs = 250
const notional = 2_000_000_000n

let devnet: Devnet
let instances: Instances
let first: InstanceServer
let second: InstanceServer
let third: InstanceServer
const lines: { end(): Promise<void> }[] = []

beforeAll(async () => {
  devnet = await startDevnet()
  instances = await startInstances(devnet, { durationMs, intervalMs })
  ;[first, second, third] = instances.servers as [InstanceServer, InstanceServer, InstanceServer]
  // Their starts, of threads among others, are no part of what the tests wait for.
  for (const server of instances.servers) {
    await ready(server)
    await (await connectBacker(server.wsUrl, privateKeyToAccount(devnet.backers[0].privateKey))).end()
  }
}, 60_000)
afterAll(async () => {
  await instances?.close()
  await devnet?.stop()
})
afterEach(async () => {
  for (const server of instances.servers) server.cut({})
  for (const line of lines.splice(0)) await line.end()
  // What was cut off takes no requests until it has found out that it no longer is.
  for (const server of instances.servers) await ready(server)
})

const ready = ({ url }: InstanceServer) => waitUntil(async () => (await fetch(`${url}/readyz`)).status === 200)

async function connect(server: InstanceServer, index: 0 | 1) {
  const line = await connectBacker(server.wsUrl, privateKeyToAccount(devnet.backers[index].privateKey))
  lines.push(line)
  return line
}

const post = (server: InstanceServer, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.api}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const getJson = async (server: InstanceServer, path: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: what is wanted of it is compared.
  (await fetch(`${server.api}${path}`)).json() as Promise<any>

/** The one that follows the chain, and the others: exactly one does. */
async function byLease() {
  const { servers } = instances
  const leading = () => servers.filter(({ service }) => service.sync.leads())
  await waitUntil(() => leading().length === 1)
  const [leader] = leading()
  const others = servers.filter((server) => server !== leader)
  return { leader, others } as { leader: InstanceServer; others: [InstanceServer, InstanceServer] }
}

/** The frames of a stream so far, each its id, its type and its data; `ended` resolves at the end of the stream. */
function readStream(response: Response) {
  const frames: { id: string; event: string; data: Record<string, unknown> }[] = []
  const read = async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const line = (name: string) => part.match(new RegExp(`^${name}: ?(.*)$`, 'm'))?.[1] ?? ''
        if (line('event')) frames.push({ id: line('id'), event: line('event'), data: JSON.parse(line('data')) })
      }
    }
  }
  return { frames, ended: read() }
}

const quoteOf = (index: 0 | 1, vrtAmount: bigint) => signedQuote(devnet, devnet.backers[index], { notional, vrtAmount })

const submission = (rfqId: string, quote: SignedQuote) => ({
  type: 'quote',
  rfqId,
  quote: serializeSignedQuote(quote),
})

test('default: an auction is opened, quoted, followed, resumed and read on different instances', async () => {
  const [pool] = devnet.pools
  const request = { poolId: pool.poolId, seriesKey: pool.series[1]?.seriesKey, notional: String(notional) }
  const key = { 'idempotency-key': crypto.randomUUID() }
  // The third one hears nothing of the others: it sees what the rows say.
  third.cut({ bus: true })
  const [near, far] = [await connect(second, 0), await connect(third, 1)]

  const opened = await post(first, '/rfq/quote/stream', request, key)
  expect(opened.status).toBe(200)
  const own = readStream(opened)
  const looks = third.looks()
  const [toNear, toFar] = await Promise.all([near.next('rfq'), far.next('rfq')])
  expect(toFar).toEqual(toNear)
  // Of looks, one a second, the first that begins after the answer has it: the next follows a second after its end.
  expect(third.looks() - looks).toBeLessThanOrEqual(1)
  await waitUntil(() => own.frames.length > 0)
  const rfqId = String(own.frames[0]?.data['rfqId'])

  const elsewhere = readStream(await fetch(`${third.api}/rfq/${rfqId}/stream`))
  const quotes = [await quoteOf(0, 9_000_000n), await quoteOf(1, 8_000_000n)] as const
  near.send(submission(toNear.rfqId, quotes[0]))
  far.send(submission(toFar.rfqId, quotes[1]))
  const acks = await Promise.all([near.next('quote_ack'), far.next('quote_ack')])
  expect(acks).toMatchObject([{ status: 'accepted' }, { status: 'accepted' }])
  // The same quote again, elsewhere: the same answer.
  const again = await connect(first, 0)
  again.send(submission(toNear.rfqId, quotes[0]))
  const { type: _, ...answer } = acks[0]
  expect(await again.next('quote_ack')).toMatchObject(answer)

  expect(await getJson(third, `/rfq/${rfqId}`)).toMatchObject({ rfqId, status: 'open' })
  const replayed = readStream(await post(second, '/rfq/quote/stream', request, key))

  await Promise.all([own.ended, elsewhere.ended, replayed.ended])
  expect(own.frames.map(({ event }) => event)).toEqual(['started', 'quote', 'quote', 'done'])
  expect([elsewhere.frames, replayed.frames]).toEqual([own.frames, own.frames])
  const results = await Promise.all(instances.servers.map((server) => getJson(server, `/rfq/${rfqId}`)))
  expect(results[0]).toMatchObject({ status: 'closed', quotes: [{}, {}] })
  expect(results[0]).not.toHaveProperty('interrupted')
  expect(results.slice(1)).toEqual([results[0], results[0]])
  for (const server of instances.servers) {
    const rest = await fetch(`${server.api}/rfq/${rfqId}/stream`, { headers: { 'last-event-id': `${rfqId}:1` } })
    const { frames, ended } = readStream(rest)
    await ended
    expect(frames).toEqual(own.frames.slice(2))
  }
  const outcomes = await Promise.all([near.next('auction_result'), far.next('auction_result')])
  expect(outcomes).toMatchObject([{ rfqId: toNear.rfqId, quoteCount: 2 }, { quoteCount: 2 }])
})

test('behavior: a quote that is published on one is known to all, and so is what becomes of it', async () => {
  const { others } = await byLease()
  const [lonely, another] = others
  lonely.cut({ bus: true })
  const chain = createChainDriver(devnet)
  const maker = await connect(lonely, 0)
  const quote = await quoteOf(0, 7_000_000n)
  const hash = hashQuote(quote, domainOf(devnet))
  expect((await post(first, '/quotes', serializeSignedQuote(quote))).status).toBe(201)
  for (const server of instances.servers) {
    expect(await getJson(server, `/quotes/${hash}`)).toMatchObject({ hash, status: 'active' })
  }
  await chain.take(devnet.borrowers[0], quote)
  const minedAt = performance.now()
  const told = await maker.next('quote_status')
  // A look a second; the rest is a busy machine's.
  expect(performance.now() - minedAt).toBeLessThan(3_000)
  expect(told).toMatchObject({ hash, status: 'filled' })
  const elsewhere = await connect(another, 0)
  elsewhere.send({ type: 'resume', id: 'r', seq: told.seq - 1 })
  expect(await elsewhere.next('quote_status')).toEqual(told)
  for (const server of instances.servers) {
    await waitUntil(async () => (await getJson(server, '/health')).sync.synced === (await chain.height()))
    expect(await getJson(server, `/quotes/${hash}`)).toMatchObject({ status: 'filled' })
    const { positions } = await getJson(server, `/positions/all?address=${devnet.backers[0].address}`)
    expect(positions).toMatchObject([{ maker: devnet.backers[0].address }])
  }
})

test('behavior: one that is cut off from the database sends its clients elsewhere; another follows the chain; it comes back', async () => {
  const { leader, others } = await byLease()
  const line = await connect(leader, 0)
  leader.cut({ database: true })
  const cutAt = performance.now()
  const slow = getJson(leader, `/rfq/${'0'.repeat(32)}`)
  expect(await line.closed).toMatchObject({ code: 1012 })
  expect(performance.now() - cutAt).toBeGreaterThan(2_000)
  expect(performance.now() - cutAt).toBeLessThan(5_500)
  expect(await slow).toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  expect((await fetch(`${leader.url}/readyz`)).status).toBe(503)
  await createChainDriver(devnet).mine(1)
  await waitUntil(() => others.some(({ service }) => service.sync.leads()))
  for (const { url } of others) expect((await fetch(`${url}/readyz`)).status).toBe(200)
  leader.cut({})
  await waitUntil(async () => (await fetch(`${leader.url}/readyz`)).status === 200)
  expect(await getJson(leader, '/health')).toMatchObject({ database: 'ok' })
})
