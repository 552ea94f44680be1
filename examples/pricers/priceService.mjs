// Fetches a series' rate from your own service:
//
//   GET PRICE_URL?pool=0x…&series=0x…&expiry=1830297600   ->   { "asOf": 1800000000, "bps": 612 }
//
// `asOf` is in Unix seconds, and `bps` is simple APR in basis points. Each RFQ triggers a request with a timeout of one
// second, at most one request per series every 2 seconds. During an outage, the last rate is used until it is 30
// seconds old; then the pricer declines.
//
//   PRICE_URL=http://127.0.0.1:9000/rate firmquote-daemon --pricer priceService.mjs --config ...
import { quoteAt, wad } from '@firmquote/daemon'

const bps = wad / 10_000n
const timeoutMs = 1_000
const askAgainMs = 2_000
const oldestSeconds = 30
/**
 * Maximum number of cached series, more than a market has. Beyond that, the least recently requested series is evicted.
 */
const mostSeries = 500

const url = process.env.PRICE_URL ?? ''
if (!URL.canParse(url)) throw new Error('PRICE_URL must be the URL of the price service.')
/** For each series: the time of its last request, the pending or completed response, and the last rate. */
const asked = new Map()

/** @type {import('@firmquote/daemon').Pricer} */
export async function priceRfq(input) {
  const rate = await readRate(input.rfq)
  if (!rate) return decline('PRICE_UNKNOWN', 'The price service has no rate for this series, or does not answer.')
  const age = input.now - rate.asOf
  if (Math.abs(age) > oldestSeconds) return decline('PRICE_STALE', `The last rate is ${age} seconds old.`)
  return quoteAt(input, () => BigInt(rate.bps) * bps)
}

/** Returns the latest known rate for the RFQ's series, however old, or undefined. */
async function readRate(rfq) {
  const before = asked.get(rfq.seriesKey)
  if (before && performance.now() - before.at < askAgainMs) return before.rate
  // Concurrent RFQs share one request.
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
