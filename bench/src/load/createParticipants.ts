import { setTimeout as sleep } from 'node:timers/promises'
import type { QuoteDomain } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { type Backer, connectBacker } from './connectBacker.ts'
import { type AuctionEnd, openAuction } from './openAuction.ts'
import { createQuoteSource, leastNotional, type QuoteSource, type Series } from './quoteSource.ts'

/** The server, and the backers that connect to it. */
export type ParticipantsOptions = {
  url: string
  wsUrl: string
  domain: QuoteDomain
  series: Series
  makers: readonly DevnetAccount[]
  /** Which backers answer an RFQ; absent: all of them. `rfq` counts the RFQs that these borrowers opened. */
  answers?: (backer: number, rfq: number) => boolean
}

/** What was seen; latencies are milliseconds. */
export type LoadFigures = {
  /** Quote sent until its acknowledgement. */
  acknowledgement: number[]
  /** RFQ posted until its frame at a backer, once for each backer. */
  fanOut: number[]
  /** Promised close until the event `done` at the borrower. */
  close: number[]
  /** How many quotes were answered, by verdict. */
  verdicts: Map<string, number>
  /** How many auctions were not opened, or broke off, by code. */
  refused: Map<string, number>
  broken: Map<string, number>
  /** How many backers lost their connection, by close code. */
  lost: Map<string, number>
}

/** Connected backers that answer every RFQ at once, and borrowers that request quotes. */
export type Participants = {
  figures: LoadFigures
  /** Opens an auction and waits for its end. */
  requestQuotes(): Promise<AuctionEnd>
  /** Signs `count` quotes of every backer ahead of time. */
  prepare(count: number): void
  /** Waits until every quote that was sent has been answered; resolves to the number that were not in this time. */
  settle(milliseconds: number): Promise<number>
  /** Waits until there have been `count` answers since the start; resolves to the number that are missing after this time. */
  answered(count: number, milliseconds: number): Promise<number>
  close(): Promise<void>
}

/** How many backers connect at the same time: each challenge is answered by a signature on both sides. */
const connecting = 50

/** Connects a backer for every maker. @throws {TypeError} when the server does not let one in. */
export async function createParticipants(options: ParticipantsOptions): Promise<Participants> {
  const { url, wsUrl, domain, series, makers, answers = () => true } = options
  const figures: LoadFigures = {
    acknowledgement: [],
    fanOut: [],
    close: [],
    verdicts: new Map(),
    refused: new Map(),
    broken: new Map(),
    lost: new Map(),
  }
  const sentAt = new Map<string, number>()
  const postedAt = new Map<string, number>()
  let asked = 0

  const join = async (maker: DevnetAccount, index: number): Promise<{ backer: Backer; quotes: QuoteSource }> => {
    const quotes = await createQuoteSource(maker, series, domain)
    let sent = 0
    const backer: Backer = await connectBacker(wsUrl, maker, domain, {
      rfq(rfqId, notional, at) {
        const posted = postedAt.get(notional)
        // Not opened by these borrowers.
        if (posted === undefined) return
        figures.fanOut.push(at - posted)
        if (!answers(index, Number(BigInt(notional) - leastNotional))) return
        sent += 1
        const id = `${index}.${sent}`
        const frame = `{"type":"quote","id":"${id}","rfqId":"${rfqId}","quote":${JSON.stringify(quotes.next())}}`
        sentAt.set(id, performance.now())
        backer.send(frame)
      },
      ack(id, verdict, at) {
        count(figures.verdicts, verdict)
        const sent = sentAt.get(id)
        if (sent === undefined) return
        figures.acknowledgement.push(at - sent)
        sentAt.delete(id)
      },
      lost: (code, reason) => count(figures.lost, `${code} ${reason}`.trim()),
    })
    return { backer, quotes }
  }

  const participants: { backer: Backer; quotes: QuoteSource }[] = []
  for (let start = 0; start < makers.length; start += connecting) {
    const group = makers.slice(start, start + connecting)
    participants.push(...(await Promise.all(group.map((maker, index) => join(maker, start + index)))))
  }
  // The nearest guess of the server's clock is the one with the least delay.
  const clockOffset = Math.max(...participants.map(({ backer }) => backer.clockOffset), Number.NEGATIVE_INFINITY)

  return {
    figures,
    async requestQuotes() {
      asked += 1
      const notional = leastNotional + BigInt(asked)
      postedAt.set(String(notional), performance.now())
      const end = await openAuction(url, series, notional)
      postedAt.delete(String(notional))
      if (end.outcome === 'done') figures.close.push(end.doneAt + ownClock(clockOffset) - end.closesAt)
      else count(figures[end.outcome], end.code)
      return end
    },
    prepare(count) {
      for (const { quotes } of participants) quotes.prepare(count)
    },
    settle: (milliseconds) => wait(() => sentAt.size, milliseconds),
    answered: (count, milliseconds) => wait(() => count - figures.acknowledgement.length, milliseconds),
    close: async () => {
      await Promise.all(participants.map(({ backer }) => backer.close()))
    },
  }
}

/** Polls until nothing is missing or the time is over; resolves to what still is. */
async function wait(missing: () => number, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds
  while (missing() > 0 && performance.now() < until) await sleep(2)
  return Math.max(0, missing())
}

/** On one machine the clocks are the same, and a small offset is only the latency of a message. */
function ownClock(offset: number): number {
  return Math.abs(offset) < 50 ? 0 : offset
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
