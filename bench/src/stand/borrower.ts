import { setTimeout as sleep } from 'node:timers/promises'
import { openAuction } from '../load/openAuction.ts'
import type { Stand } from './startStand.ts'

const limitMs = 20_000

/** Creates a borrower, who opens auctions and counts the quotes on their event streams. */
export function createBorrower({ series }: Pick<Stand, 'series'>) {
  const left = new AbortController()
  let count = 0
  let failure: string | null = null
  return {
    open(url: string): void {
      const onQuote = () => {
        count += 1
      }
      void openAuction(url, series, 1_000_000_000n, { onQuote, signal: left.signal }).then((end) => {
        failure ??= `An auction has ended: ${JSON.stringify(end)}`
      })
    },
    /**
     * Resolves when so many quotes have come on all streams together.
     *
     * @throws {TypeError} when an auction ended, or the quotes have not come within 20 s.
     */
    async received(quotes: number): Promise<void> {
      for (const end = performance.now() + limitMs; count < quotes; await sleep(5)) {
        if (failure !== null) throw new TypeError(failure)
        if (performance.now() > end) throw new TypeError(`The borrower has received ${count} quotes of ${quotes}.`)
      }
    },
    /** Leaves all auctions. */
    leave: () => left.abort(),
  }
}

/** Asks for quotes in one request, and waits for the result. @throws {TypeError} when it is refused. */
export async function requestQuotes(url: string, { series }: Pick<Stand, 'series'>): Promise<void> {
  const body = JSON.stringify({ ...series, notional: '1000000000' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/v1/rfq/quote`, { method: 'POST', headers, body })
  const text = await answer.text()
  if (answer.status !== 200) throw new TypeError(`An auction was answered with ${answer.status}: ${text}`)
}
