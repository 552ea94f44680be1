import { setTimeout as sleep } from 'node:timers/promises'
import type { QuoteDomain } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { type Backer, connectBacker } from './connectBacker.ts'
import { type AuctionEnd, openAuction } from './openAuction.ts'
import { createQuoteSource, leastNotional, type QuoteSource, type Series } from './quoteFrames.ts'

/** Where the crowd plays. */
export type CrowdOptions = {
  url: string
  wsUrl: string
  domain: QuoteDomain
  series: Series
  makers: readonly DevnetAccount[]
  /** Which backers answer an RFQ; absent: all of them. `rfq` counts the RFQs of the crowd. */
  answers?: (backer: number, rfq: number) => boolean
}

/** What was seen; latencies are milliseconds. */
export type CrowdFigures = {
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

/** Connected backers that answer every RFQ at once, and borrowers that ask. */
export type Crowd = {
  figures: CrowdFigures
  /** Opens an auction and waits for its end. */
  ask(): Promise<AuctionEnd>
  /** Signs so many quotes of every backer ahead. */
  prepare(count: number): void
  /** Waits until every quote that was sent has been answered, so long at most; the answer is how many were not. */
  settle(milliseconds: number): Promise<number>
  /** Waits until there have been so many answers since the beginning, so long at most; the answer is how many lack. */
  answered(count: number, milliseconds: number): Promise<number>
  close(): Promise<void>
}

/** How many backers connect at the same time: each challenge is answered by a signature on both sides. */
const connecting = 50

/** Connects a backer for every maker. @throws {TypeError} when the server does not let one in. */
export async function createCrowd(options: CrowdOptions): Promise<Crowd> {
  const { url, wsUrl, domain, series, makers, answers = () => true } = options
  const figures: CrowdFigures = {
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
        // Somebody else's.
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

  const crowd: { backer: Backer; quotes: QuoteSource }[] = []
  for (let start = 0; start < makers.length; start += connecting) {
    const group = makers.slice(start, start + connecting)
    crowd.push(...(await Promise.all(group.map((maker, index) => join(maker, start + index)))))
  }
  // The nearest guess of the server's clock is the one with the least delay.
  const clockOffset = Math.max(...crowd.map(({ backer }) => backer.clockOffset), Number.NEGATIVE_INFINITY)

  return {
    figures,
    async ask() {
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
      for (const { quotes } of crowd) quotes.prepare(count)
    },
    settle: (milliseconds) => wait(() => sentAt.size, milliseconds),
    answered: (count, milliseconds) => wait(() => count - figures.acknowledgement.length, milliseconds),
    close: async () => {
      await Promise.all(crowd.map(({ backer }) => backer.close()))
    },
  }
}

/** Looks every few milliseconds until nothing is missing, so long at most; the answer is what still is. */
async function wait(missing: () => number, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds
  while (missing() > 0 && performance.now() < until) await sleep(2)
  return Math.max(0, missing())
}

/** On one machine the clocks are the same, and what seems to be an offset is the way of a message. */
function ownClock(offset: number): number {
  return Math.abs(offset) < 50 ? 0 : offset
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
