// A process with many backers, which answer RFQs with prepared quotes. Its jobs come over its channel.

import { once } from 'node:events'
import { textFrame } from './clientFrames.ts'
import type { AnswerJob, AnswerResult, ConnectJob } from './connectBackers.ts'
import { summarizeLatencies } from './latencies.ts'
import { connectBacker, type RawBacker } from './rawBacker.ts'

/** How many are authenticated at a time, well within the time that the server allows each. */
const atOnce = 50

/** The events of the running job: which backer received an RFQ or an acknowledgement. */
type Listener = { onRfq(backer: number, text: () => string): void; onAck(backer: number): void }

const backers: RawBacker[] = []
let listener: Listener = { onRfq() {}, onAck() {} }

process.once('disconnect', () => process.exit())
process.on('message', (job: ConnectJob | AnswerJob | 'answer') => {
  // The word that a running job waits for.
  if (job === 'answer') return
  const done = 'keys' in job ? connect(job) : answer(job)
  done.then(
    (result) => process.send?.({ result }),
    (error: Error) => fail(error.message),
  )
})

function fail(failure: string): void {
  process.send?.({ failure })
}

async function connect({ wsUrl, keys }: ConnectJob): Promise<number> {
  const wsUrls = typeof wsUrl === 'string' ? [wsUrl] : wsUrl
  for (let start = 0; start < keys.length; start += atOnce) {
    const some = keys.slice(start, start + atOnce).map((key, offset) =>
      connectBacker(wsUrls[(start + offset) % wsUrls.length] ?? '', key, {
        onRfq: (text) => listener.onRfq(start + offset, text),
        onAck: ({ status, code }) => {
          if (status === 'accepted') listener.onAck(start + offset)
          else fail(`A quote was refused: ${code}`)
        },
        onGone: fail,
      }),
    )
    backers.push(...(await Promise.all(some)))
  }
  return backers.length
}

/** Waits until every backer has received every RFQ; then each sends its next quote when the one before is acknowledged, or all in turn at a rate. */
async function answer({ quotes, rate }: AnswerJob): Promise<AnswerResult> {
  const rfqIds: string[] = []
  let received = 0
  await new Promise<void>((resolve) => {
    listener = {
      onRfq(backer, text) {
        if (backer === 0) rfqIds.push((JSON.parse(text()) as { rfqId: string }).rfqId)
        received += 1
        if (received === backers.length * quotes.length) resolve()
      },
      onAck() {},
    }
    process.send?.({ listening: true })
  })
  const frames = quotes.map((ofRfq, rfq) =>
    ofRfq.map((quote, backer) =>
      textFrame(`{"type":"quote","id":"${backer}-${rfq}","rfqId":"${rfqIds[rfq]}","quote":${quote}}`),
    ),
  )
  const told = once(process, 'message')
  process.send?.({ received: true })
  await told
  const wanted = frames.reduce((sum, ofRfq) => sum + ofRfq.length, 0)
  const times: number[] = []
  const sentAt: number[] = []
  const next = backers.map(() => 0)
  const startedAt = performance.now()
  await new Promise<void>((resolve) => {
    const send = (backer: number) => {
      const frame = frames[next[backer] ?? 0]?.[backer]
      if (!frame) return
      next[backer] = (next[backer] ?? 0) + 1
      sentAt[backer] = performance.now()
      backers[backer]?.write(frame)
    }
    listener = {
      onRfq() {},
      onAck(backer) {
        times.push(performance.now() - (sentAt[backer] ?? Number.NaN))
        if (times.length === wanted) resolve()
        else if (rate === undefined) send(backer)
      },
    }
    if (rate === undefined) for (let backer = 0; backer < backers.length; backer += 1) send(backer)
    else {
      let sent = 0
      const pacing = setInterval(() => {
        for (const due = ((performance.now() - startedAt) * rate) / 1_000; sent < Math.min(due, wanted); sent += 1)
          send(sent % backers.length)
        if (sent === wanted) clearInterval(pacing)
      }, 1)
    }
  })
  const elapsedMs = performance.now() - startedAt
  return { acks: wanted, elapsedMs, perSecond: (wanted * 1_000) / elapsedMs, latencies: summarizeLatencies(times) }
}
