import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { isTemporary, type RFQRequest } from '@firmquote/core'
import type { DevnetContracts } from '@firmquote/devnet'
import { RFQWebSocketClient, ServiceClient } from '@firmquote/sdk'
import { type Hex, zeroAddress } from 'viem'
import { quoteOf, signerOf } from '../quoteOf.ts'
import { socketUrlOf } from './rawBacker.ts'

// The honest users of a hostile fixture: a thread of its own, started with a HonestSetup.

/** What the honest users are started with. */
export type HonestSetup = {
  /** Of the servers: the backer is connected to the first; each auction is asked for at the next one, and so is `/livez`. */
  urls: readonly string[]
  /** An HTTP server that does nothing, to compare with. */
  bareUrl: string
  chainId: number
  contracts: DevnetContracts
  /** The backer's. */
  privateKey: Hex
  request: RFQRequest
  everyMs: number
  livezEveryMs: number
}

/** One auction of the honest borrower. Times are milliseconds since it was asked for; null: that never came. */
export type HonestAuction = {
  startedMs: number | null
  /** The first quote. */
  quotedMs: number | null
  quotes: number
  doneMs: number | null
  error: string | null
}

/** What they say to the test. */
export type HonestTold =
  | { type: 'ready' }
  | { type: 'auction'; index: number; auction: HonestAuction }
  | { type: 'finished'; livezMs: readonly number[]; bareMs: readonly number[]; refusals: readonly string[] }

const setup = workerData as HonestSetup
/** Why quotes of the backer for the honest borrower were not accepted. */
const refusals: string[] = []
const tell = (told: HonestTold) => parentPort?.postMessage(told)
const urlOf = (turn: number) => setup.urls[turn % setup.urls.length] ?? ''

/**
 * Answers every RFQ at once, at 1 % of its notional, with a quote that outlives the auction. As the protocol says, what the service could
 * not judge is sent again after a second: one that connects while strangers hold a hundred auctions sends more at once than are judged.
 */
async function connectBacker(): Promise<RFQWebSocketClient> {
  const { chainId, contracts, privateKey, request } = setup
  const signer = signerOf({ chainId, contracts }, privateKey)
  const maker = signer.getAddress() ?? zeroAddress
  const { poolId } = request
  const client = new RFQWebSocketClient(
    { url: socketUrlOf(urlOf(0)), signer, chainId, quoteMarketAddress: contracts.quoteMarket },
    {
      async onRFQ({ rfqId, seriesKey, notional, closesAt }) {
        const deadline = BigInt(Math.ceil(closesAt / 1_000) + 120)
        const terms = { poolId, seriesKey, notional, vrtAmount: notional / 100n, deadline }
        const signed = await signer.signQuoteMarketQuote(quoteOf(maker, terms))
        // A refusal that stays is the borrower's to measure: it gets no quote.
        for (let tries = 0; tries < 4; tries += 1) {
          const refusal = await client.submitSerializedQuote(rfqId, signed).then(
            (ack) => (ack.status === 'rejected' ? ack.code : null),
            (error: unknown) => String(error),
          )
          if (refusal !== null && notional === request.notional) refusals.push(refusal)
          if (refusal === null || !isTemporary(refusal)) return
          await sleep(1_000)
        }
      },
    },
  )
  await client.connect({ retry: true })
  return client
}

/** Asks for quotes and reads the stream to its end, as the SDK does it for anyone. */
async function ask(index: number): Promise<void> {
  const askedAt = performance.now()
  const auction: HonestAuction = { startedMs: null, quotedMs: null, quotes: 0, doneMs: null, error: null }
  const since = () => performance.now() - askedAt
  tell({ type: 'auction', index, auction })
  try {
    for await (const event of new ServiceClient({ orderbookUrl: urlOf(index + 1) }).streamQuotes(setup.request)) {
      if (event.type === 'started') auction.startedMs = since()
      if (event.type === 'quote') {
        auction.quotedMs ??= since()
        auction.quotes += 1
      }
      if (event.type === 'done') auction.doneMs = since()
      tell({ type: 'auction', index, auction })
    }
  } catch (error) {
    auction.error = String(error)
    tell({ type: 'auction', index, auction })
  }
}

/** Milliseconds until an answer of 200, by a connection of its own; Infinity when there is none within 20 s. */
function probe(url: string): Promise<number> {
  const askedAt = performance.now()
  return new Promise((resolve) => {
    const sent = get(url, { agent: false, timeout: 20_000 }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        resolve(answer.statusCode === 200 ? performance.now() - askedAt : Number.POSITIVE_INFINITY),
      )
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve(Number.POSITIVE_INFINITY))
  })
}

const backer = await connectBacker()
const asks: Promise<void>[] = []
// By address: looking a name up waits for threads of this process, which is not what is measured.
const livezOf = (turn: number) => `${urlOf(turn).replace('localhost', '127.0.0.1')}/livez`
const livezProbes: Promise<number>[] = []
const bareProbes: Promise<number>[] = []
const askNext = () => asks.push(ask(asks.length))
const asking = setInterval(askNext, setup.everyMs)
const probing = setInterval(() => {
  livezProbes.push(probe(livezOf(livezProbes.length)))
  bareProbes.push(probe(setup.bareUrl))
}, setup.livezEveryMs)
tell({ type: 'ready' })
askNext()

parentPort?.once('message', async () => {
  clearInterval(asking)
  await Promise.all(asks)
  clearInterval(probing)
  const [livezMs, bareMs] = await Promise.all([Promise.all(livezProbes), Promise.all(bareProbes)])
  backer.disconnect()
  tell({ type: 'finished', livezMs, bareMs, refusals })
})
