// Asks a service of your own for the rate of a series:
//
//   GET PRICE_URL?pool=0x…&series=0x…&expiry=1830297600   ->   { "asOf": 1800000000, "bps": 612 }
//
// `asOf` in Unix seconds, `bps` as simple APR in hundredths of a percent. It is asked with each RFQ, but not again within 2 seconds, and
// has one second to answer. What it last said bridges an outage until it is 30 seconds old; from then on nothing is quoted.
//
//   PRICE_URL=http://127.0.0.1:9000/rate firmquote-daemon --pricer priceService.mjs --config ...
import { quoteAt, wad } from '@firmquote/daemon'

const bps = wad / 10_000n
const timeoutMs = 1_000
const askAgainMs = 2_000
const oldestSeconds = 30
/** More series than a market has: what is asked for least recently is forgotten. */
const mostSeries = 500

const url = process.env.PRICE_URL ?? ''
if (!URL.canParse(url)) throw new Error('PRICE_URL is to be the address of the price service.')
/** By series: when it was last asked for, the question under way or its answer, and the last rate that was told. */
const asked = new Map()

/** @type {import('@firmquote/daemon').Pricer} */
export async function priceRfq(input) {
  const rate = await readRate(input.rfq)
  if (!rate) return decline('PRICE_UNKNOWN', 'The price service has no rate for this series, or does not answer.')
  const age = input.now - rate.asOf
  if (Math.abs(age) > oldestSeconds) return decline('PRICE_STALE', `The last rate is ${age} seconds old.`)
  return quoteAt(input, () => BigInt(rate.bps) * bps)
}

/** The newest rate of the RFQ's series that is known, however old; undefined where there is none. */
async function readRate(rfq) {
  const before = asked.get(rfq.seriesKey)
  if (before && performance.now() - before.at < askAgainMs) return before.rate
  // RFQs that come meanwhile wait for the same answer.
  const rate = ask(rfq).catch(() => before?.rate)
  asked.delete(rfq.seriesKey)
  asked.set(rfq.seriesKey, { at: performance.now(), rate })
  if (asked.size > mostSeries) asked.delete(asked.keys().next().value)
  return rate
}

async function ask({ poolId, seriesKey, expiry }) {
  const question = new URL(url)
  question.search = new URLSearchParams({ pool: poolId, series: seriesKey, expiry: String(expiry) }).toString()
  const response = await fetch(question, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
  const { asOf, bps: rate } = await response.json()
  if (!response.ok || !Number.isSafeInteger(asOf) || !Number.isSafeInteger(rate)) throw new TypeError('no rate')
  return { asOf, bps: rate }
}

/** @returns {import('@firmquote/daemon').Decline} */
function decline(code, reason) {
  return { kind: 'decline', code, reason }
}
