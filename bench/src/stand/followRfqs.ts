import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A borrower who follows auctions by their event streams. */
export type Borrower = {
  /** Opens an auction and follows it. */
  open(url: string, terms: object): void
  /**
   * Resolves when so many quotes have come on all streams together since the last call.
   *
   * @throws {TypeError} when a stream ended or failed, or the quotes have not come within 20 s.
   */
  received(quotes: number): Promise<void>
  /** Leaves all auctions. */
  leave(): void
}

const limitMs = 20_000
const quoteEvent = Buffer.from('event: quote\n')

/** Creates a borrower, which reads no more of its streams than how many quotes have come. */
export function createBorrower(): Borrower {
  const leaving: (() => void)[] = []
  let count = 0
  let failure: string | null = null

  return {
    open(url, terms) {
      const body = JSON.stringify(terms)
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const asked = request(`${url}/api/v1/rfq/quote/stream`, { method: 'POST', headers, agent: false })
      const fail = (reason: string) => {
        failure ??= reason
      }
      const onError = ({ message }: Error) => fail(message)
      asked.on('error', onError)
      asked.on('response', (response) => {
        if (response.statusCode !== 200) fail(`An auction was not opened: ${response.statusCode}.`)
        let rest: Buffer = Buffer.alloc(0)
        response.on('error', onError)
        response.on('end', () => fail('A stream has ended.'))
        response.on('data', (chunk: Buffer) => {
          const bytes = Buffer.concat([rest, chunk])
          let at = 0
          for (let found = bytes.indexOf(quoteEvent); found >= 0; found = bytes.indexOf(quoteEvent, at)) {
            count += 1
            at = found + quoteEvent.length
          }
          rest = bytes.subarray(Math.max(at, bytes.length - quoteEvent.length + 1))
        })
      })
      asked.end(body)
      leaving.push(() => {
        asked.off('error', onError).on('error', () => {})
        asked.destroy()
      })
    },
    async received(quotes) {
      for (const end = performance.now() + limitMs; count < quotes; await sleep(5)) {
        if (failure !== null) throw new TypeError(failure)
        if (performance.now() > end) throw new TypeError(`The borrower has heard of ${count} quotes of ${quotes}.`)
      }
      count -= quotes
    },
    leave() {
      for (const leave of leaving.splice(0)) leave()
      failure = null
    },
  }
}
