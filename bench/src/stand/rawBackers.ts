// A process with many backers, which answer RFQs with prepared quotes.
import type { Socket } from 'node:net'
import type { Hex } from 'viem'
import { type Percentiles, percentilesOf } from '../figures.ts'
import { serve } from '../processes.ts'
import { connectBacker, textFrame } from './backerSocket.ts'

/** From the first byte sent to the last acknowledgement, all of them `accepted`. */
export type AnswerResult = { acks: number; elapsedMs: number; perSecond: number; latencies: Percentiles }

/** How many are authenticated at a time, well within the time that the server allows each. */
const atOnce = 50

const backers: Socket[] = []
let onRfq = (_backer: number, _text: () => string) => {}
let onAck = (_backer: number) => {}
/** The ids of the expected RFQs, once every backer has received all of them. */
let rfqIds: Promise<readonly string[]> = Promise.resolve([])

const functions = {
  /** Connects a backer for each key, to several servers in turn. */
  async connect({ wsUrls, keys }: { wsUrls: readonly string[]; keys: readonly Hex[] }) {
    for (let start = 0; start < keys.length; start += atOnce) {
      const some = keys.slice(start, start + atOnce).map((key, offset) =>
        connectBacker(wsUrls[(start + offset) % wsUrls.length] ?? '', key, {
          onRfq: (text) => onRfq(start + offset, text),
          onAck: ({ status, code }) => (status === 'accepted' ? onAck(start + offset) : fail(`refused: ${code}`)),
          onGone: fail,
        }),
      )
      backers.push(...(await Promise.all(some)))
    }
  },

  /** Expects this number of RFQs at every backer. */
  expect(rfqs: number) {
    const ids: string[] = []
    let count = 0
    rfqIds = new Promise((resolve) => {
      onRfq = (backer, text) => {
        if (backer === 0) ids.push((JSON.parse(text()) as { rfqId: string }).rfqId)
        count += 1
        if (count === backers.length * rfqs) resolve(ids)
      }
    })
  },

  /** Resolves when every backer has received all of them. */
  async received() {
    await rfqIds
  },

  /**
   * Answers each RFQ with the quotes of its list, one of each backer; backers at the end may have none. Each backer sends
   * its next quote when the one before is acknowledged, or all in turn at `rate` quotes a second.
   */
  async answer({ quotes, rate }: { quotes: readonly (readonly string[])[]; rate?: number | undefined }) {
    const ids = await rfqIds
    const frames = quotes.map((ofRfq, rfq) =>
      ofRfq.map((quote, backer) =>
        textFrame(`{"type":"quote","id":"${backer}-${rfq}","rfqId":"${ids[rfq]}","quote":${quote}}`),
      ),
    )
    const wanted = frames.reduce((sum, ofRfq) => sum + ofRfq.length, 0)
    const times: number[] = []
    const sentAt: number[] = []
    const next = backers.map(() => 0)
    const startedAt = performance.now()
    const send = (backer: number) => {
      const frame = frames[next[backer] ?? 0]?.[backer]
      if (!frame) return
      next[backer] = (next[backer] ?? 0) + 1
      sentAt[backer] = performance.now()
      backers[backer]?.write(frame)
    }
    await new Promise<void>((resolve) => {
      onAck = (backer) => {
        times.push(performance.now() - (sentAt[backer] ?? Number.NaN))
        if (times.length === wanted) resolve()
        else if (rate === undefined) send(backer)
      }
      if (rate === undefined) for (const backer of backers.keys()) send(backer)
      else sendSteadily(rate, wanted, (sent) => send(sent % backers.length))
    })
    const elapsedMs = performance.now() - startedAt
    const perSecond = (wanted * 1_000) / elapsedMs
    return { acks: wanted, elapsedMs, perSecond, latencies: percentilesOf(times) } satisfies AnswerResult
  },
}
/** Backers in a process of their own. */
export type RawBackers = typeof functions

serve(functions)

function sendSteadily(rate: number, count: number, send: (sent: number) => void): void {
  const startedAt = performance.now()
  let sent = 0
  const pacing = setInterval(() => {
    const due = Math.min(count, ((performance.now() - startedAt) * rate) / 1_000)
    for (; sent < due; sent += 1) send(sent)
    if (sent === count) clearInterval(pacing)
  }, 1)
}

/** A refused quote or a lost socket ends the process, and so the row. */
function fail(reason: string): void {
  console.error(`A backer: ${reason}`)
  process.exit(1)
}
